import { EventStream, readerLeft } from '../eventStream.ts';
import type { LoadEvent, LoadOptions } from './loadOptions.ts';
import { LoadRun } from './loadRun.ts';

/**
 * Holds many calls to one target at once and measures them, without recognising a word. Yields `started`, `progress`
 * each second, and `ended` as the last event. Never throws on what the far side does. A reader that stops reading hangs
 * up all calls.
 */
export async function* runLoad(options: LoadOptions): AsyncGenerator<LoadEvent> {
  const events = new EventStream<LoadEvent>();
  const run = new LoadRun(
    options,
    (event) => {
      events.push(event);
      if (event.type === 'ended') events.close();
    },
    (error) => {
      events.fail(error);
    },
  );
  run.start();
  try {
    yield* events;
  } finally {
    run.stop('aborted', readerLeft);
  }
}
