// The texts of a page in the editor's display language. The editor puts the translations into the page; a text that is
// missing there is shown in English.
import * as l10n from '@vscode/l10n';

/** As much of the page as this needs: the parts of a page without the DOM also run where there is no page. */
interface PageDocument {
  readonly documentElement: { readonly lang: string };
  getElementById(id: string): { readonly textContent: string | null } | null;
}

const page = (globalThis as { readonly document?: PageDocument }).document;
l10n.config({ contents: page?.getElementById('l10n')?.textContent ?? '{}' });

/** The display language, for numbers and times. */
export const language = Intl.NumberFormat.supportedLocalesOf(page?.documentElement.lang || 'en')[0] ?? 'en';

/** The text of an English message, with `{0}`, `{1}` … for the values. A placeholder without a value stays. */
export const t: (message: string, ...values: (string | number)[]) => string = l10n.t;
