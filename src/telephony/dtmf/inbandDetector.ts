import { COLUMN_HZ, KEYPAD, ROW_HZ } from './tones.ts';

/** Goertzel over windows of 12.75 ms: every 6.4 ms within a tone, without overlap while there is none. */
const WINDOW = 102;
const HOP = 51;
const KEPT = WINDOW + HOP;
const SAMPLE_RATE = 8000;
/** A window quieter than this mean square (about −43 dBm0) contains no tone. */
const MIN_POWER = 15_000;
/** Energy of both tones over that of the window: speech spreads, a dual tone doesn't. */
const MIN_SHARE = 0.82;
/** High group over low group at most 4 dB, low over high at most 8 dB (ITU-T Q.24). */
const MAX_FORWARD_TWIST = 2.5;
const MAX_REVERSE_TWIST = 6.3;
/** Either tone against the next best of its group: 8 dB. */
const MIN_LEAD = 6.3;
/** The second harmonic of a tone is at least 13 dB down; that of a voice isn't. */
const MAX_HARMONIC = 0.05;
/** The minimum share of the row alone, given the share of both and the twist. */
const MIN_ROW_SHARE = MIN_SHARE / (1 + MAX_FORWARD_TWIST);
/** Consecutive windows that lie within each tone of 40 ms, the shortest that Q.24 accepts, wherever it begins. */
const MIN_HITS = 4;
/** Windows without the tone that end it; shorter breaks are clicks or a lost packet. */
const MAX_MISSES = 4;

function coefficient(hz: number): number {
  return 2 * Math.cos((2 * Math.PI * hz) / SAMPLE_RATE);
}
const ROWS = ROW_HZ.map(coefficient);
const COLUMNS = COLUMN_HZ.map(coefficient);
const COLUMN_HARMONICS = COLUMN_HZ.map((hz) => coefficient(2 * hz));
/** A row's second harmonic, or the third if the second coincides with the column's tone. By row, then column. */
const ROW_HARMONICS = ROW_HZ.map((row) =>
  COLUMN_HZ.map((column) => coefficient((Math.abs(2 * row - column) < 120 ? 3 : 2) * row)),
);

interface DetectedDigit {
  readonly digit: string;
  readonly durationMs: number;
}

/** Finds DTMF tones in audio (ITU-T Q.24), each reported when it has ended. */
export class InbandDetector {
  readonly #buffer = new Float64Array(KEPT);
  readonly #window = this.#buffer.subarray(HOP);
  readonly #earlier = this.#buffer.subarray(0, WINDOW);
  #held = HOP;
  #digit = '';
  #hits = 0;
  #span = 0;
  #misses = 0;

  /** Accepts any number of samples of 8 kHz PCM; returns the digits that ended in them. */
  push(pcm: Int16Array): DetectedDigit[] {
    const found: DetectedDigit[] = [];
    for (let at = 0; at < pcm.length;) {
      const count = Math.min(KEPT - this.#held, pcm.length - at);
      for (let i = 0; i < count; i++) this.#buffer[this.#held + i] = pcm[at + i] as number;
      this.#held += count;
      at += count;
      if (this.#held < KEPT) break;
      const idle = this.#digit === '';
      const digit = windowDigit(this.#window);
      // The window between the last one and this: skipped while idle, part of the tone if it contains it too.
      if (idle && digit !== '' && windowDigit(this.#earlier) === digit) this.#step(digit);
      const ended = this.#step(digit);
      if (ended) found.push(ended);
      const step = this.#digit === '' ? WINDOW : HOP;
      this.#buffer.copyWithin(0, step);
      this.#held = KEPT - step;
    }
    return found;
  }

  #step(digit: string): DetectedDigit | undefined {
    if (digit !== '' && digit === this.#digit) {
      this.#hits++;
      this.#span += this.#misses + 1;
      this.#misses = 0;
      return undefined;
    }
    // Until the tone is long enough, any break discards it, because speech matches a window now and then.
    if (this.#digit !== '' && this.#hits >= MIN_HITS && ++this.#misses < MAX_MISSES) return undefined;
    const ended =
      this.#hits >= MIN_HITS
        ? { digit: this.#digit, durationMs: ((this.#span - 1) * HOP + WINDOW) / (SAMPLE_RATE / 1000) }
        : undefined;
    this.#digit = digit;
    this.#hits = digit === '' ? 0 : 1;
    this.#span = this.#hits;
    this.#misses = 0;
    return ended;
  }
}

function power(window: Float64Array, coefficientOf: number): number {
  let s1 = 0,
    s2 = 0;
  for (let i = 0; i < WINDOW; i++) {
    const s0 = (window[i] as number) + coefficientOf * s1 - s2;
    s2 = s1;
    s1 = s0;
  }
  return s1 * s1 + s2 * s2 - coefficientOf * s1 * s2;
}

/** Returns the strongest tone of a group, or −1 if it doesn't lead the others by 8 dB. */
function strongest(window: Float64Array, group: readonly number[]): { at: number; power: number } {
  let at = -1,
    best = 0,
    second = 0;
  for (let i = 0; i < group.length; i++) {
    const value = power(window, group[i] as number);
    if (value > best) {
      second = best;
      best = value;
      at = i;
    } else if (value > second) second = value;
  }
  return best < MIN_LEAD * second ? { at: -1, power: best } : { at, power: best };
}

function windowDigit(window: Float64Array): string {
  let energy = 0;
  for (let i = 0; i < WINDOW; i++) energy += (window[i] as number) ** 2;
  if (energy < MIN_POWER * WINDOW) return '';
  const row = strongest(window, ROWS);
  if (row.at < 0 || row.power < MIN_ROW_SHARE * energy * (WINDOW / 2)) return '';
  const column = strongest(window, COLUMNS);
  if (column.at < 0) return '';
  if (column.power > row.power * MAX_FORWARD_TWIST || row.power > column.power * MAX_REVERSE_TWIST) return '';
  // A sine of energy E has Goertzel power E·N/2.
  if (row.power + column.power < MIN_SHARE * energy * (WINDOW / 2)) return '';
  if (power(window, ROW_HARMONICS[row.at]?.[column.at] as number) > MAX_HARMONIC * row.power) return '';
  if (power(window, COLUMN_HARMONICS[column.at] as number) > MAX_HARMONIC * column.power) return '';
  return KEYPAD[row.at]?.charAt(column.at) ?? '';
}
