import { spokenWords, type HeardWord } from '../../model/heard/heardWords.ts';
import { monthNames, weekdayNames } from '../../model/numbers/calendarNames.ts';

export type QuantityKind = 'money' | 'duration' | 'clock' | 'day' | 'weight' | 'percent' | 'number';

/** A figure: `money` in hundredths, `duration` in seconds, `clock` in minutes after midnight, `weight` in grams. */
export interface Quantity {
  readonly kind: QuantityKind;
  readonly value: number;
  /** The currency of money (`$`), and the kind of a day: `weekday`, `date` (month × 100 + day), `relative`. */
  readonly unit: string;
  readonly from: number;
  readonly to: number;
  /** A clock time without a.m. or p.m. can mean either. */
  readonly half?: true | undefined;
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
const weekdays = new Map(
  weekdayNames.flatMap((name, index) => [name, `${name}s`].map((word): [string, string] => [word, String(index + 1)])),
);
const shortMonths = table({ 1: 'jan', 2: 'feb', 9: 'sept', 10: 'oct', 11: 'nov', 12: 'dec' });
const months: ReadonlyMap<string, string> = new Map([
  ...monthNames.map((name, index): [string, string] => [name, String(index + 1)]),
  ...shortMonths,
]);
const relative = new Set(['today', 'tomorrow', 'tonight', 'yesterday']);
const clockBefore = new Set(['at', 'from', 'between', 'until', 'till', 'by', 'after', 'before', 'around', 'past']);

const namedTimes = table({ 720: 'noon midday', 1440: 'midnight' });
/** Minutes before or after a full hour. */
const partsOfHour: Readonly<Record<string, number>> = {
  'half past': 30,
  'half to': 30,
  'quarter past': 15,
  'quarter to': -15,
};
/** The number of words in a percentage, by the word after its figure. */
const percentWidths = table({ 2: 'percent', 3: 'per' });

/** Some words, and the position to read. */
interface QuantityPlace {
  readonly words: readonly HeardWord[];
  readonly at: number;
}
const textAt = (words: readonly HeardWord[], index: number): string => words[index]?.text ?? '';
const numberAt = (words: readonly HeardWord[], index: number): number | undefined => {
  const text = textAt(words, index);
  return /^\d+(?:\.\d+)?$/.test(text) ? Number(text) : undefined;
};

/** "three point five" is one figure. */
const withDecimals = (words: readonly HeardWord[]): HeardWord[] =>
  words.reduce<HeardWord[]>((all, word, index) => {
    const whole = all.at(-2);
    if (whole && all.at(-1)?.text === 'point' && /^\d+$/.test(whole.text) && /^\d+$/.test(words[index]?.text ?? ''))
      all.splice(-2, 2, { text: `${whole.text}.${word.text}`, from: whole.from, to: word.to });
    else all.push(word);
    return all;
  }, []);

/** Returns all figures of a text in order, in digits or words, with their unit if any. Linear in its length. */
export function quantitiesIn(text: string): Quantity[] {
  const words = withDecimals(spokenWords(text));
  const found: Quantity[] = [];
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at];
    if (!word) continue;
    const read =
      wordQuantity({ words, at }) ??
      (numberAt(words, at) === undefined ? undefined : readFigure(figureAt(text, words, at)));
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
  all: [{ kind, value, unit, half }],
  next,
});

/** Quantities without a figure, or not at their beginning: weekdays, tomorrow, "half past 9", an hour, "May 10". */
function wordQuantity(place: QuantityPlace): Read | undefined {
  const { words, at } = place;
  const text = textAt(words, at);
  const weekday = weekdays.get(text);
  if (weekday) return one('day', Number(weekday), 'weekday', at + 1);
  if (relative.has(text)) return one('day', 0, text, at + 1);
  const time = namedTimes.get(text);
  if (time) return one('clock', Number(time), '', at + 1);
  return monthFirst(place) ?? partOfHour(place) ?? oneUnit(place);
}

/** "May 10" */
function monthFirst({ words, at }: QuantityPlace): Read | undefined {
  const month = months.get(textAt(words, at)),
    day = numberAt(words, at + 1);
  return month && day !== undefined && day <= 31 ? one('day', Number(month) * 100 + day, 'date', at + 2) : undefined;
}

