import type { Clock, TimerHandle } from '../../base/clock.ts';
import type { OnFault } from '../fault.ts';

/** Round-trip estimate, longest retransmission interval, and lifetime of a message (RFC 3261 table 4), in ms. */
export const T1 = 500;
export const T2 = 4000;
export const T4 = 5000;
/** Timers B, F, H, J, L and M. */
export const TRANSACTION_TIMEOUT = 64 * T1;
/** Timer D. */
export const INVITE_WAIT = 32_000;

/** The named timers of one state machine. */
export class Timers {
  readonly #clock: Clock;
  readonly #onFault: OnFault | undefined;
  readonly #running = new Map<string, TimerHandle>();

  /** `onFault` receives what a timer throws; without it, the clock handles the error. */
  constructor(clock: Clock, onFault?: OnFault) {
    this.#clock = clock;
    this.#onFault = onFault;
  }

  /** (Re)starts the timer `name`. A delay of 0 fires immediately, like the timers of a reliable transport. */
  start(name: string, delayMs: number, fire: () => void): void {
    this.stop(name);
    if (delayMs === 0) {
      fire();
      return;
    }
    this.#running.set(
      name,
      this.#clock.setTimeout(() => {
        this.#running.delete(name);
        this.#fire(fire);
      }, delayMs),
    );
  }

  stop(name: string): void {
    const handle = this.#running.get(name);
    if (handle === undefined) return;
    this.#clock.clearTimeout(handle);
    this.#running.delete(name);
  }

  stopAll(): void {
    for (const name of [...this.#running.keys()]) this.stop(name);
  }

  /** Runs `fire` after T1, 2·T1, … up to `limit`, until stopped: timers A, E, G and 2xx (RFC 3261 section 13.3.1.4). */
  retransmit(name: string, limit: number, fire: () => void): void {
    const again = (interval: number): void => {
      this.start(name, interval, () => {
        again(Math.min(interval * 2, limit));
        fire();
      });
    };
    again(T1);
  }

  #fire(fire: () => void): void {
    try {
      fire();
    } catch (error) {
      if (!this.#onFault) throw error;
      this.#onFault(error);
    }
  }
}
