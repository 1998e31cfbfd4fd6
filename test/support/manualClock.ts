import assert from 'node:assert/strict';
import type { Clock, TimerHandle } from '../../src/base/clock.ts';
import { TimerQueue, type QueuedTimer } from './timerQueue.ts';

/** A clock that a test moves by hand; timers fire in order of their times. */
export class ManualClock implements Clock {
  #now = 0;
  readonly #timers = new TimerQueue();

  now(): number {
    return this.#now;
  }
  /** The number of armed timers. */
  get pending(): number {
    return this.#timers.size;
  }

  setTimeout(callback: () => void, delayMs: number): TimerHandle {
    return this.#timers.add(this.#now + Math.max(0, delayMs), callback);
  }

  clearTimeout(handle: TimerHandle): void {
    this.#timers.delete(handle as QueuedTimer);
  }

  /** Fires everything that is due within `ms`, and stops there. */
  advance(ms: number): void {
    const end = this.#now + ms;
    for (let timer = this.#timers.take(end); timer; timer = this.#timers.take(end)) {
      this.#now = Math.max(this.#now, timer.at);
      timer.callback();
    }
    this.#now = end;
  }

  /** Advances in small steps and lets promises settle between them, until `done` or `limitMs` of this clock's time. */
  async run(done: () => boolean, limitMs: number, stepMs = 10): Promise<boolean> {
    for (let spent = 0; spent < limitMs && !done(); spent += stepMs) {
      this.advance(stepMs);
      await settle();
    }
    return done();
  }

  /** Runs until this work has settled, which must take up to `limitMs` of this clock's time. */
  async finish(work: Promise<unknown>, limitMs = 5000): Promise<void> {
    let isOver = false;
    void work.finally(() => {
      isOver = true;
    });
    assert.ok(await this.run(() => isOver, limitMs), 'it takes too long');
  }
}

/** Runs all promise callbacks that wait for nothing else. */
export function settle(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}
