import type { Clock } from '../../basics/clock.ts';
import { pause } from '../../basics/clock.ts';
import { isStatus, mayPass } from '../../basics/errors.ts';
import type { Logger } from '../../basics/log/logger.ts';
import { describeCause } from '../../basics/log/logger.ts';

export interface CancelParts {
  readonly cancel: (runId: string) => Promise<unknown>;
  readonly clock: Clock;
  readonly log: Logger;
}

const maxAtOnce = 4;
/** Requests are counted by the minute. */
const retryMs = 5_000;
/** Nothing got through for about two minutes. */
const maxRefusals = 100;

/**
 * Hangs up the calls of runs, or takes them out of the queue: a few at once, in this order. What the service refuses
 * for now is asked for again. `onDone` is told of each that needs no further asking. Never rejects; what went wrong
 * stands in the log.
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
