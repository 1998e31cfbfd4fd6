import { dialTargetSchema } from '../../contract/common.ts';
import type { Question } from './dialogs/dialogs.ts';
import type { L10n } from './localise.ts';

/** Accepts numbers with the usual spaces, brackets and hyphens. */
export function typedTargetOf(text: string): string {
  const trimmed = text.trim();
  return trimmed.startsWith('+') ? trimmed.replaceAll(/[\s().-]/g, '') : trimmed;
}

/** A question for a target, without a title. Read the answer with `typedTargetOf`. */
export const targetQuestion = (l10n: L10n): Omit<Question, 'title'> & Required<Pick<Question, 'check'>> => ({
  prompt: l10n.t('A number in international form, or a SIP address'),
  placeHolder: '+12025550101',
  check: (text) =>
    dialTargetSchema.safeParse(typedTargetOf(text)).success
      ? undefined
      : l10n.t(
          'Enter a number with + and the country code, such as +12025550101, or a SIP address, such as sip:practice@127.0.0.1:5070.',
        ),
});
