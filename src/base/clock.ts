/** Monotonic time and timers, passed in so that tests can control them. All times are in milliseconds. */
export interface Clock {
  now(): number;
  setTimeout(callback: () => void, delayMs: number): TimerHandle;
  clearTimeout(handle: TimerHandle): void;
}

export type TimerHandle = object | number;

export const systemClock: Clock = {
  now: () => performance.now(),
  setTimeout: (callback, delayMs) => setTimeout(callback, Math.max(0, delayMs)),
  clearTimeout: (handle) => clearTimeout(handle as NodeJS.Timeout),
};

/** Resolves after `milliseconds`. If `signal` aborts, rejects immediately with its reason. */
export async function sleep(clock: Clock, milliseconds: number, signal?: AbortSignal): Promise<void> {
  let timer: TimerHandle | undefined;
  const passed = new Promise<void>((resolve) => {
    timer = clock.setTimeout(resolve, milliseconds);
  });
  if (!signal) return passed;
  try {
    await unlessAborted(passed, signal);
  } finally {
    if (timer !== undefined) clock.clearTimeout(timer);
  }
}

/** Settles with the work, or rejects as soon as the signal aborts, even if the work ignores the signal. */
export function unlessAborted<Result>(work: Promise<Result>, signal: AbortSignal): Promise<Result> {
  work.catch(() => undefined);
  return new Promise((resolve, reject) => {
    const abort = (): void => {
      reject(signal.reason as Error);
    };
    if (signal.aborted) {
      abort();
      return;
    }
    signal.addEventListener('abort', abort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}

/** Settles with the work, or rejects with `late` after `milliseconds`. */
export async function inTime<Result>(
  clock: Clock,
  milliseconds: number,
  work: Promise<Result>,
  late: Error,
): Promise<Result> {
  const limit = new AbortController();
  const timer = clock.setTimeout(() => limit.abort(late), milliseconds);
  return unlessAborted(work, limit.signal).finally(() => clock.clearTimeout(timer));
}
