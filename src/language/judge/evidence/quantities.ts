import { spokenWords } from '../../../model/heardWords.ts';
import type { HeardWord } from '../../../model/heardWords.ts';

export type QuantityKind = 'money' | 'duration' | 'clock' | 'day' | 'weight' | 'percent' | 'number';

/** A figure of a text with its unit. `money` in hundredths, `duration` in seconds, `clock` in minutes after midnight, `weight` in grams. */
export interface Quantity {
  readonly kind: QuantityKind;
  readonly value: number;
  /** Currency of money (`$`), and what a day is: `weekday`, `date` (month × 100 + day), `relative`. */
  readonly unit: string;
  readonly from: number;
  readonly to: number;
  /** A clock time without a.m. or p.m. may mean either. */
  readonly half?: true;
}

const table = (rows: Readonly<Record<string, string>>): ReadonlyMap<string, string> =>
  new Map(
    Object.entries(rows).flatMap(([value, words]) => words.split(' ').map((word): [string, string] => [word, value])),
  );
const currencies = table({
  $: 'dollar dollars usd buck bucks',
  '€': 'euro euros eur',
  '£': 'pound pounds gbp quid',
  c: 'cent cents pence',
});
const seconds = table({
  1: 'second seconds sec secs',
  60: 'minute minutes min mins',
  3600: 'hour hours',
  86400: 'day days',
  604800: 'week weeks',
  2592000: 'month months',
  31536000: 'year years',
});
const grams = table({
  1: 'gram grams g',
  1000: 'kilo kilos kilogram kilograms kg',
  453.6: 'pound pounds lb lbs',
  1e6: 'tonne tonnes ton tons',
});
const weekdays = table({
  1: 'monday mondays',
  2: 'tuesday tuesdays',
  3: 'wednesday wednesdays',
  4: 'thursday thursdays',
  5: 'friday fridays',
  6: 'saturday saturdays',
  7: 'sunday sundays',
});
const months = table({
  1: 'january jan',
  2: 'february feb',
  3: 'march',
  4: 'april',
  5: 'may',
  6: 'june',
  7: 'july',
  8: 'august',
  9: 'september sept',
  10: 'october oct',
  11: 'november nov',
  12: 'december dec',
});
const relative = new Set(['today', 'tomorrow', 'tonight', 'yesterday']);
const clockBefore = new Set(['at', 'from', 'between', 'until', 'till', 'by', 'after', 'before', 'around', 'past']);

const isNumber = (word: HeardWord | undefined): boolean => word !== undefined && /^\d+(?:\.\d+)?$/.test(word.text);

/** "three point five" is one figure. */
const withDecimals = (words: readonly HeardWord[]): HeardWord[] =>
  words.reduce<HeardWord[]>((all, word, index) => {
    const whole = all.at(-2);
    if (whole && all.at(-1)?.text === 'point' && /^\d+$/.test(whole.text) && /^\d+$/.test(words[index]?.text ?? ''))
      all.splice(-2, 2, { text: `${whole.text}.${word.text}`, from: whole.from, to: word.to });
    else all.push(word);
    return all;
  }, []);

/** All figures of a text with units, in figures or in words, in order; numbers without a unit too. Linear in its length. */
export function quantitiesIn(text: string): Quantity[] {
  const words = withDecimals(spokenWords(text));
  const found: Quantity[] = [];
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at];
    if (!word) continue;
    const read = wordQuantity(words, at) ?? (isNumber(word) ? figure(text, words, at) : undefined);
    if (!read) continue;
    const last = words[read.next - 1] ?? word;
    for (const one of read.all) found.push({ ...one, from: word.from, to: last.to });
    at = read.next - 1;
  }
  return found;
}

type Bare = Omit<Quantity, 'from' | 'to'>;
interface Read {
  readonly all: readonly Bare[];
  readonly next: number;
}
const one = (kind: QuantityKind, value: number, unit: string, next: number, half?: true): Read => ({
  all: [{ kind, value, unit, ...(half && { half }) }],
  next,
});

