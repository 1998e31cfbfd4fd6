import { DialError } from '../../engine/call/activeCall.ts';
import type { Clock, TimerHandle } from '../../base/clock.ts';

/** A request for a part of a line. */
interface Wish {
  readonly calls: number;
  /** Calls per second that it reserves; undefined for a single call, which waits for its turn. */
  readonly callsPerSecond?: number | undefined;
  readonly granted: () => void;
}

export interface LoadShare {
  /** Active calls; the rest of the share stays reserved. */
  setCalls(calls: number): void;
  /** All its calls have started, so other calls can use the full rate. */
  begun(): void;
  release(): void;
}

/**
 * The limits of one line, for all runs of this process together: simultaneous calls, and evenly spaced new calls per
 * second. First come, first served.
 */
export class LineTraffic {
  readonly #limits: { readonly callsPerSecond?: number | undefined; readonly concurrentCalls?: number | undefined };
  readonly #clock: Clock;
  readonly #waiting: Wish[] = [];
  #taken = 0;
  #calls = 0;
  /** Calls per second that load tests reserve. */
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

  /** Calls that are active or being set up. */
  get calls(): number {
    return this.#calls;
  }

  /** A call would have to wait for the end of others. */
  get isFull(): boolean {
    const { concurrentCalls = Infinity, callsPerSecond = Infinity } = this.#limits;
    return this.#taken >= concurrentCalls || this.#shared >= callsPerSecond || this.#waiting.length > 0;
  }

  /** Waits until a call can start. Returns a function for its end. Rejects with DialError if `signal` aborts first. */
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

  /** Waits for capacity for this many simultaneous calls, which keep their own pace. Rejects like `take`. */
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

  /** Grants requests in order, as far as possible. */
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
