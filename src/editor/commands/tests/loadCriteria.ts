import { loadCriteriaSchema, type LoadCriteria } from '../../../contract/loadTests.ts';
import type { Basics } from '../../basics/createBasics.ts';
import type { L10n } from '../../basics/localise.ts';
import { readNumber } from './readNumber.ts';

type CriterionName = keyof LoadCriteria;
interface Criterion {
  readonly label: string;
  readonly detail: string;
  /** Users type a share in percent. */
  readonly unit: '%' | 's' | 'ms' | '';
  /** In the unit. */
  readonly suggested: number;
}

interface CriteriaParts extends Pick<Basics, 'dialogs' | 'l10n'> {
  readonly title: string;
  readonly isTest: boolean;
}

/** Asks for limits until the user goes back. Cancelling keeps the limits so far. */
export async function askCriteria(parts: CriteriaParts, before: LoadCriteria): Promise<LoadCriteria> {
  const { dialogs, l10n, title, isTest } = parts;
  const figures = figuresOf(l10n);
  let criteria = { ...usualCriteria(isTest), ...before };
  for (;;) {
    const chosen = await dialogs.pick<CriterionName | 'done'>(
      [
        { label: `$(arrow-left) ${l10n.t('Back to the options')}`, value: 'done' },
        ...offered(isTest).map((name) => ({
          label: figures[name].label,
          description: limitWord(name, figures, criteria) ?? l10n.t('no limit'),
          detail: figures[name].detail,
          value: name,
        })),
      ],
      { title, placeHolder: l10n.t('Which figure do you want to limit?'), ignoreFocusOut: true },
    );
    if (chosen === undefined || chosen === 'done') return criteria;
    const limit = await askLimit(parts, chosen, figures[chosen], criteria[chosen]);
    const { [chosen]: _limit, ...others } = criteria;
    if (limit === 'none') criteria = { ...usualCriteria(isTest), ...others };
    else if (limit !== undefined) criteria = { ...criteria, [chosen]: limit };
  }
}

/** Returns the limits in words, or undefined if there are none. */
export function criteriaText(criteria: LoadCriteria, isTest: boolean, l10n: L10n): string | undefined {
  const figures = figuresOf(l10n);
  const limits = offered(isTest).flatMap((name) => {
    const limit = limitWord(name, figures, criteria);
    return limit === undefined ? [] : [`${figures[name].label} ${limit}`];
  });
  return limits.length === 0 ? undefined : limits.join(', ');
}

/** The service requires that all calls pass their test, unless a criterion says otherwise. */
export const usualCriteria = (isTest: boolean): LoadCriteria => (isTest ? { minPassed: 1 } : {});

type Figures = Readonly<Record<CriterionName, Criterion>>;

const offered = (isTest: boolean): CriterionName[] =>
  loadCriteriaSchema.keyof().options.filter((name) => isTest || !testFigures.has(name));
const testFigures: ReadonlySet<CriterionName> = new Set(['minPassed', 'maxResponseP95Seconds']);

/** Returns undefined if the user cancels. */
async function askLimit(
  { dialogs, l10n, title, isTest }: CriteriaParts,
  name: CriterionName,
  { label, unit, suggested }: Criterion,
  now: number | undefined,
): Promise<number | 'none' | undefined> {
  const schema = loadCriteriaSchema.shape[name].unwrap();
  const min = shown(schema.minValue ?? -Infinity, unit);
  const max = shown(schema.maxValue ?? Infinity, unit);
  const isRequired = name in usualCriteria(isTest);
  const limit = isLeast(name)
    ? l10n.t('{0}: lowest allowed value', withUnit(label, unit))
    : l10n.t('{0}: highest allowed value', withUnit(label, unit));
  const typed = await dialogs.ask({
    title,
    prompt: `${limit}. ${isRequired ? l10n.t('Leave empty to use the default.') : l10n.t('Leave empty for no limit.')}`,
    value: String(now === undefined ? suggested : shown(now, unit)),
    check: (text) =>
      text.trim() === '' || schema.safeParse(stored(readNumber(text), unit)).success
        ? undefined
        : l10n.t('Enter a number from {0} to {1}.', min, max),
  });
  if (typed === undefined) return undefined;
  return typed.trim() === '' ? 'none' : stored(readNumber(typed), unit);
}

const isLeast = (name: CriterionName): boolean => name.startsWith('min');

const withUnit = (label: string, unit: Criterion['unit']): string => (unit === '' ? label : `${label}, ${unit}`);

function limitWord(name: CriterionName, figures: Figures, criteria: LoadCriteria): string | undefined {
  const { unit } = figures[name];
  const limit = criteria[name];
  return limit === undefined
    ? undefined
    : `${isLeast(name) ? '≥' : '≤'} ${String(shown(limit, unit))}${unit === '' ? '' : ` ${unit}`}`;
}

/** Rounded, because 0.07 · 100 isn't 7. */
const shown = (limit: number, unit: Criterion['unit']): number =>
  unit === '%' ? Number((limit * 100).toFixed(6)) : limit;
const stored = (typed: number, unit: Criterion['unit']): number =>
  unit === '%' ? Number((typed / 100).toFixed(8)) : typed;

/**
 * The suggestions are usual for telephony: a post-dial delay of 6 s (ITU-T E.721, local connections), and a MOS with
 * which users are satisfied (ITU-T G.107, annex B).
 */
const figuresOf = (l10n: L10n): Figures => ({
  minPassed: {
    label: l10n.t('Passed calls'),
    detail: l10n.t('Calls that passed the test, divided by calls whose test ended'),
    unit: '%',
    suggested: 99,
  },
  minSetupSuccess: {
    label: l10n.t('Set-up success'),
    detail: l10n.t('Answered calls divided by placed calls'),
    unit: '%',
    suggested: 99,
  },
  maxPostDialP95Seconds: {
    label: l10n.t('Post-dial delay, p95'),
    detail: l10n.t('From the INVITE to the first ringing'),
    unit: 's',
    suggested: 6,
  },
  maxAnswerP95Seconds: {
    label: l10n.t('Answer time, p95'),
    detail: l10n.t('From the INVITE to the answer'),
    unit: 's',
    suggested: 6,
  },
  maxPromptP95Seconds: {
    label: l10n.t('Prompt time, p95'),
    detail: l10n.t('From the answer to the first audible sound'),
    unit: 's',
    suggested: 2,
  },
  maxResponseP95Seconds: {
    label: l10n.t('Response time, p95'),
    detail: l10n.t("From the end of the caller's action to the prompt, at the slowest step"),
    unit: 's',
    suggested: 3,
  },
  maxLoss: {
    label: l10n.t('Packet loss'),
    detail: l10n.t('Lost and late packets, divided by the packets expected'),
    unit: '%',
    suggested: 1,
  },
  maxJitterP95Ms: {
    label: l10n.t('Jitter, p95'),
    detail: l10n.t('Measured at the end of each call'),
    unit: 'ms',
    suggested: 30,
  },
  minMos: {
    label: l10n.t('Estimated MOS'),
    detail: l10n.t('Exceeded by 19 of 20 calls'),
    unit: '',
    suggested: 4,
  },
});
