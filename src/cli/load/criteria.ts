import { loadCriteriaSchema, type LoadCriteria } from '../../contract/loadTests.ts';
import type { CriterionName } from '../../model/load/criteria.ts';
import { decimal } from '../command.ts';

/** The option of each criterion. */
const optionOf = {
  minPassed: 'min-passed',
  minSetupSuccess: 'min-setup-success',
  maxPostDialP95Seconds: 'max-post-dial-p95',
  maxAnswerP95Seconds: 'max-answer-p95',
  maxPromptP95Seconds: 'max-prompt-p95',
  maxResponseP95Seconds: 'max-response-p95',
  maxLoss: 'max-loss',
  maxJitterP95Ms: 'max-jitter-p95',
  minMos: 'min-mos',
} as const satisfies Readonly<Record<CriterionName, string>>;
type CriterionOption = (typeof optionOf)[CriterionName];

/** The options of the criteria, for `readArguments`. */
export const criterionOptions = Object.fromEntries(
  Object.values(optionOf).map((option) => [option, { type: 'string' }]),
) as { readonly [Option in CriterionOption]: { readonly type: 'string' } };

export function readCriteria(values: Readonly<Partial<Record<CriterionOption, string>>>): LoadCriteria {
  return Object.fromEntries(
    loadCriteriaSchema.keyof().options.flatMap((name) => {
      const option = optionOf[name];
      const { minValue, maxValue } = loadCriteriaSchema.shape[name].unwrap();
      const limit = decimal(values[option], option, minValue ?? 0, maxValue ?? Infinity);
      return limit === undefined ? [] : [[name, limit]];
    }),
  );
}
