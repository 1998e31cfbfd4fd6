import type { Clock, TimerHandle } from '../../src/base/clock.ts';

interface QueuedTimer {
  readonly at: number;
  readonly order: number;
  readonly callback: () => void;
}

const isBefore = (one: QueuedTimer, other: QueuedTimer): boolean =>
  one.at < other.at || (one.at === other.at && one.order < other.order);

/** Timers in order of their times, equal times in the order they were armed: a binary heap, for thousands of them. */
class TimerQueue {
  #heap: QueuedTimer[] = [];
  readonly #armed = new Set<QueuedTimer>();
  #order = 0;

  get size(): number {
    return this.#armed.size;
  }

  add(at: number, callback: () => void): QueuedTimer {
    const timer = { at, order: (this.#order += 1), callback };
    this.#armed.add(timer);
    this.#heap.push(timer);
    this.#rise(this.#heap.length - 1);
    return timer;
  }

  /** It stays in the heap until its turn comes, or until dead timers outnumber armed ones. */
  delete(timer: QueuedTimer): void {
    this.#armed.delete(timer);
    if (this.#heap.length > 2 * this.#armed.size + 64)
      this.#heap = [...this.#armed].sort((one, other) => (isBefore(one, other) ? -1 : 1));
  }

  get next(): QueuedTimer | undefined {
    for (;;) {
      const [first] = this.#heap;
      if (!first || this.#armed.has(first)) return first;
      this.#removeFirst();
    }
  }

  /** Removes and returns the next timer if it is due by `until`. */
  take(until = Infinity): QueuedTimer | undefined {
    const { next } = this;
    if (!next || next.at > until) return undefined;
    this.#armed.delete(next);
    this.#removeFirst();
    return next;
  }

  #removeFirst(): void {
    const last = this.#heap.pop();
    if (!last || this.#heap.length === 0) return;
    this.#heap[0] = last;
    this.#sink(0);
  }

  #rise(from: number): void {
    for (let at = from; at > 0;) {
      const parent = (at - 1) >> 1;
      if (!this.#swapUnlessOrdered(parent, at)) return;
      at = parent;
    }
  }

  #sink(from: number): void {
    for (let at = from; ;) {
      const [left, right] = [2 * at + 1, 2 * at + 2];
      const first = this.#heap[left];
      if (!first) return;
      const second = this.#heap[right];
      const child = second && isBefore(second, first) ? right : left;
      if (!this.#swapUnlessOrdered(at, child)) return;
      at = child;
    }
  }

  /** Returns true if it swapped them. */
  #swapUnlessOrdered(parent: number, child: number): boolean {
    const [above, below] = [this.#heap[parent], this.#heap[child]];
    if (!above || !below || !isBefore(below, above)) return false;
    this.#heap[parent] = below;
    this.#heap[child] = above;
    return true;
  }
}

/** A clock that a test moves. */
export class QueuedClock implements Clock {
  protected readonly timers = new TimerQueue();
  protected nowMs = 0;

  now(): number {
    return this.nowMs;
  }
  /** The number of armed timers. */
  get pending(): number {
    return this.timers.size;
  }

  setTimeout(callback: () => void, delayMs: number): TimerHandle {
    return this.timers.add(this.nowMs + Math.max(0, delayMs), callback);
  }

  clearTimeout(handle: TimerHandle): void {
    this.timers.delete(handle as QueuedTimer);
  }
}
