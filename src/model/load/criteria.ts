import type { LoadCriteria, LoadStats, LoadVerdict } from '../../contract/loadTests.ts';
import { testedCalls } from '../stats/testedCalls.ts';

export type CriterionName = keyof LoadCriteria;
type Unit = 'share' | 'seconds' | 'milliseconds' | 'MOS';
interface Criterion {
  readonly what: string;
  readonly unit: Unit;
  readonly bound: 'least' | 'most';
  readonly valueOf: (stats: LoadStats) => number | undefined;
  /** Why the value can be missing. */
  readonly without: string;
}

const criteria: Readonly<Record<CriterionName, Criterion>> = {
  minPassed: {
    what: 'Share of passed calls',
    unit: 'share',
    bound: 'least',
    valueOf: ({ tested }) => (tested && testedCalls(tested) > 0 ? tested.passed / testedCalls(tested) : undefined),
    without: 'no call finished its test',
  },
  minSetupSuccess: {
    what: 'Set-up success',
    unit: 'share',
    bound: 'least',
    valueOf: ({ setupSuccess }) => setupSuccess,
    without: 'no call was placed',
  },
  maxPostDialP95Seconds: {
    what: 'Post-dial delay (p95)',
    unit: 'seconds',
    bound: 'most',
    valueOf: ({ postDialSeconds }) => postDialSeconds?.p95,
    without: 'no call rang before it was answered',
  },
  maxAnswerP95Seconds: {
    what: 'Time to answer (p95)',
    unit: 'seconds',
    bound: 'most',
    valueOf: ({ answerSeconds }) => answerSeconds?.p95,
    without: 'no call was answered',
  },
  maxPromptP95Seconds: {
    what: 'Time from the answer to the prompt (p95)',
    unit: 'seconds',
    bound: 'most',
    valueOf: ({ promptSeconds, callsAnswered, callsWithoutPrompt = 0 }) =>
      callsWithoutPrompt > callsAnswered * 0.05 ? undefined : promptSeconds?.p95,
    without: 'more than 5 % of the answered calls heard nothing',
  },
  maxResponseP95Seconds: {
    what: 'Response time of the slowest step (p95)',
    unit: 'seconds',
    bound: 'most',
    valueOf: ({ tested }) => highest(tested?.steps.map(({ responseSeconds }) => responseSeconds?.p95) ?? []),
    without: 'no step of a test heard a prompt',
  },
  maxLoss: {
    what: 'Loss',
    unit: 'share',
    bound: 'most',
    valueOf: ({ audio }) => audio?.lossShare,
    without: 'no audio arrived',
  },
  maxJitterP95Ms: {
    what: 'Jitter (p95)',
    unit: 'milliseconds',
    bound: 'most',
    valueOf: ({ audio }) => audio?.jitterMs.p95,
    without: 'no audio arrived',
  },
  minMos: {
    what: 'Estimated MOS in 19 of 20 calls',
    unit: 'MOS',
    bound: 'least',
    valueOf: ({ estimatedMos }) => estimatedMos?.p5,
    without: 'no audio arrived',
  },
};
const names = Object.keys(criteria) as CriterionName[];

function highest(values: readonly (number | undefined)[]): number | undefined {
  const known = values.filter((value) => value !== undefined);
  return known.length === 0 ? undefined : Math.max(...known);
}

export type JudgedCriterion = LoadVerdict['criteria'][number];

/** Returns each wanted criterion with its figure, in a fixed order. */
export const measureCriteria = (stats: LoadStats, wanted: LoadCriteria): JudgedCriterion[] =>
  names.flatMap((name) => {
    const limit = wanted[name];
    return limit === undefined ? [] : [measured(name, limit, stats)];
  });

/**
 * Returns why a broken criterion doesn't show that the called side is to blame, or a met one that it isn't: calls whose
 * test has no result.
 */
export function doubtAbout(
  { name, met, limit }: JudgedCriterion,
  { tested }: LoadStats,
  replaces: boolean,
): string | undefined {
  if (name !== 'minPassed' || !tested) return undefined;
  const { passed, inconclusive, errors, unfinished } = tested;
  const ended = testedCalls(tested);
  if (!met)
    return (passed + inconclusive + errors) / ended >= limit
      ? `But ${counted(inconclusive + errors)} had no result that shows a fault of the called side.`
      : undefined;
  // A replacement can begin shortly before the end.
  return !replaces && passed / (ended + unfinished) < limit
    ? `But ${counted(unfinished)} were still running at the end. Use a longer hold.`
    : undefined;
}

/** Returns why a load test can't pass, whatever its figures: the called side held no call. */
export function whyNotHeld({ callsPlaced, callsAnswered, callsEndedEarly = 0, tested }: LoadStats): string | undefined {
  if (callsAnswered === 0) return callsPlaced > 0 ? 'No call was answered.' : undefined;
  // A test can expect the called side to hang up.
  return tested === undefined && callsEndedEarly === callsAnswered
    ? 'Every call ended before Dialtree hung up. If the called side ends its calls by itself, use a shorter call time.'
    : undefined;
}

export const counted = (calls: number): string => `${String(calls)} call${calls === 1 ? '' : 's'}`;

/** `Set-up success ≥ 99 %` */
export const limitText = (name: CriterionName, limit: number): string =>
  `${criteria[name].what} ${sign(criteria[name])} ${figure(limit, criteria[name].unit)}`;

function measured(name: CriterionName, limit: number, stats: LoadStats): JudgedCriterion {
  const { what, unit, bound, valueOf, without } = criteria[name];
  const value = stats.callsPlaced > 0 ? valueOf(stats) : undefined;
  const required = `Required: ${sign({ bound })} ${figure(limit, unit)}.`;
  if (value === undefined)
    return {
      name,
      limit,
      met: false,
      text: `${what} wasn't measured, because ${stats.callsPlaced > 0 ? without : 'no call was placed'}. ${required}`,
    };
  const met = bound === 'least' ? value >= limit : value <= limit;
  return { name, limit, value, met, text: `${what} is ${figure(value, unit, limit)}. ${required}` };
}

const sign = ({ bound }: Pick<Criterion, 'bound'>): string => (bound === 'least' ? '≥' : '≤');

const units: Readonly<Record<Unit, readonly [scale: number, suffix: string, digits: number]>> = {
  share: [100, ' %', 1],
  seconds: [1, ' s', 2],
  milliseconds: [1, ' ms', 1],
  MOS: [1, '', 2],
};
const maxDigits = 8;

/**
 * Formats a measured value with enough digits to distinguish it from `limit`: 98.99 % isn't shown as 99 %. A limit is
 * shown as it was written.
 */
function figure(value: number, unit: Unit, limit?: number): string {
  const [scale, suffix, usual] = units[unit];
  let digits = limit === undefined || value === limit ? maxDigits : usual;
  while (
    digits < maxDigits &&
    limit !== undefined &&
    Number((value * scale).toFixed(digits)) === Number((limit * scale).toFixed(digits))
  )
    digits += 1;
  return `${String(Number((value * scale).toFixed(digits)))}${suffix}`;
}
