import type { DigitTransport } from '../call.ts';

/**
 * In-band tones come out of the jitter buffer later than events, by up to its greatest delay and the detector's own
 * hangover.
 */
const WINDOW_MS = 300;

/** Reports a digit once that arrived as an event and as a tone: each report excuses at most one by the other way. */
export class DigitMerger {
  #unmatched: { digit: string; via: DigitTransport; at: number }[] = [];

  /** True when the digit is news. `at` is its end in milliseconds. */
  accept(digit: string, via: DigitTransport, at: number): boolean {
    this.#unmatched = this.#unmatched.filter((earlier) => at - earlier.at <= WINDOW_MS);
    const twin = this.#unmatched.findIndex((earlier) => earlier.digit === digit && earlier.via !== via);
    if (twin >= 0) {
      this.#unmatched.splice(twin, 1);
      return false;
    }
    this.#unmatched.push({ digit, via, at });
    return true;
  }
}