/** "half past nine", "quarter to ten" */
function partOfHour({ words, at }: QuantityPlace): Read | undefined {
  const minutes = partsOfHour[`${textAt(words, at)} ${textAt(words, at + 1)}`],
    hour = numberAt(words, at + 2);
  return minutes !== undefined && hour !== undefined && hour <= 12
    ? one('clock', hour * 60 + minutes, '', at + 3, true)
    : undefined;
}

/** "an hour", "half an hour" */
function oneUnit({ words, at }: QuantityPlace): Read | undefined {
  const [text, next] = [textAt(words, at), textAt(words, at + 1)];
  if (/^an?$/.test(text) && /^(?:minute|hour|day|week|month|year)$/.test(next))
    return one('duration', Number(seconds.get(next)), '', at + 2);
  return text === 'half' && /^an?$/.test(next) && textAt(words, at + 2) === 'hour'
    ? one('duration', 1800, '', at + 3)
    : undefined;
}

interface Figure extends QuantityPlace {
  /** As written, without commas. */
  readonly raw: string;
  readonly value: number;
  /** The digits as a time of day, in minutes after midnight. */
  readonly minutes: number | undefined;
  /** `$`, `€` or `£` directly before it. */
  readonly sign: string | undefined;
  /** `%` directly after it. */
  readonly percent: boolean;
  readonly next: string;
  readonly second: string;
}

function figureAt(text: string, words: readonly HeardWord[], at: number): Figure {
  const word = words[at] as HeardWord;
  const raw = text.slice(word.from, word.to).replace(/,(?=\d{3})/g, '');
  return {
    words,
    at,
    raw,
    value: Number(/^\d+\.\d+$/.test(raw) ? raw : word.text),
    minutes: clockMinutes(word.text),
    sign: /[$€£]\s?$/.exec(text.slice(Math.max(0, word.from - 2), word.from))?.[0].trim(),
    percent: text[word.to] === '%',
    next: textAt(words, at + 1),
    second: textAt(words, at + 2),
  };
}

/** What a figure may be, by what stands around it; the first reading that fits counts. */
const readings: readonly ((figure: Figure) => Read | undefined)[] = [
  ({ sign, value, at }) => (sign ? one('money', Math.round(value * 100), sign, at + 1) : undefined),
  minutesPast,
  lowerOfTwo,
  timeInHalf,
  timeWithColon,
  money,
  measure,
  percentage,
  dayFirst,
  ordinalDay,
  timeInRange,
];

function readFigure(figure: Figure): Read {
  for (const reading of readings) {
    const read = reading(figure);
    if (read) return read;
  }
  return one('number', figure.value, '', figure.at + 1);
}

/** "ten past nine" */
function minutesPast({ words, at, value, next }: Figure): Read | undefined {
  const hour = numberAt(words, at + 2);
  return next === 'past' && hour !== undefined && hour <= 12 && value < 60
    ? one('clock', hour * 60 + value, '', at + 3, true)
    : undefined;
}

/** "five to ten minutes": the unit follows the second figure. */
function lowerOfTwo({ words, at, value, next }: Figure): Read | undefined {
  if (!/^(?:to|and|or)$/.test(next) || numberAt(words, at + 2) === undefined) return undefined;
  const unit = textAt(words, at + 3);
  const span = seconds.get(unit),
    currency = currencies.get(unit);
  if (span) return one('duration', value * Number(span), '', at + 1);
  return currency && currency !== 'c' ? one('money', Math.round(value * 100), currency, at + 1) : undefined;
}

/** "9 am", "nine p m", "nine o'clock" */
function timeInHalf({ at, minutes, next, second }: Figure): Read | undefined {
  if (minutes === undefined) return undefined;
  if (next === 'oclock') return one('clock', minutes, '', at + 2, true);
  const spaced = /^[ap]$/.test(next) && second === 'm';
  if (!spaced && !/^[ap]m$/.test(next)) return undefined;
  return one('clock', (minutes % 720) + (next.startsWith('p') ? 720 : 0), '', at + (spaced ? 3 : 2));
}

