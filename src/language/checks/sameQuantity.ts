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
