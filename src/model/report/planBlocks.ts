import { count } from '../../base/count.ts';
import { sentence, type Sentences } from '../../base/sentences.ts';
import type { PlannedCalls } from '../../contract/callPlan.ts';

/** What calls would use at most. */
export type PlanSize = Pick<PlannedCalls, 'calls' | 'secondsAtMost' | 'bounded' | 'cost'>;

/** The facts of a plan, each as sentences. What a plan doesn't have is absent. */
export interface PlanBlocks {
  /** Which number is called, and through what. Absent if nothing serves the number. */
  readonly destination?: Sentences | undefined;
  readonly size: Sentences;
  /** What the calls may press. */
  readonly keys: readonly Sentences[];
  readonly forbidden?: Sentences | undefined;
  /** Why a mission can't pass. */
  readonly unjudged?: Sentences | undefined;
  readonly refusal?: Sentences | undefined;
}

/** How a report writes the figures of a plan. */
interface PlanFigures {
  /** Such as “2 calls”. */
  calls(calls: number): string;
  number(value: number): string;
  money(amount: number, currency: string): string;
}

const englishFigures: PlanFigures = {
  calls: (calls) => count(calls, 'call'),
  number: String,
  money: (amount, currency) => `${cents(amount).toFixed(2)} ${currency}`,
};

export function planBlocks(plan: PlannedCalls, figures: PlanFigures = englishFigures): PlanBlocks {
  const { phoneNumber, route, riskyKeys, forbiddenKeys, allowedLabels = [], pressUnsure, refusal } = plan;
  const allowed = listed(allowedLabels);
  const risky = listed(riskyKeys.map(({ key, label }) => `${key} (${label})`));
  const forbidden = listed(forbiddenKeys.map(({ step }) => step));
  return {
    destination:
      route === undefined
        ? undefined
        : route === 'lab'
          ? sentence`Dialtree calls ${phoneNumber} on this machine.`
          : sentence`Dialtree calls ${phoneNumber} through ${route}.`,
    size: sizeBlock(plan, figures),
    keys: [
      ...(allowed === ''
        ? []
        : [sentence`Dialtree also presses these options, which might not be harmless: ${allowed}.`]),
      ...(pressUnsure ? [sentence`Dialtree also presses options that it doesn't understand.`] : []),
      ...(risky === '' ? [] : [sentence`These keys might pay for, cancel or agree to something: ${risky}.`]),
    ],
    forbidden: forbidden === '' ? undefined : sentence`These steps press forbidden keys: ${forbidden}.`,
    unjudged: unjudgedBlock(plan),
    refusal: refusal && sentence`The service would refuse this request: ${refusal.message}`,
  };
}

/** Returns what calls would use: as much as the service would set aside for them. */
export function sizeBlock({ calls, secondsAtMost, bounded, cost }: PlanSize, figures = englishFigures): Sentences {
  const many = figures.calls(calls);
  const minutes = figures.number(minutesOf(secondsAtMost));
  if (!cost)
    return bounded ? sentence`Up to ${many} and ${minutes} min.` : sentence`Up to ${many}, about ${minutes} min.`;
  const amount = figures.money(cost.amount, cost.currency);
  return bounded
    ? sentence`Up to ${many}, ${minutes} min and ${amount}.`
    : sentence`Up to ${many}, about ${minutes} min and ${amount}.`;
}

/** As much of a criterion as a message can show. */
const shownCharacters = 300;

/** Says that a mission can't pass. Undefined if a rule or a language model can judge all of its criterion. */
export function unjudgedBlock({
  unjudged = [],
}: {
  readonly unjudged?: PlannedCalls['unjudged'] | undefined;
}): Sentences | undefined {
  if (unjudged.length === 0) return undefined;
  const parts = listed(unjudged.map((part) => `“${part.replaceAll(/[“”"]/g, "'")}”`));
  const shown = parts.length > shownCharacters ? `${parts.slice(0, shownCharacters)}…` : parts;
  return sentence`Only a language model can judge ${shown}, and none is set up, so this mission can't pass. Choose a language model, or write checks.`;
}

/** Returns what plans use together. All costs are in one currency. */
export function sumOfPlans(plans: readonly PlanSize[]): PlanSize {
  const sum = (values: readonly number[]): number => values.reduce((total, one) => total + one, 0);
  const costs = plans.flatMap(({ cost }) => cost ?? []);
  const [first] = costs;
  return {
    calls: sum(plans.map(({ calls }) => calls)),
    secondsAtMost: sum(plans.map(({ secondsAtMost }) => secondsAtMost)),
    bounded: plans.every(({ bounded }) => bounded),
    ...(first && { cost: { ...first, amount: sum(costs.map(({ amount }) => amount)) } }),
  };
}

/** Returns the plan of this many launches. */
export const repeatedPlan = <Plan extends PlanSize>(plan: Plan, times: number): Plan => ({
  ...plan,
  ...sumOfPlans(Array.from({ length: times }, () => plan)),
});

/** Rounds up to a tenth of a minute, so that less is never shown. */
export const minutesOf = (seconds: number): number => Math.ceil(Math.round(seconds * 1e6) / 6e6) / 10;

/** Rounds a cost up to cents, so that it is never shown too low. */
export const cents = (amount: number): number => Math.ceil(Math.round(amount * 1e6) / 1e4) / 100;

const listed = (texts: readonly string[]): string => texts.join(', ');
