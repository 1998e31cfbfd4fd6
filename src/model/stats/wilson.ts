/** A share and its bounds, each from 0 to 1. */
export interface Interval {
  readonly low: number;
  readonly high: number;
}

/** Two-sided 95 %: the quantile 0.975 of the normal distribution. */
const z95 = 1.959963984540054;

/**
 * Returns the Wilson score interval of a share that was seen `passed` times of `of`. Unlike the textbook interval, it
 * is valid for a handful of runs, and for none and all of them: 3 of 3 gives 0.44 to 1, not 1 to 1. No runs give 0 to
 * 1.
 *
 * E. B. Wilson, "Probable inference, the law of succession, and statistical inference", JASA 22 (1927), 209–212;
 * recommended for small n by Brown, Cai and DasGupta, "Interval estimation for a binomial proportion", Statistical
 * Science 16 (2001), 101–133.
 */
export function wilson(passed: number, of: number, z = z95): Interval {
  if (!Number.isInteger(passed) || !Number.isInteger(of) || passed < 0 || of < passed)
    throw new RangeError(`${passed} of ${of} is no share of runs.`);
  if (of === 0) return { low: 0, high: 1 };
  const share = passed / of;
  const spread = 1 + z ** 2 / of;
  const centre = (share + z ** 2 / (2 * of)) / spread;
  const half = (z / spread) * Math.sqrt((share * (1 - share)) / of + z ** 2 / (4 * of ** 2));
  // Includes the exact ends, despite rounding.
  return { low: passed === 0 ? 0 : Math.max(0, centre - half), high: passed === of ? 1 : Math.min(1, centre + half) };
}
