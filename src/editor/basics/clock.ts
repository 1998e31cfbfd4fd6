/** Time as the editor half uses it; tests own theirs. */
export interface Clock {
  /** Milliseconds since 1970, UTC; a test may begin at another moment. */
  now(): number;
  /** Calls `run` once after `milliseconds`, unless the returned function is called before. */
  after(milliseconds: number, run: () => void): () => void;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  after(milliseconds, run) {
    const timer = setTimeout(run, milliseconds);
    return () => {
      clearTimeout(timer);
    };
  },
};

/** Resolves after `milliseconds`, or as soon as `signal` aborts. */
export function pause(clock: Clock, milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) {
      resolve();
      return;
    }
    const done = (): void => {
      signal.removeEventListener('abort', done);
      cancel();
      resolve();
    };
    const cancel = clock.after(milliseconds, done);
    signal.addEventListener('abort', done);
  });
}
