import { DialError } from '../../engine/call/talk.ts';
import type { Clock, TimerHandle } from '../../base/clock.ts';

/** What somebody takes of a line. */
interface Wish {
  readonly calls: number;
  /** Calls that a second of it takes for itself; undefined for one call, which waits for its moment. */
  readonly callsPerSecond?: number | undefined;
  readonly granted: () => void;
}

/** A load test's part of a line. */
export interface LoadShare {
  /** Calls that go on; the rest of the share is kept for it. */
  setCalls(calls: number): void;
  /** All its calls have been begun: the others may go on at their pace. */
  begun(): void;
  release(): void;
}

/**
 * The limits of one line, for all runs of this process together: calls at once, and calls begun a second, evenly. First
 * come, first served.
 */
export class LineTraffic {
  readonly #limits: { readonly callsPerSecond?: number | undefined; readonly concurrentCalls?: number | undefined };
  readonly #clock: Clock;
  readonly #waiting: Wish[] = [];
  #taken = 0;
  #calls = 0;
  /** Calls a second that load tests take for themselves. */
  #shared = 0;
  #nextAt = 0;
  #timer: TimerHandle | undefined;

  constructor(
    limits: { readonly callsPerSecond?: number | undefined; readonly concurrentCalls?: number | undefined },
    clock: Clock,
  ) {
    this.#limits = limits;
    this.#clock = clock;
  }

  /** Calls that go on, or are being set up. */
  get calls(): number {
    return this.#calls;
  }

  /**
   * Waits until one more call may begin; returns what to call at its end. Rejects with DialError when `signal` aborts
   * before.
   */
  async take(signal: AbortSignal): Promise<() => void> {
    await this.#wait({ calls: 1 }, signal);
    this.#calls += 1;
    let over = false;
    return () => {
      if (over) return;
      over = true;
      this.#calls -= 1;
      this.#free(1);
    };
  }

  /** Waits until so many calls at once have room; they then keep to this pace by themselves. Rejects as `take`. */
  async share(calls: number, callsPerSecond: number, signal: AbortSignal): Promise<LoadShare> {
    await this.#wait({ calls, callsPerSecond }, signal);
    let now = 0,
      pace = callsPerSecond,
      over = false;
    const setCalls = (active: number): void => {
      if (over) return;
      this.#calls += active - now;
      now = active;
    };
    const begun = (): void => {
      this.#shared -= pace;
      pace = 0;
      this.#pump();
    };
    return {
      setCalls,
      begun,
      release: () => {
        if (over) return;
        setCalls(0);
        over = true;
        begun();
        this.#free(calls);
      },
    };
  }

  #wait(wish: Omit<Wish, 'granted'>, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const abandon = (): void => {
        const at = this.#waiting.indexOf(waiting);
        if (at >= 0) this.#waiting.splice(at, 1);
        reject(new DialError({ by: 'local', kind: 'cancelled', reason: 'given up before the line was free' }));
        this.#pump();
      };
      const waiting: Wish = {
        ...wish,
        granted: () => {
          signal.removeEventListener('abort', abandon);
          resolve();
        },
      };
      if (signal.aborted) {
        abandon();
        return;
      }
      signal.addEventListener('abort', abandon, { once: true });
      this.#waiting.push(waiting);
      this.#pump();
    });
  }

  #free(calls: number): void {
    this.#taken -= calls;
    this.#pump();
  }

  /** Grants what can be granted, in order. */
  #pump(): void {
    const { concurrentCalls = Infinity, callsPerSecond = Infinity } = this.#limits;
    if (this.#timer !== undefined) this.#clock.clearTimeout(this.#timer);
    this.#timer = undefined;
    for (
      let first = this.#waiting[0];
      first && this.#taken + first.calls <= concurrentCalls;
      first = this.#waiting[0]
    ) {
      if (first.callsPerSecond === undefined) {
        const pace = callsPerSecond - this.#shared;
        if (pace <= 0) return;
        const wait = this.#nextAt - this.#clock.now();
        if (wait > 0) {
          this.#timer = this.#clock.setTimeout(() => {
            this.#timer = undefined;
            this.#pump();
          }, wait);
          return;
        }
        this.#nextAt = this.#clock.now() + 1000 / pace;
      } else this.#shared += first.callsPerSecond;
      this.#waiting.shift();
      this.#taken += first.calls;
      first.granted();
    }
  }
}
