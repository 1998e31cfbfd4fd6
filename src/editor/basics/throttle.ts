import { after, type WallClock } from './wallClock.ts';

/** Runs `run` immediately, then up to once per `intervalMs`. A request in between runs at the end of the interval. */
export class Throttle {
  readonly #clock: WallClock;
  readonly #intervalMs: number;
  readonly #run: () => void;
  #wanted = false;
  #cancel: (() => void) | undefined;

  constructor(clock: WallClock, intervalMs: number, run: () => void) {
    this.#clock = clock;
    this.#intervalMs = intervalMs;
    this.#run = run;
  }

  request(): void {
    if (this.#cancel) {
      this.#wanted = true;
      return;
    }
    this.#cancel = after(this.#clock, this.#intervalMs, () => {
      this.#cancel = undefined;
      if (this.#wanted) this.request();
    });
    this.#wanted = false;
    this.#run();
  }

  dispose(): void {
    this.#cancel?.();
  }
}