/** What has no figure: weekdays, tomorrow, noon, an hour, "May 10". */
function wordQuantity(words: readonly HeardWord[], at: number): Read | undefined {
  const text = words[at]?.text ?? '',
    next = words[at + 1];
  const weekday = weekdays.get(text);
  if (weekday) return one('day', Number(weekday), 'weekday', at + 1);
  if (relative.has(text)) return one('day', 0, text, at + 1);
  if (text === 'noon' || text === 'midday') return one('clock', 720, '', at + 1);
  if (text === 'midnight') return one('clock', 1440, '', at + 1);
  const month = months.get(text);
  if (month && next && isNumber(next) && Number(next.text) <= 31)
    return one('day', Number(month) * 100 + Number(next.text), 'date', at + 2);
  const past =
    /^(?:half|quarter)$/.test(text) && /^(?:past|to)$/.test(next?.text ?? '') && isNumber(words[at + 2])
      ? Number(words[at + 2]?.text)
      : undefined;
  if (past !== undefined && past <= 12)
    return one('clock', past * 60 + (text === 'half' ? 30 : next?.text === 'to' ? -15 : 15), '', at + 3, true);
  const unit = seconds.get(next?.text ?? '');
  if ((text === 'a' || text === 'an') && unit && /^(?:minute|hour|day|week|month|year)$/.test(next?.text ?? ''))
    return one('duration', Number(unit), '', at + 2);
  if (text === 'half' && /^an?$/.test(next?.text ?? '') && words[at + 2]?.text === 'hour')
    return one('duration', 1800, '', at + 3);
  return undefined;
}

/** A figure, by what stands around it. */
function figure(text: string, words: readonly HeardWord[], at: number): Read {
  const word = words[at] as HeardWord;
  const raw = text.slice(word.from, word.to).replace(/,(?=\d{3})/g, '');
  const value = /^\d+\.\d+$/.test(raw) ? Number(raw) : Number(word.text);
  const next = words[at + 1]?.text ?? '',
    second = words[at + 2]?.text ?? '';
  const sign = /[$€£]\s?$/.exec(text.slice(Math.max(0, word.from - 2), word.from))?.[0].trim();
  if (sign) return one('money', Math.round(value * 100), sign, at + 1);
  const clock = /^(\d{1,2})[:.](\d{2})$/.exec(raw);
  const meridiem = /^(?:am|pm)$/.test(next)
    ? { half: next, next: at + 2 }
    : /^[ap]$/.test(next) && second === 'm'
      ? { half: `${next}m`, next: at + 3 }
      : next === 'oclock'
        ? { half: '', next: at + 2 }
        : undefined;
  if (next === 'past' && isNumber(words[at + 2]) && value < 60 && Number(words[at + 2]?.text) <= 12)
    return one('clock', Number(words[at + 2]?.text) * 60 + value, '', at + 3, true);
  // "five to ten minutes": the unit stands behind the second.
  if (/^(?:to|and|or)$/.test(next) && isNumber(words[at + 2])) {
    const unit = words[at + 3]?.text ?? '',
      span = seconds.get(unit),
      currency = currencies.get(unit);
    if (span) return one('duration', value * Number(span), '', at + 1);
    if (currency && currency !== 'c') return one('money', Math.round(value * 100), currency, at + 1);
  }
  const minutes = clockMinutes(word.text);
  if (minutes !== undefined && meridiem)
    return one(
      'clock',
      meridiem.half === '' ? minutes : (minutes % 720) + (meridiem.half === 'pm' ? 720 : 0),
      '',
      meridiem.next,
      meridiem.half === '' ? true : undefined,
    );
  if (clock && raw.includes(':') && minutes !== undefined)
    return one('clock', minutes, '', at + 1, minutes < 720 && !raw.startsWith('0') ? true : undefined);
  const currency = currencies.get(next);
  if (currency === 'c') return one('money', value, '$', at + 2);
  if (currency) return money(words, at, value, currency, grams.get(next));
  const length = seconds.get(next);
  if (length) return one('duration', value * Number(length), '', at + 2);
  const weight = grams.get(next);
  if (weight) return one('weight', value * Number(weight), '', at + 2);
  if (next === 'percent' || (next === 'per' && second === 'cent') || text.slice(word.to, word.to + 1) === '%')
    return one('percent', value, '', at + (next === 'per' ? 3 : next === 'percent' ? 2 : 1));
  const dayOf = months.get(next === 'of' ? second : next);
  if (dayOf && value >= 1 && value <= 31)
    return one('day', Number(dayOf) * 100 + value, 'date', at + (next === 'of' ? 3 : 2));
  if (
    /(?:st|nd|rd|th|first|second|third)$/i.test(raw) &&
    value >= 1 &&
    value <= 31 &&
    words[at - 1]?.text === 'the' &&
    !/^(?:option|menu|time|floor|street|avenue|line|call|person|party|one)s?$/.test(next)
  )
    return one('day', value, 'ordinal', at + 1);
  if (minutes !== undefined && isPartOfRange(words, at)) return one('clock', minutes, '', at + 1, true);
  return one('number', value, '', at + 1);
}

