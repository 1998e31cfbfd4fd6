import assert from 'node:assert/strict';
import { QueuedClock } from './timerQueue.ts';

/** A clock that a test moves by hand; timers fire in order of their times. */
export class ManualClock extends QueuedClock {
  /** Fires everything that is due within `ms`, and stops there. */
  advance(ms: number): void {
    const end = this.nowMs + ms;
    for (let timer = this.timers.take(end); timer; timer = this.timers.take(end)) {
      this.nowMs = Math.max(this.nowMs, timer.at);
      timer.callback();
    }
    this.nowMs = end;
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
