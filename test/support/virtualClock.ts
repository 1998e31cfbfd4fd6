import { QueuedClock } from './timerQueue.ts';

/**
 * Time that passes only when everything waits, including for work that takes real time: runs hours of calls in seconds,
 * always in the same order.
 */
export class VirtualClock extends QueuedClock {
  #held = 0;
  #released = Promise.withResolvers<undefined>();

  /** Stops virtual time while this work, which takes real time, runs. */
  async hold<Result>(work: Promise<Result>): Promise<Result> {
    this.#held += 1;
    try {
      return await work;
    } finally {
      this.#held -= 1;
      this.#released.resolve(undefined);
      this.#released = Promise.withResolvers();
    }
  }

  /**
   * Lets time pass until `work` has settled. Rejects if nothing is left to wait for, or after `limitMs` of virtual
   * time.
   */
  async run<Result>(work: Promise<Result>, limitMs = 4 * 3600_000): Promise<Result> {
    let settled = false;
    const watched = work.finally(() => {
      settled = true;
    });
    watched.catch(() => undefined);
    for (;;) {
      await new Promise((resolve) => {
        setImmediate(resolve);
      });
      if (settled) return watched;
      if (this.#held > 0) {
        await this.#released.promise;
        continue;
      }
      const { next } = this.timers;
      if (!next) throw new Error('Nothing is left to wait for, and the work has not settled.');
      if (next.at > limitMs)
        throw new Error(`The work has not settled in ${String(limitMs / 1000)} s of virtual time.`);
      this.timers.take();
      this.nowMs = Math.max(this.nowMs, next.at);
      next.callback();
    }
  }
}
