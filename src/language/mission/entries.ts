import type { MenuInput } from '../../contract/menu.ts';
import { readFacts } from './missionFacts.ts';

/**
 * Returns whether a text gives these digits for what a prompt asks: a whole number without its spaces and hyphens, a
 * date in any order of its parts, or the requested part of a number. A number that names something, such as an account,
 * isn't an amount.
 */
export function digitsGiven(text: string): (digits: string, prompt: string) => boolean {
  const runs = [...text.matchAll(/\d(?:[ -]?\d)*/g)].map(([run]) => run.replaceAll(/\D/g, ''));
  const { entries } = readFacts(text);
  const dates = entries.flatMap(({ date }) => (date ? ordersOf(date) : []));
  const names = new Set(entries.filter(({ type }) => type !== 'amount').map((entry) => entry.digits));
  return (digits, prompt) => {
    const isCounted = counts.test(prompt);
    const asksForPart = parts.test(prompt);
    const fitting = isCounted ? runs.filter((run) => !names.has(run)) : runs;
    return (
      fitting.some((run) => run === digits || isCents(digits, run) || (asksForPart && isPart(digits, run))) ||
      (!isCounted && dates.includes(digits))
    );
  };
}

const counts = /\b(?:how (?:much|many)|amount|quantity|sum|number of (?!the |your |this |digits))/i;
const parts = /\b(?:first|last|final|ending|ends?)\b/i;
const isPart = (digits: string, run: string): boolean => run.startsWith(digits) || run.endsWith(digits);
const isCents = (digits: string, run: string): boolean => digits === `${run}00`;

function ordersOf({
  year,
  month,
  day,
}: {
  readonly year: number;
  readonly month: number;
  readonly day: number;
}): string[] {
  const two = (value: number): string => String(value).padStart(2, '0').slice(-2);
  const [d, m] = [two(day), two(month)];
  return [String(year), two(year)].flatMap((y) => [
    m + d + y,
    d + m + y,
    y + m + d,
    m + d,
    d + m,
    y,
    m + y,
    y + m,
    d,
    m,
  ]);
}

/** Returns true if keys are one requested entry: no more digits than requested, and up to one terminator. */
export function isEntry(keys: string, { digits, terminator }: MenuInput): boolean {
  const entry = /^(\d+)([#*]?)$/.exec(keys);
  if (!entry) return false;
  const [, entered = '', end = ''] = entry;
  return (digits === null || entered.length <= digits) && (end === '' || end === (terminator ?? '#'));
}
