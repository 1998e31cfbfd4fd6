import type { LoadStats, LoadTest } from '../../contract/loadTests.ts';
import { testedCalls } from '../../model/stats/testedCalls.ts';
import { decimal } from '../command.ts';

type Unit = 'share' | 'seconds' | 'milliseconds' | 'MOS';
type Ended = Pick<LoadTest, 'stats' | 'replace'>;
interface Criterion {
  readonly what: string;
  readonly unit: Unit;
  readonly bound: 'least' | 'most';
  readonly range: readonly [low: number, high: number];
  readonly valueOf: (stats: LoadStats, test: Ended) => number | undefined;
  /** Why the value can be missing. */
  readonly without: string;
}

/** The criteria of a load test, by option name. */
export const loadCriteria = {
  'min-passed': {
    what: 'Passed calls',
    unit: 'share',
    bound: 'least',
    range: [0, 1],
    valueOf: ({ tested }) => (tested && testedCalls(tested) > 0 ? tested.passed / testedCalls(tested) : undefined),
    without: 'no call finished its test',
  },
  'min-setup-success': {
    what: 'Set-up success',
    unit: 'share',
    bound: 'least',
    range: [0, 1],
    without: 'no call was placed',
    // Each call had its whole hold time to be answered, except calls that replaced others. Calls that weren't answered
    // by then failed.
    valueOf: ({ setupSuccess, callsAnswered, callsPlaced }, { replace }) =>
      replace === true ? setupSuccess : callsAnswered / callsPlaced,
  },
  'max-post-dial-p95': {
    what: 'Post-dial delay (p95)',
    unit: 'seconds',
    bound: 'most',
    range: [0, 600],
    valueOf: ({ postDialSeconds }) => postDialSeconds?.p95,
    without: 'no call rang before it was answered',
  },
  'max-answer-p95': {
    what: 'Time to answer (p95)',
    unit: 'seconds',
    bound: 'most',
    range: [0, 600],
    valueOf: ({ answerSeconds }) => answerSeconds?.p95,
    without: 'no call was answered',
  },
  'max-prompt-p95': {
    what: 'Time from the answer to the prompt (p95)',
    unit: 'seconds',
    bound: 'most',
    range: [0, 600],
    valueOf: ({ promptSeconds }) => promptSeconds?.p95,
    without: 'nothing was heard',
  },
  'max-loss': {
    what: 'Loss',
    unit: 'share',
    bound: 'most',
    range: [0, 1],
    valueOf: ({ audio }) => audio?.lossShare,
    without: 'no audio arrived',
  },
  'max-jitter-p95': {
    what: 'Jitter (p95)',
    unit: 'milliseconds',
    bound: 'most',
    range: [0, 10_000],
    valueOf: ({ audio }) => audio?.jitterMs.p95,
    without: 'no audio arrived',
  },
  'min-mos': {
    what: 'Estimated MOS in 19 of 20 calls',
    unit: 'MOS',
    bound: 'least',
    range: [1, 4.5],
    valueOf: ({ estimatedMos }) => estimatedMos?.p5,
    without: 'no audio arrived',
  },
} as const satisfies Readonly<Record<string, Criterion>>;
export type CriterionName = keyof typeof loadCriteria;
const criterionNames = Object.keys(loadCriteria) as CriterionName[];

export type LoadLimits = Readonly<Partial<Record<CriterionName, number>>>;
/** The options of the criteria, for `readArguments`. */
export const criterionOptions = Object.fromEntries(criterionNames.map((name) => [name, { type: 'string' }])) as {
  readonly [Name in CriterionName]: { readonly type: 'string' };
};

export function readLimits(values: Readonly<Partial<Record<CriterionName, string>>>): LoadLimits {
  return Object.fromEntries(
    criterionNames.flatMap((name) => {
      const [low, high] = loadCriteria[name].range;
      const limit = decimal(values[name], name, low, high);
      return limit === undefined ? [] : [[name, limit]];
    }),
  );
}

export interface LoadVerdict {
  readonly criterion: CriterionName;
  readonly limit: number;
  /** Absent if it wasn't measured. The criterion isn't met then. */
  readonly value?: number;
  readonly met: boolean;
  /** One sentence. */
  readonly text: string;
}

export const judgeLoad = (test: Ended, limits: LoadLimits): LoadVerdict[] =>
  criterionNames.flatMap((criterion) => {
    const limit = limits[criterion];
    return limit === undefined ? [] : [verdictOf(criterion, limit, test)];
  });

/** `Set-up success ≥ 99 %` */
export const limitText = (criterion: CriterionName, limit: number): string =>
  `${loadCriteria[criterion].what} ${sign(loadCriteria[criterion])} ${figure(limit, loadCriteria[criterion].unit)}`;

function verdictOf(criterion: CriterionName, limit: number, test: Ended): LoadVerdict {
  const { stats } = test;
  const asked: Criterion = loadCriteria[criterion];
  const { what, unit, bound, valueOf, without } = asked;
  const value = stats && stats.callsPlaced > 0 ? valueOf(stats, test) : undefined;
  if (value === undefined)
    return {
      criterion,
      limit,
      met: false,
      text: `${what} wasn't measured, because ${stats && stats.callsPlaced > 0 ? without : 'no call was placed'}. Required: ${sign(asked)} ${figure(limit, unit)}.`,
    };
  const met = bound === 'least' ? value >= limit : value <= limit;
  return {
    criterion,
    limit,
    value,
    met,
    text: `${what} is ${figure(value, unit, limit)}. Required: ${sign(asked)} ${figure(limit, unit)}.`,
  };
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
