import type { Clock, TimerHandle } from '../../src/base/clock.ts';

/** A clock that a test moves by hand; timers fire in the order of their times. */
export class ManualClock implements Clock {
  #now = 0;
  #sequence = 0;
  readonly #timers = new Map<object, { at: number; order: number; callback: () => void }>();

  now(): number {
    return this.#now;
  }
  /** How many timers are armed. */
  get pending(): number {
    return this.#timers.size;
  }

  setTimeout(callback: () => void, delayMs: number): TimerHandle {
    const handle = {};
    this.#timers.set(handle, { at: this.#now + Math.max(0, delayMs), order: this.#sequence++, callback });
    return handle;
  }

  clearTimeout(handle: TimerHandle): void {
    if (typeof handle === 'object') this.#timers.delete(handle);
  }

  /** Fires all that is due within `ms`, and ends there. */
  advance(ms: number): void {
    const end = this.#now + ms;
    for (;;) {
      let next: [object, { at: number; order: number; callback: () => void }] | undefined;
      for (const timer of this.#timers) {
        if (
          timer[1].at <= end &&
          (!next || timer[1].at < next[1].at || (timer[1].at === next[1].at && timer[1].order < next[1].order))
        )
          next = timer;
      }
      if (!next) break;
      this.#timers.delete(next[0]);
      this.#now = Math.max(this.#now, next[1].at);
      next[1].callback();
    }
    this.#now = end;
  }

  /** Moves on in small steps and lets promises settle between them, until `done` or `limitMs` of this clock's time. */
  async run(done: () => boolean, limitMs: number, stepMs = 10): Promise<boolean> {
    for (let spent = 0; spent < limitMs && !done(); spent += stepMs) {
      this.advance(stepMs);
      await settle();
    }
    return done();
  }
}

/** Lets all promise callbacks run that wait for nothing else. */
export function settle(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}
