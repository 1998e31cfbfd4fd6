import { sentence, sentencesOf } from '../../base/sentences.ts';
import { EventStream, readerLeft } from '../eventStream.ts';
import type { LoadEvent, LoadOptions } from './loadOptions.ts';
import { LoadRun } from './loadRun.ts';

/**
 * Holds many simultaneous calls to one target and measures them. Yields `started`,
 * `progress` once per second, and `ended` as the last event. Never throws because of the called side. An internal error
 * ends the test with the figures so far. If the reader stops reading, all calls are hung up.
 */
export async function* runLoad(options: LoadOptions): AsyncGenerator<LoadEvent> {
  const events = new EventStream<LoadEvent>();
  let fault: { readonly cause: unknown } | undefined;
  const run = new LoadRun(
    options,
    (event) => {
      events.push(event.type === 'ended' && fault ? { ...event, fault: fault.cause } : event);
      if (event.type === 'ended') events.close();
    },
    {
      onFault: (cause) => {
        fault ??= { cause };
        run.stop('failed', internalError);
      },
      onLost: (cause) => events.fail(cause),
    },
  );
  run.start();
  try {
    yield* events;
  } finally {
    run.stop('aborted', sentencesOf(readerLeft));
  }
}

const internalError = sentence`Dialtree had an internal error, so the test ended early. The log says more.`;
