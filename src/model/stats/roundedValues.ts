interface Percentiles {
  readonly p50: number;
  readonly p95: number;
  readonly p99: number;
}

export const roundTo = (value: number, digits: number): number => Math.round(value * 10 ** digits) / 10 ** digits;

/**
 * Values rounded to a number of decimals; more would suggest precision that isn't there. Its size depends on how many
 * different values there are, not on how many were added, so it stays small during a test of many hours.
 *
 * Percentiles are nearest ranks: the smallest value that at least this share of all values don't exceed. Each is a
 * measured value; nothing is interpolated. With fewer than 100 values, p99 is the largest.
 */
export class RoundedValues {
  readonly #counts = new Map<number, number>();
  readonly #digits: number;
  #size = 0;

  constructor(digits: number) {
    this.#digits = digits;
  }

  get size(): number {
    return this.#size;
  }

  /** Throws an error for a value that isn't a number. */
  add(value: number): void {
    if (Number.isNaN(value)) throw new RangeError('This value is not a number.');
    const rounded = roundTo(value, this.#digits);
    this.#counts.set(rounded, (this.#counts.get(rounded) ?? 0) + 1);
    this.#size += 1;
  }

  /**
   * Returns a percentile for each share, or undefined without values.
   * @param shares 0 to 1
   */
  ranked<Shares extends readonly number[]>(shares: Shares): { readonly [At in keyof Shares]: number } | undefined {
    if (this.#size === 0) return undefined;
    const sorted = [...this.#counts].sort(([one], [other]) => one - other);
    const valueAt = (share: number): number => {
      if (!(share >= 0 && share <= 1)) throw new RangeError(`A share is between 0 and 1, not ${String(share)}.`);
      // 0.95 × 20 is 19.000000000000004 in floating point, and its rank is 19.
      let left = Math.max(1, Math.ceil(share * this.#size - 1e-9));
      return sorted.find(([, count]) => (left -= count) <= 0)?.[0] ?? NaN;
    };
    return shares.map(valueAt) as { [At in keyof Shares]: number };
  }

  /** Returns undefined without values. */
  percentiles(): Percentiles | undefined {
    const ranked = this.ranked([0.5, 0.95, 0.99] as const);
    return ranked && { p50: ranked[0], p95: ranked[1], p99: ranked[2] };
  }
}
