import { limits } from '../../contract/limits.ts';
import { loadRampSeconds } from '../../model/calls/loadRamp.ts';

/**
 * A call can be this much too early if the one before was late: timers are coarse, and the average rate must be right.
 */
const CATCH_UP_MS = 20;
/** The lowest rate that a load test can have. */
const longestGapMs = 1000 / limits.loadTest.callsPerSecond.min;

interface LoadPaceOptions {
  readonly concurrency: number;
  readonly rampSeconds: number;
  readonly callsPerSecond: number;
}

/** Decides when calls are due. All times are milliseconds on one clock. */
export class LoadPace {
  readonly #stepMs: number;
  #gapMs: number;
  readonly #t0: number;
  readonly #concurrency: number;
  /** When the last of the first calls is due, or the end of the ramp, whichever is later. */
  readonly rampEnd: number;
  #first = 0;
  #owed = 0;
  #earliest: number;

  constructor({ concurrency, rampSeconds, callsPerSecond }: LoadPaceOptions, t0: number) {
    this.#concurrency = concurrency;
    this.#stepMs = (rampSeconds * 1000) / concurrency;
    this.#gapMs = 1000 / callsPerSecond;
    this.#t0 = t0;
    this.#earliest = t0;
    this.rampEnd = t0 + 1000 * loadRampSeconds({ concurrency, rampSeconds, callsPerSecond });
  }

  /** All first calls have been placed, and all that ended have been replaced. */
  get satisfied(): boolean {
    return this.#first >= this.#concurrency && this.#owed === 0;
  }

  /** One more call replaces one that ended. */
  owe(): void {
    this.#owed += 1;
  }

  /** Returns when the next call is due, or undefined if none is. */
  next(): number | undefined {
    if (this.#first < this.#concurrency) {
      const scheduled = this.#t0 + this.#first * this.#stepMs;
      return Math.max(this.#owed > 0 ? this.#t0 : scheduled, this.#earliest);
    }
    return this.#owed > 0 ? this.#earliest : undefined;
  }

  /** Places calls half as often from now on. Returns the new rate, in calls per second. */
  halve(): number {
    this.#gapMs = Math.min(longestGapMs, this.#gapMs * 2);
    return 1000 / this.#gapMs;
  }

  /** A call is placed now. */
  take(now: number): void {
    // The ramp comes first: a call that ended is replaced only if no first call is due.
    if (this.#first < this.#concurrency && now >= this.#t0 + this.#first * this.#stepMs) this.#first += 1;
    else this.#owed -= 1;
    this.#earliest = Math.max(this.#earliest + this.#gapMs, now + this.#gapMs - CATCH_UP_MS);
  }
}
