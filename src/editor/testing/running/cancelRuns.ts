import { pause, type Clock } from '../../basics/clock.ts';
import { isStatus, mayPass } from '../../basics/errors.ts';
import { describeCause, type Logger } from '../../basics/log/logger.ts';

interface CancelParts {
  readonly cancel: (runId: string) => Promise<unknown>;
  readonly clock: Clock;
  readonly log: Logger;
}

const maxAtOnce = 4;
/** Requests are limited per minute. */
const retryMs = 5_000;
/** No request got through for about two minutes. */
const maxRefusals = 100;

/**
 * Hangs up the calls of runs, or removes them from the queue, a few at a time in this order. Temporary refusals are
 * tried again. `onDone` is called for each run that needs no further request. Never rejects; errors are logged.
 */
export async function cancelRuns(
  runIds: readonly string[],
  onDone: (runId: string) => void,
  { cancel, clock, log }: CancelParts,
): Promise<void> {
  const queue = [...runIds];
  let refusals = 0;
  const work = async (): Promise<void> => {
    for (let id = queue.shift(); id !== undefined; id = queue.shift()) {
      try {
        await cancel(id);
        refusals = 0;
      } catch (error) {
        if (mayPass(error) && refusals < maxRefusals) {
          refusals += 1;
          queue.unshift(id);
          await pause(clock, retryMs, new AbortController().signal);
          continue;
        }
        if (!isStatus(error, 404)) log.warn(`A run was not cancelled: ${describeCause(error)}`);
      }
      onDone(id);
    }
  };
  await Promise.all(Array.from({ length: Math.min(maxAtOnce, queue.length) }, work));
}
