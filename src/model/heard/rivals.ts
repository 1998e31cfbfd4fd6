import { clearMonthNames, weekdayNames } from '../numbers/calendarNames.ts';

/** Mutually exclusive words: if one was expected and another heard, the meaning is different. */
const kinds: Readonly<Record<string, string>> = {
  weekday: weekdayNames.join(' '),
  month: clearMonthNames.join(' '),
  meridiem: 'am pm',
  currency: 'dollar cent euro pounds pence yen',
  key: 'star pound',
  state: 'open closed',
  answer: 'accepted declined rejected denied approved',
  switch: 'enabled disabled',
  order: 'before after',
  card: 'credit debit',
  account: 'checking savings',
  tongue: 'english spanish french german',
  side: 'left right',
  compass: 'north south east west',
  outcome: 'successful failed',
  day: 'today tomorrow yesterday',
  time: 'morning afternoon evening',
};

const kindOf = new Map<string, string>(
  Object.entries(kinds).flatMap(([kind, words]) => words.split(' ').map((word): [string, string] => [word, kind])),
);

export const rivalKind = (word: string): string | undefined => kindOf.get(word);

const negations = new Set(['not', 'no', 'never', 'neither', 'nor', 'without', 'none', 'nothing', 'cannot']);
export const negates = (word: string): boolean => negations.has(word);

const inStems = /^(?:valid|correct|active|complete|accurate|eligible|sufficient|operative|convenient)/;
const disStems = /^(?:connect|able|continu|satisfied|approv|allow|agree)/;

export const mayOppose = (word: string): boolean => word.length > 5 && /^(?:un|in|dis)/.test(word);

/** Returns true if one word is the other with a negating prefix: available, unavailable. */
export function areOpposites(a: string, b: string): boolean {
  if (!mayOppose(a) && !mayOppose(b)) return false;
  const [long, short] = a.length > b.length ? [a, b] : [b, a];
  if (!long.endsWith(short) || short.length < 4) return false;
  const prefix = long.slice(0, long.length - short.length);
  return (
    (prefix === 'un' && short !== 'less') ||
    (prefix === 'in' && inStems.test(short)) ||
    (prefix === 'dis' && disStems.test(short))
  );
}
