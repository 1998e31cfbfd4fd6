export interface Passes {
  readonly passed: number;
  readonly of: number;
}

/**
 * `regressed` and `improved` if the runs distinguish the two rates; `same` if both rates are equal or could be;
 * `unclear` if there are so few runs now that even the worst outcome couldn't be distinguished from the baseline.
 */
export type Change = 'regressed' | 'improved' | 'same' | 'unclear';

export interface RateComparison {
  readonly change: Change;
  /** Rate now minus rate before, from −1 to 1. */
  readonly difference: number;
  /** The 95 % confidence interval of the true difference, from −1 to 1. */
  readonly interval: Interval;
}

/**
 * Compares a pass rate with its baseline. The rule: a test has regressed only if the 95 % interval of the difference of
 * the rates is entirely below zero. The interval is built from the Wilson intervals of both rates (the "hybrid score"
 * interval, method 10 of R. G. Newcombe, "Interval estimation for the difference between independent proportions",
 * Statistics in Medicine 17 (1998), 873–890). Waiting until the two intervals no longer overlap would miss many
 * regressions: N. Schenker and J. F. Gentleman, "On judging the significance of differences by examining the overlap
 * between confidence intervals", The American Statistician 55 (2001), 182–186.
 *
 * So 0 of 3 after 3 of 3 is a regression, and so is 0 of 3 after 1 of 1; 0 of 1 after 1 of 1 shows nothing yet
 * (`unclear`, see `runsToTell`), and 18 of 20 after 20 of 20 can be chance (`same`).
 */
export function compareRates(baseline: Passes, now: Passes): RateComparison {
  const interval = differenceInterval(baseline, now);
  const difference = rate(now) - rate(baseline);
  const change =
    interval.high < 0
      ? 'regressed'
      : interval.low > 0
        ? 'improved'
        : difference < 0 && differenceInterval(baseline, { passed: 0, of: now.of }).high >= 0
          ? 'unclear'
          : 'same';
  return { change, difference, interval };
}

/**
 * Returns the smallest number of runs that, if all fail, would differ from the baseline, or undefined if no number
 * would, as after a baseline that almost never passed.
 */
export function runsToTell(baseline: Passes, most = 1000): number | undefined {
  for (let of = 1; of <= most; of += 1) if (differenceInterval(baseline, { passed: 0, of }).high < 0) return of;
  return undefined;
}

const rate = ({ passed, of }: Passes): number => (of === 0 ? 0 : passed / of);

function differenceInterval(baseline: Passes, now: Passes): Interval {
  if (baseline.of === 0 || now.of === 0) return { low: -1, high: 1 };
  const before = wilson(baseline.passed, baseline.of);
  const after = wilson(now.passed, now.of);
  const difference = rate(now) - rate(baseline);
  return {
    low: Math.max(-1, difference - Math.hypot(rate(now) - after.low, before.high - rate(baseline))),
    high: Math.min(1, difference + Math.hypot(after.high - rate(now), rate(baseline) - before.low)),
  };
}

export interface Flakiness {
  /** `flaky`: it both passed and failed under the same conditions. `once`: one run shows nothing about that. */
  readonly state: 'steady pass' | 'steady fail' | 'flaky' | 'once' | 'not run';
  readonly rate: number;
  /** The 95 % confidence interval of the pass rate. */
  readonly interval: Interval;
}

export function flakiness({ passed, of }: Passes): Flakiness {
  const state =
    of === 0 ? 'not run' : of === 1 ? 'once' : passed === of ? 'steady pass' : passed === 0 ? 'steady fail' : 'flaky';
  return {
    state,
    rate: rate({ passed, of }),
    interval: wilson(passed, of),
  };
}

/** A share and its bounds, each from 0 to 1. */
interface Interval {
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
