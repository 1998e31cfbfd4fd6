import { language } from './l10n.ts';

/** Numbers and moments as the person at the screen writes them. */

const decimals = new Map<number, Intl.NumberFormat>();
const whole = new Intl.NumberFormat(language);

export const figure = (value: number): string => whole.format(value);

/** With just so many digits after the point, or comma. */
export function decimal(value: number, digits: number): string {
  const known =
    decimals.get(digits) ??
    new Intl.NumberFormat(language, { minimumFractionDigits: digits, maximumFractionDigits: digits });
  decimals.set(digits, known);
  return known.format(value);
}

/** Day and time of an ISO moment. */
export const moment = (iso: string): string =>
  new Date(iso).toLocaleString(language, { dateStyle: 'medium', timeStyle: 'short' });
