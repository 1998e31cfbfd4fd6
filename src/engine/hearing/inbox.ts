import type { Clock } from '../../base/clock.ts';
import type { ActiveCall, ActiveCallEvent } from '../call/activeCall.ts';

/** The events of a call as a queue to await, so that listening reads as one sequence. */
export class Inbox {
  readonly #clock: Clock;
  readonly #stop: () => void;
  readonly #queue: ActiveCallEvent[] = [];
  #wake: (() => void) | undefined;

  /** An abort of `signal` ends a wait early. */
  constructor(call: ActiveCall, clock: Clock, signal?: AbortSignal) {
    this.#clock = clock;
    const wake = (): void => this.wake();
    signal?.addEventListener('abort', wake);
    const stop = call.listen((event) => {
      this.#queue.push(event);
      wake();
    });
    this.#stop = () => {
      stop();
      signal?.removeEventListener('abort', wake);
    };
  }

  /** Returns the next event, or undefined if none arrives within this time. */
  async next(timeoutMs: number): Promise<ActiveCallEvent | undefined> {
    if (this.#queue.length === 0 && timeoutMs > 0) await this.#arrival(timeoutMs);
    return this.#queue.shift();
  }

  /** Ends a wait early. */
  wake(): void {
    this.#wake?.();
  }

  /** Returns the next event that has already arrived. */
  take(): ActiveCallEvent | undefined {
    return this.#queue.shift();
  }

  /** Takes the first matching event out of the queue; undefined after this time, or when the call ended. */
  async find<Found extends ActiveCallEvent>(
    fits: (event: ActiveCallEvent) => event is Found,
    timeoutMs: number,
  ): Promise<Found | undefined> {
    const found = await this.peek(fits, timeoutMs);
    if (found) this.#queue.splice(this.#queue.indexOf(found), 1);
    return found;
  }

  /** Like `find`, but leaves the event in the queue. */
  async peek<Found extends ActiveCallEvent>(
    fits: (event: ActiveCallEvent) => event is Found,
    timeoutMs: number,
  ): Promise<Found | undefined> {
    const until = this.#clock.now() + timeoutMs;
    for (;;) {
      const found = this.#queue.find(fits);
      if (found) return found;
      const remainingMs = until - this.#clock.now();
      if (remainingMs <= 0 || this.#queue.some((event) => event.type === 'ended')) return undefined;
      await this.#arrival(remainingMs);
    }
  }

  async #arrival(timeoutMs: number): Promise<void> {
    await new Promise<void>((resolve) => {
      const timer = this.#clock.setTimeout(resolve, timeoutMs);
      this.#wake = () => {
        this.#clock.clearTimeout(timer);
        resolve();
      };
    });
    this.#wake = undefined;
  }

  /** Drops unread events, except the call's end. */
  clear(): void {
    const end = this.#queue.find((event) => event.type === 'ended');
    this.#queue.length = 0;
    if (end) this.#queue.push(end);
  }

  close(): void {
    this.#stop();
  }
}
