import { ConnectionError, RateLimitError, ServerError, TimeoutError } from './errors.ts';

const retries = 3;
const firstWaitMs = 500;
const longestWaitMs = 8000;

export interface RetryParts {
  readonly wait: (milliseconds: number, signal: AbortSignal | undefined) => Promise<void>;
  readonly random: () => number;
}

/**
 * Repeats what may be repeated, up to three times: 429 always; reading also after a broken connection, a time-out or
 * 5xx; what changes something only where nothing had been sent. Waits grow exponentially with full jitter, at most 8 s;
 * a Retry-After within them is obeyed, a longer one is left to the caller.
 */
export async function withRetries<Result>(
  attempt: () => Promise<Result>,
  reading: boolean,
  parts: RetryParts,
  signal?: AbortSignal,
): Promise<Result> {
  for (let failures = 0; ; failures += 1) {
    try {
      return await attempt();
    } catch (error) {
      const asked =
        error instanceof RateLimitError && error.retryAfter !== undefined ? error.retryAfter * 1000 : undefined;
      // Nobody is kept waiting for an hour: whoever asked is told.
      if (failures >= retries || signal?.aborted === true || !mayRepeat(error, reading) || (asked ?? 0) > longestWaitMs)
        throw error;
      await parts.wait(asked ?? Math.min(longestWaitMs, firstWaitMs * 2 ** failures) * parts.random(), signal);
    }
  }
}

function mayRepeat(error: unknown, reading: boolean): boolean {
  if (error instanceof RateLimitError) return true;
  if (error instanceof ConnectionError) return reading || error.preFlight;
  return reading && (error instanceof TimeoutError || error instanceof ServerError);
}

export function waitFor(milliseconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const abort = (): void => {
      clearTimeout(timer);
      reject(signal?.reason as Error);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', abort);
      resolve();
    }, milliseconds);
    if (signal?.aborted === true) abort();
    else signal?.addEventListener('abort', abort, { once: true });
  });
}
