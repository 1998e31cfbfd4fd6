/**
 * The texts of a page in the editor's display language. The editor puts what it has of them into the page; what is
 * missing there is shown as it stands here.
 */

/** As much of the page as is needed: what is pure of these files also runs where there is none. */
interface PageDocument {
  readonly documentElement: { readonly lang: string };
  getElementById(id: string): { readonly textContent: string | null } | null;
}

const page = (globalThis as { readonly document?: PageDocument }).document;
const texts = JSON.parse(page?.getElementById('l10n')?.textContent ?? '{}') as Readonly<Record<string, string>>;

/** Of the editor, for numbers and moments. */
export const language = Intl.NumberFormat.supportedLocalesOf(page?.documentElement.lang || 'en')[0] ?? 'en';

/** A message in English, with `{0}`, `{1}` … for the values; places without a value stay. */
export function t(message: string, ...values: (string | number)[]): string {
  return (texts[message] ?? message).replaceAll(/\{(\d+)\}/g, (place, index: string) =>
    String(values[Number(index)] ?? place),
  );
}
