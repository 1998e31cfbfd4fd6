import type { Quantity } from './quantities.ts';

/**
 * Returns true if two quantities are the same, allowing for ways of writing them: days by name, and times in either
 * half of the day if none is given.
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

/** Returns true if two figures can be compared. A weekday says nothing against a date, nor euros against dollars. */
export const isComparable = (a: Quantity, b: Quantity): boolean =>
  a.kind === b.kind && ((a.kind !== 'day' && a.kind !== 'money') || a.unit === b.unit);

const digitsOf = (value: number): string => String(Math.round(value));

/**
 * Returns true if recognition can confuse the two: thirteen and thirty, one digit of the same position, or a figure
 * whose first words were lost.
 */
export function isMishearing(a: number, b: number): boolean {
  const [one, two] = [digitsOf(a), digitsOf(b)];
  const teens = (low: number, high: number): boolean => low > 12 && low < 20 && high === (low % 10) * 10;
  if (teens(a, b) || teens(b, a) || teens(a / 100, b / 100) || teens(b / 100, a / 100)) return true;
  return (
    one.length === two.length && one.length > 1 && [...one].filter((digit, index) => digit !== two[index]).length === 1
  );
}