/** "9:30" can be in either half of the day; "09:30" and "19:30" can't. */
function timeWithColon({ at, raw, minutes }: Figure): Read | undefined {
  if (minutes === undefined || !/^\d{1,2}:\d{2}$/.test(raw)) return undefined;
  return one('clock', minutes, '', at + 1, minutes < 720 && !raw.startsWith('0') ? true : undefined);
}

/** "forty dollars and fifty cents"; pounds are money or a weight. */
function money({ words, at, value, next }: Figure): Read | undefined {
  const currency = currencies.get(next);
  if (!currency) return undefined;
  if (currency === 'c') return one('money', value, '$', at + 2);
  const rest = textAt(words, at + 2) === 'and' ? at + 3 : at + 2;
  const cents = currencies.get(textAt(words, rest + 1)) === 'c' ? numberAt(words, rest) : undefined;
  const amount: Bare = { kind: 'money', value: Math.round(value * 100) + (cents ?? 0), unit: currency };
  if (cents !== undefined) return { all: [amount], next: rest + 2 };
  const weight = grams.get(next);
  return {
    all: weight === undefined ? [amount] : [amount, { kind: 'weight', value: value * Number(weight), unit: '' }],
    next: at + 2,
  };
}

/** "5 minutes", "5 kilos" */
function measure({ at, value, next }: Figure): Read | undefined {
  const length = seconds.get(next),
    weight = grams.get(next);
  if (length) return one('duration', value * Number(length), '', at + 2);
  return weight ? one('weight', value * Number(weight), '', at + 2) : undefined;
}

/** "5 percent", "5 per cent", "5%" */
function percentage({ at, value, percent, next, second }: Figure): Read | undefined {
  if (!percent && next !== 'percent' && !(next === 'per' && second === 'cent')) return undefined;
  return one('percent', value, '', at + Number(percentWidths.get(next) ?? 1));
}

/** "10 May", "the tenth of May" */
function dayFirst({ at, value, next, second }: Figure): Read | undefined {
  const joined = next === 'of';
  const month = months.get(joined ? second : next);
  return month && isDayOfMonth(value)
    ? one('day', Number(month) * 100 + value, 'date', at + (joined ? 3 : 2))
    : undefined;
}

/** "the 3rd", unless it is an option, floor or person. */
function ordinalDay({ words, at, raw, value, next }: Figure): Read | undefined {
  const isDay =
    isDayOfMonth(value) &&
    /(?:st|nd|rd|th|first|second|third)$/i.test(raw) &&
    textAt(words, at - 1) === 'the' &&
    !/^(?:option|menu|time|floor|street|avenue|line|call|person|party|one)s?$/.test(next);
  return isDay ? one('day', value, 'ordinal', at + 1) : undefined;
}

const isDayOfMonth = (value: number): boolean => value >= 1 && value <= 31;

/** "755" is 7:55, "9" is 9:00. */
function clockMinutes(digits: string): number | undefined {
  if (digits.length > 4 || digits.includes('.')) return undefined;
  const hour = Number(digits.length > 2 ? digits.slice(0, -2) : digits),
    minute = digits.length > 2 ? Number(digits.slice(-2)) : 0;
  return hour <= 24 && minute < 60 ? hour * 60 + minute : undefined;
}

/** "between nine and twelve", "from 9 to 5": two hours around a joining word, the first after a preposition. */
function timeInRange({ words, at, minutes }: Figure): Read | undefined {
  const text = (index: number): string => textAt(words, index);
  const joins = (index: number): boolean => /^(?:and|to|until|till)$/.test(text(index));
  const isTime = (index: number): boolean => namedTimes.has(text(index)) || numberAt(words, index) !== undefined;
  const opens = clockBefore.has(text(at - 1)) && joins(at + 1) && isTime(at + 2);
  const closes = joins(at - 1) && clockBefore.has(text(at - 3)) && numberAt(words, at - 2) !== undefined;
  const isOfAnother =
    seconds.has(text(at + 2)) || [seconds, currencies, grams].some((units) => units.has(text(at + 3)));
  return minutes !== undefined && !isOfAnother && (opens || closes)
    ? one('clock', minutes, '', at + 1, true)
    : undefined;
}
