import type { Clock, TimerHandle } from '../base/clock.ts';

/** Calls back once nothing has been in use for a while. */
export class IdleExit {
  readonly #clock: Clock;
  readonly #afterMs: number;
  readonly #isBusy: () => boolean;
  readonly #onIdle: () => void;
  #timer: TimerHandle | undefined;

  constructor(clock: Clock, afterMs: number, isBusy: () => boolean, onIdle: () => void) {
    this.#clock = clock;
    this.#afterMs = afterMs;
    this.#isBusy = isBusy;
    this.#onIdle = onIdle;
  }

  /** Something came or went, so the wait starts again. */
  touch(): void {
    this.stop();
    this.#timer = this.#clock.setTimeout(() => {
      this.#timer = undefined;
      if (this.#isBusy()) this.touch();
      else this.#onIdle();
    }, this.#afterMs);
  }

  stop(): void {
    if (this.#timer !== undefined) this.#clock.clearTimeout(this.#timer);
    this.#timer = undefined;
  }
}
