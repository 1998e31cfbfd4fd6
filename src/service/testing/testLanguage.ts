import { HumanError } from '../../contract/errors.ts';
import { isSpokenLanguage, otherLanguage } from '../../contract/testConfigs.ts';
import type { TestConfig } from '../../contract/testConfigs.ts';

/** Also checks tests that were stored when any language was accepted. @throws HumanError 400 `invalid_request` */
export function assertSupportedLanguage({
  language,
  steps,
}: {
  readonly language?: string | undefined;
  readonly steps: TestConfig['steps'];
}): void {
  const path =
    language !== undefined && !isSpokenLanguage(language)
      ? 'language'
      : steps.flatMap((step, index) =>
          step.language !== undefined && !isSpokenLanguage(step.language) ? [`steps.${String(index)}.language`] : [],
        )[0];
  if (path !== undefined)
    throw new HumanError(`${path}: ${otherLanguage} No call was placed.`, {
      status: 400,
      code: 'invalid_request',
      details: [{ path, message: otherLanguage }],
    });
}
