/** Monotonic milliseconds and timers; the telephony clock fits. */
export interface ModelClock {
  now(): number;
  setTimeout(callback: () => void, delayMs: number): object | number;
  clearTimeout(handle: object | number): void;
}

export const systemModelClock: ModelClock = {
  now: () => performance.now(),
  setTimeout: (callback, delayMs) => setTimeout(callback, delayMs),
  clearTimeout: (handle) => {
    clearTimeout(handle as NodeJS.Timeout);
  },
};

/** Settles with the work, or rejects at once with the reason of an abort: the work may be one that does not listen to it. */
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
    work.then(resolve, reject).finally(() => {
      signal.removeEventListener('abort', abort);
    });
  });
}

export function pause(milliseconds: number, signal: AbortSignal, clock: ModelClock): Promise<void> {
  let timer: object | number | undefined;
  const passed = new Promise<void>((resolve) => {
    timer = clock.setTimeout(resolve, milliseconds);
  });
  return unlessAborted(passed, signal).finally(() => {
    if (timer !== undefined) clock.clearTimeout(timer);
  });
}
