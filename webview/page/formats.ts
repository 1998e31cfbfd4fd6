import { language } from './l10n.ts';

const decimals = new Map<number, Intl.NumberFormat>();
const whole = new Intl.NumberFormat(language);

export const figure = (value: number): string => whole.format(value);

/** With exactly this many digits after the point, or comma. */
export function decimalText(value: number, digits: number): string {
  const known =
    decimals.get(digits) ??
    new Intl.NumberFormat(language, { minimumFractionDigits: digits, maximumFractionDigits: digits });
  decimals.set(digits, known);
  return known.format(value);
}

export const moment = (iso: string): string =>
  new Date(iso).toLocaleString(language, { dateStyle: 'medium', timeStyle: 'short' });

const pair = (value: number): string => String(value).padStart(2, '0');

/** 0:48, 65:12 */
export const clock = (wholeSeconds: number): string => `${Math.floor(wholeSeconds / 60)}:${pair(wholeSeconds % 60)}`;

/** 48 s, 5 min 12 s, 2 h 03 min */
export function durationOf(seconds: number): string {
  const rounded = Math.max(0, Math.round(seconds));
  if (rounded < 60) return `${rounded} s`;
  if (rounded < 3600) return `${Math.floor(rounded / 60)} min ${pair(rounded % 60)} s`;
  return `${Math.floor(rounded / 3600)} h ${pair(Math.floor((rounded % 3600) / 60))} min`;
}
