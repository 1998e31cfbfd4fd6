export interface Percentiles {
  readonly p50: number;
  readonly p95: number;
  readonly p99: number;
}

/**
 * Returns the nearest-rank percentile: the smallest value that at least `share` (0 to 1) of all values don't exceed. It
 * is always a measured value; nothing is interpolated. With fewer than 100 values, p99 is the largest. Undefined
 * without values.
 * @param sorted ascending
 */
export function percentile(sorted: ArrayLike<number>, share: number): number | undefined {
  if (!(share >= 0 && share <= 1)) throw new RangeError(`A share lies between 0 and 1; this is ${share}.`);
  // 0.95 × 20 is 19.000000000000004 in floating point, and its rank is 19.
  const rank = Math.ceil(share * sorted.length - 1e-9);
  return sorted[Math.max(1, rank) - 1];
}

/**
 * Returns p50, p95 and p99 by nearest rank, in the unit of the values, which can be in any order. Throws an error for
 * values that aren't numbers.
 */
export function percentiles(values: Iterable<number>): Percentiles | undefined {
  const sorted = Float64Array.from(values).sort();
  // NaN is sorted to the end.
  if (Number.isNaN(sorted[sorted.length - 1])) throw new RangeError('There is a value that is no number.');
  const [p50, p95, p99] = [percentile(sorted, 0.5), percentile(sorted, 0.95), percentile(sorted, 0.99)];
  return p50 === undefined || p95 === undefined || p99 === undefined ? undefined : { p50, p95, p99 };
}
