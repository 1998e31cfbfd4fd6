import type { Sentences } from '../../base/sentences.ts';

/** The part of `vscode.l10n` that runtime text needs: a message in English, with `{0}`, `{1}` … for the values. */
export interface L10n {
  t(message: string, ...values: (string | number | boolean)[]): string;
}

/** Returns sentences in the language of the editor. */
export const shownSentences = ({ parts }: Pick<Sentences, 'parts'>, l10n: L10n): string =>
  parts.map(([template = '', ...values]) => l10n.t(template, ...values)).join(' ');
