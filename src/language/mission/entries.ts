import type { MenuInput } from '../../contract/menu.ts';
import { readFacts } from './missionFacts.ts';

/** The digits that a text gives, without the spaces and hyphens between them; of dates, in any order of their parts. */
export function digitsGiven(text: string): (digits: string) => boolean {
  const runs = [...text.matchAll(/\d(?:[ -]?\d)*/g)].map(([run]) => run.replaceAll(/\D/g, ''));
  const dates = readFacts(text).entries.flatMap(({ date }) => (date ? ordersOf(date) : []));
  return (digits) => runs.some((run) => run.includes(digits) || isCents(digits, run)) || dates.includes(digits);
}

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

/** Whether keys are one entry that was asked for: no more digits than were asked for, and a terminator at most. */
export function isEntry(keys: string, { digits, terminator }: MenuInput): boolean {
  const entry = /^(\d+)([#*]?)$/.exec(keys);
  if (!entry) return false;
  const [, entered = '', end = ''] = entry;
  return (digits === null || entered.length <= digits) && (end === '' || end === (terminator ?? '#'));
}
