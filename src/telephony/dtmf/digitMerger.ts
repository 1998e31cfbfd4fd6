import type { DigitTransport } from '../call.ts';

/** In-band tones leave the jitter buffer later than events, by up to its maximum delay and the detector's own delay. */
const WINDOW_MS = 300;

/** Reports a digit once if it arrived both as an event and as a tone: each report suppresses one of the other kind. */
export class DigitMerger {
  #unmatched: { digit: string; via: DigitTransport; at: number }[] = [];

  /** Returns true if the digit is new. `at` is its end in milliseconds. */
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
