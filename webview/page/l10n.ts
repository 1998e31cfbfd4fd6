// A page's texts in the editor's display language. The editor puts the translations into the page. Text without a
// translation is shown in English.
import * as l10n from '@vscode/l10n';
import type { Sentences } from '../../src/base/sentences.ts';

/** The part of the page that this needs, because some code without the DOM also runs without a page. */
interface PageDocument {
  readonly documentElement: { readonly lang: string };
  getElementById(id: string): { readonly textContent: string | null } | null;
}

const page = (globalThis as { readonly document?: PageDocument }).document;
l10n.config({ contents: page?.getElementById('l10n')?.textContent ?? '{}' });

/** The display language, for numbers and times. */
export const language = Intl.NumberFormat.supportedLocalesOf(page?.documentElement.lang || 'en')[0] ?? 'en';

/** Returns the text for an English message, with `{0}`, `{1}` … for the values. A placeholder without a value stays. */
export const t: (message: string, ...values: (string | number)[]) => string = l10n.t;

/** Returns sentences in the display language. */
export const sentencesText = ({ parts }: Pick<Sentences, 'parts'>): string =>
  parts.map(([template = '', ...values]) => t(template, ...values)).join(' ');
