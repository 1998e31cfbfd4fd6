import { isFullMinute } from '../../client/errors.ts';
import { fullMinuteWaitMs, waitFor } from '../../client/retry.ts';
import { HumanError } from '../../contract/errors.ts';

const mostRefusals = 5;

/**
 * Asks the service, and waits if it allows no more requests in this minute. Returns undefined if the signal aborts, and
 * otherwise rejects as `ask` does.
 */
export async function patiently<Result>(ask: () => Promise<Result>, signal: AbortSignal): Promise<Result | undefined> {
  for (let refusals = 0; !signal.aborted; refusals += 1) {
    try {
      return await ask();
    } catch (error) {
      if (signal.aborted && error === signal.reason) break;
      if (!isFullMinute(error) || refusals === mostRefusals) throw error;
      await waitFor(fullMinuteWaitMs(refusals, Math.random), signal).catch(() => undefined);
    }
  }
  return undefined;
}

/** Why nothing was called after Ctrl+C. */
export const cancelled = (cause?: unknown): HumanError =>
  new HumanError('Cancelled before any call was placed.', { cause });
