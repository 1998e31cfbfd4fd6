import { ConnectionError, RateLimitError, ServerError, TimeoutError } from './errors.ts';

const retries = 3;
const firstWaitMs = 500;
const longestWaitMs = 8000;
/** A longer Retry-After is left to the caller. */
const longestAskedMs = 60_000;

export interface RetryParts {
  readonly wait: (milliseconds: number, signal: AbortSignal | undefined) => Promise<void>;
  readonly random: () => number;
}

/**
 * Repeats what can be repeated, up to three times: 429 always; reads also after a broken connection, a time-out or 5xx;
 * changes only if nothing was sent. Waits grow exponentially with full jitter, up to 8 s. A Retry-After of up to a
 * minute is obeyed; a longer one is left to the caller, and the error contains it.
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
      if (failures >= retries || signal?.aborted === true || !mayRepeat(error, reading)) throw error;
      if (asked !== undefined && asked > longestAskedMs) throw tooLong(error as RateLimitError, asked);
      await parts.wait(asked ?? Math.min(longestWaitMs, firstWaitMs * 2 ** failures) * parts.random(), signal);
    }
  }
}

/**
 * Returns the wait after a 403 without a body, by the number of refusals before it: exponential with jitter, up to a
 * minute.
 */
export const fullMinuteWaitMs = (refusals: number, random: () => number): number =>
  Math.min(longestAskedMs, 5000 * 2 ** refusals) * (0.5 + 0.5 * random());

function tooLong(error: RateLimitError, askedMs: number): RateLimitError {
  error.message += ` The request wasn't repeated, because the service asks for a wait of ${String(Math.ceil(askedMs / 1000))} seconds and the client waits up to ${String(longestAskedMs / 1000)}.`;
  return error;
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
