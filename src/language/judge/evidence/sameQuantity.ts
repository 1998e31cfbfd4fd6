import type { Quantity } from './quantities.ts';

/**
 * The same within the roughness of how it may be written: days by name, times in either half of the day where none is
 * told.
 */
export function isSame(a: Quantity, b: Quantity): boolean {
  if (a.kind !== b.kind) return false;
  if (a.kind === 'day') return a.unit === b.unit && a.value === b.value;
  if (a.kind === 'clock' && (a.half || b.half)) return a.value % 720 === b.value % 720;
  return (
    Math.abs(a.value - b.value) < Math.max(1e-6, a.kind === 'weight' ? a.value * 0.001 : 0) &&
    (a.kind !== 'money' || a.unit === b.unit)
  );
}

/**
 * Whether two figures can be held against each other: a weekday says nothing against a date, euros nothing against
 * dollars.
 */
export const isComparable = (a: Quantity, b: Quantity): boolean =>
  a.kind === b.kind && ((a.kind !== 'day' && a.kind !== 'money') || a.unit === b.unit);

const digitsOf = (value: number): string => String(Math.round(value));

/**
 * Whether recognition may have taken the one for the other: thirteen and thirty, one digit of the same place, or a
 * figure of which words were lost at its front.
 */
export function isMishearing(a: number, b: number): boolean {
  const [one, two] = [digitsOf(a), digitsOf(b)];
  const teens = (low: number, high: number): boolean => low > 12 && low < 20 && high === (low % 10) * 10;
  if (teens(a, b) || teens(b, a) || teens(a / 100, b / 100) || teens(b / 100, a / 100)) return true;
  return (
    one.length === two.length && one.length > 1 && [...one].filter((digit, index) => digit !== two[index]).length === 1
  );
}