/** "forty dollars and fifty cents"; pounds are money or a weight. */
function money(
  words: readonly HeardWord[],
  at: number,
  value: number,
  currency: string,
  weight: string | undefined,
): Read {
  const rest = words[at + 2]?.text === 'and' ? at + 3 : at + 2;
  const cents =
    isNumber(words[rest]) && currencies.get(words[rest + 1]?.text ?? '') === 'c'
      ? Number(words[rest]?.text)
      : undefined;
  const amount: Bare = { kind: 'money', value: Math.round(value * 100) + (cents ?? 0), unit: currency };
  return {
    all:
      weight === undefined || cents !== undefined
        ? [amount]
        : [amount, { kind: 'weight', value: value * Number(weight), unit: '' }],
    next: cents === undefined ? at + 2 : rest + 2,
  };
}

/** "755" is 7:55, "9" is 9:00. */
function clockMinutes(digits: string): number | undefined {
  if (digits.length > 4 || digits.includes('.')) return undefined;
  const hour = Number(digits.length > 2 ? digits.slice(0, -2) : digits),
    minute = digits.length > 2 ? Number(digits.slice(-2)) : 0;
  return hour <= 24 && minute < 60 ? hour * 60 + minute : undefined;
}

/** "between nine and twelve", "from 9 to 5": two hours around a joining word, the first after a preposition. */
function isPartOfRange(words: readonly HeardWord[], at: number): boolean {
  const text = (index: number): string => words[index]?.text ?? '';
  const joins = (index: number): boolean => /^(?:and|to|until|till)$/.test(text(index));
  const opens =
    clockBefore.has(text(at - 1)) &&
    joins(at + 1) &&
    (isNumber(words[at + 2]) || /^(?:noon|midday|midnight)$/.test(text(at + 2)));
  const closes = joins(at - 1) && clockBefore.has(text(at - 3)) && isNumber(words[at - 2]);
  const plain =
    !seconds.has(text(at + 2)) &&
    !seconds.has(text(at + 3)) &&
    !currencies.has(text(at + 3)) &&
    !grams.has(text(at + 3));
  return plain && (opens || closes);
}

/** The same within the roughness of how it may be written: days by name, times in either half of the day where none is told. */
export function isSame(a: Quantity, b: Quantity): boolean {
  if (a.kind !== b.kind) return false;
  if (a.kind === 'day') return a.unit === b.unit && a.value === b.value;
  if (a.kind === 'clock' && (a.half || b.half)) return a.value % 720 === b.value % 720;
  return (
    Math.abs(a.value - b.value) < Math.max(1e-6, a.kind === 'weight' ? a.value * 0.001 : 0) &&
    (a.kind !== 'money' || a.unit === b.unit)
  );
}

/** Whether two figures can be held against each other: a weekday says nothing against a date, euros nothing against dollars. */
export const isComparable = (a: Quantity, b: Quantity): boolean =>
  a.kind === b.kind && ((a.kind !== 'day' && a.kind !== 'money') || a.unit === b.unit);

const digitsOf = (value: number): string => String(Math.round(value));

/** Whether recognition may have taken the one for the other: thirteen and thirty, one digit of the same place, or a figure of which words were lost at its front. */
export function isMishearing(a: number, b: number): boolean {
  const [one, two] = [digitsOf(a), digitsOf(b)];
  const teens = (low: number, high: number): boolean => low > 12 && low < 20 && high === (low % 10) * 10;
  if (teens(a, b) || teens(b, a) || teens(a / 100, b / 100) || teens(b / 100, a / 100)) return true;
  return (
    one.length === two.length && one.length > 1 && [...one].filter((digit, index) => digit !== two[index]).length === 1
  );
}
