import { EventStream, readerLeft } from '../eventStream.ts';
import type { LoadEvent, LoadOptions } from './loadOptions.ts';
import { LoadRun } from './loadRun.ts';

/**
 * Holds many simultaneous calls to one target and measures them, without recognising words. Yields `started`,
 * `progress` once per second, and `ended` as the last event. Never throws because of the called side. If the reader
 * stops reading, all calls are hung up.
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
