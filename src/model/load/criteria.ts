import { join, sentence, type Sentences } from '../../base/sentences.ts';
import type { LoadCriteria, LoadStats, LoadVerdict } from '../../contract/loadTests.ts';
import { testedCalls } from '../stats/testedCalls.ts';

export type CriterionName = keyof LoadCriteria;
type Unit = 'share' | 'seconds' | 'milliseconds' | 'MOS';
interface Criterion {
  readonly what: string;
  readonly unit: Unit;
  readonly bound: 'least' | 'most';
  readonly valueOf: (stats: LoadStats) => number | undefined;
  readonly is: (figure: string) => Sentences;
  readonly isMissing: Sentences;
}

const criteria: Readonly<Record<CriterionName, Criterion>> = {
  minPassed: {
    what: 'Share of passed calls',
    is: (value) => sentence`The share of passed calls is ${value}.`,
    isMissing: sentence`The share of passed calls wasn't measured, because no call finished its test.`,
    unit: 'share',
    bound: 'least',
    valueOf: ({ tested }) => (tested && testedCalls(tested) > 0 ? tested.passed / testedCalls(tested) : undefined),
  },
  minSetupSuccess: {
    what: 'Set-up success',
    is: (value) => sentence`Set-up success is ${value}.`,
    isMissing: sentence`Set-up success wasn't measured, because no call was placed.`,
    unit: 'share',
    bound: 'least',
    valueOf: ({ setupSuccess }) => setupSuccess,
  },
  maxPostDialP95Seconds: {
    what: 'Post-dial delay (p95)',
    is: (value) => sentence`Post-dial delay (p95) is ${value}.`,
    isMissing: sentence`Post-dial delay (p95) wasn't measured, because no call rang before it was answered.`,
    unit: 'seconds',
    bound: 'most',
    valueOf: ({ postDialSeconds }) => postDialSeconds?.p95,
  },
  maxAnswerP95Seconds: {
    what: 'Time to answer (p95)',
    is: (value) => sentence`Time to answer (p95) is ${value}.`,
    isMissing: sentence`Time to answer (p95) wasn't measured, because no call was answered.`,
    unit: 'seconds',
    bound: 'most',
    valueOf: ({ answerSeconds }) => answerSeconds?.p95,
  },
  maxPromptP95Seconds: {
    what: 'Time from the answer to the prompt (p95)',
    is: (value) => sentence`Time from the answer to the prompt (p95) is ${value}.`,
    isMissing: sentence`Time from the answer to the prompt (p95) wasn't measured, because more than 5 % of the answered calls heard nothing.`,
    unit: 'seconds',
    bound: 'most',
    valueOf: ({ promptSeconds, callsAnswered, callsWithoutPrompt = 0 }) =>
      callsWithoutPrompt > callsAnswered * 0.05 ? undefined : promptSeconds?.p95,
  },
  maxResponseP95Seconds: {
    what: 'Response time of the slowest step (p95)',
    is: (value) => sentence`Response time of the slowest step (p95) is ${value}.`,
    isMissing: sentence`Response time of the slowest step (p95) wasn't measured, because no step of a test heard a prompt.`,
    unit: 'seconds',
    bound: 'most',
    valueOf: ({ tested }) => highest(tested?.steps.map(({ responseSeconds }) => responseSeconds?.p95) ?? []),
  },
  maxLoss: {
    what: 'Loss',
    is: (value) => sentence`Loss is ${value}.`,
    isMissing: sentence`Loss wasn't measured, because no audio arrived.`,
    unit: 'share',
    bound: 'most',
    valueOf: ({ audio }) => audio?.lossShare,
  },
  maxJitterP95Ms: {
    what: 'Jitter (p95)',
    is: (value) => sentence`Jitter (p95) is ${value}.`,
    isMissing: sentence`Jitter (p95) wasn't measured, because no audio arrived.`,
    unit: 'milliseconds',
    bound: 'most',
    valueOf: ({ audio }) => audio?.jitterMs.p95,
  },
  minMos: {
    what: 'Estimated MOS in 19 of 20 calls',
    is: (value) => sentence`Estimated MOS in 19 of 20 calls is ${value}.`,
    isMissing: sentence`Estimated MOS in 19 of 20 calls wasn't measured, because no audio arrived.`,
    unit: 'MOS',
    bound: 'least',
    valueOf: ({ estimatedMos }) => estimatedMos?.p5,
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
): Sentences | undefined {
  if (name !== 'minPassed' || !tested) return undefined;
  const { passed, inconclusive, errors, unfinished } = tested;
  const ended = testedCalls(tested);
  const open = inconclusive + errors;
  if (!met) {
    if (ended === 0 || (passed + open) / ended < limit) return undefined;
    return open === 1
      ? sentence`But 1 call had no result that shows a fault of the called side.`
      : sentence`But ${open} calls had no result that shows a fault of the called side.`;
  }
  // A replacement can begin shortly before the end.
  if (replaces || passed / (ended + unfinished) >= limit) return undefined;
  return unfinished === 1
    ? sentence`But 1 call was still running at the end. Use a longer hold.`
    : sentence`But ${unfinished} calls were still running at the end. Use a longer hold.`;
}

/** Returns why a load test can't pass, whatever its figures: the called side held no call. */
export function whyNotHeld({
  callsPlaced,
  callsAnswered,
  callsEndedEarly = 0,
  tested,
}: LoadStats): Sentences | undefined {
  if (callsAnswered === 0) return callsPlaced > 0 ? sentence`No call was answered.` : undefined;
  // A test can expect the called side to hang up.
  return tested === undefined && callsEndedEarly === callsAnswered
    ? sentence`Every call ended before Dialtree hung up. If the called side ends its calls by itself, use a shorter call time.`
    : undefined;
}

/** `Set-up success ≥ 99 %` */
export const limitText = (name: CriterionName, limit: number): string =>
  `${criteria[name].what} ${sign(criteria[name])} ${figure(limit, criteria[name].unit)}`;

function measured(name: CriterionName, limit: number, stats: LoadStats): JudgedCriterion {
  const { unit, bound, valueOf, is, isMissing } = criteria[name];
  const value = stats.callsPlaced > 0 ? valueOf(stats) : undefined;
  const met = value !== undefined && (bound === 'least' ? value >= limit : value <= limit);
  const required =
    bound === 'least' ? sentence`Required: ≥ ${figure(limit, unit)}.` : sentence`Required: ≤ ${figure(limit, unit)}.`;
  const text = join(value === undefined ? isMissing : is(figure(value, unit, limit)), required);
  return { name, limit, ...(value !== undefined && { value }), met, text: String(text), textParts: text.parts };
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
