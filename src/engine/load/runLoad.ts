import { EventStream } from '../eventStream.ts';
import type { LoadEvent, LoadOptions } from './loadOptions.ts';
import { LoadRun } from './loadRun.ts';

/**
 * Holds many calls to one target at once and measures them, without recognising a word. Yields `started`, `progress` each second, and `ended` as
 * the last event. Never throws on what the far side does. A reader that stops reading hangs up all calls.
 */
export async function* runLoad(options: LoadOptions): AsyncGenerator<LoadEvent> {
  const events = new EventStream<LoadEvent>();
  const run = new LoadRun(options, (event) => {
    events.push(event);
    if (event.type === 'ended') events.close();
  });
  run.start();
  try {
    yield* events;
  } finally {
    run.stop('aborted', 'Nobody follows the test any more.');
  }
}
