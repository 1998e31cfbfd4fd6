import { loadCriteriaSchema, type LoadCriteria } from '../../../contract/loadTests.ts';
import { numberText, type Option } from '../../basics/dialogs/askFields.ts';
import type { L10n } from '../../basics/localise.ts';

type CriterionName = keyof LoadCriteria;
interface Criterion {
  readonly label: string;
  readonly detail: string;
  /** Users type a share in percent. */
  readonly unit: '%' | 's' | 'ms' | '';
  /** In the unit. */
  readonly suggested: number;
}

export const criteriaTable = (criteria: LoadCriteria, isTest: boolean, l10n: L10n): readonly Option<LoadCriteria>[] => {
  const figures = figuresOf(l10n);
  return offered(isTest).map((name) => {
    const { label, detail, unit, suggested } = figures[name];
    const figure = unit === '' ? label : `${label}, ${unit}`;
    const limit = isLeast(name)
      ? l10n.t('{0}: lowest allowed value', figure)
      : l10n.t('{0}: highest allowed value', figure);
    const empty =
      name in usualCriteria(isTest) ? l10n.t('Leave empty to use the default.') : l10n.t('Leave empty for no limit.');
    return {
      label,
      detail,
      shown: limitWord(name, figures, criteria) ?? l10n.t('no limit'),
      member: name,
      schema: loadCriteriaSchema.shape[name],
      prompt: `${limit}. ${empty}`,
      percent: unit === '%',
      ...(criteria[name] === undefined && { text: String(suggested) }),
    };
  });
};

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

const isLeast = (name: CriterionName): boolean => name.startsWith('min');

function limitWord(name: CriterionName, figures: Figures, criteria: LoadCriteria): string | undefined {
  const { unit } = figures[name];
  const limit = criteria[name];
  return limit === undefined
    ? undefined
    : `${isLeast(name) ? '≥' : '≤'} ${numberText(limit, unit === '%')}${unit === '' ? '' : ` ${unit}`}`;
}

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
