import { wordTable } from '../../base/wordTable.ts';
import { monthNames, weekdayNames } from '../numbers/calendarNames.ts';
import { digitsWeight, spokenTokens, wordToken, type SpokenToken } from './spokenTokens.ts';

/** Words that are written shorter than they are said. */
const abbreviated = wordTable<string>({
  mr: 'mister',
  mrs: 'missus',
  dr: 'doctor',
  ext: 'extension',
  apt: 'apartment',
  appt: 'appointment',
  acct: 'account',
  dept: 'department',
  ave: 'avenue',
  blvd: 'boulevard',
  rd: 'road',
  approx: 'approximately',
  inc: 'incorporated',
  corp: 'corporation',
  ltd: 'limited',
  tel: 'telephone',
  vs: 'versus',
  usd: 'dollar',
  eur: 'euro',
  gbp: 'pounds',
  yrs: 'years',
  sept: 'september',
  tues: 'tuesday',
  thur: 'thursday',
  thurs: 'thursday',
  ...Object.fromEntries([...monthNames, ...weekdayNames].map((name) => [name.slice(0, 3), name])),
});
/** Abbreviations that are words too. They count beside a number or another date. */
const alsoWords = new Set(['mar', 'sat', 'sun', 'wed']);
const dates: ReadonlySet<string> = new Set([...monthNames, ...weekdayNames]);
/** Abbreviations after a number, as one and as several. */
const units = wordTable<readonly [string, string]>({
  min: ['minute', 'minutes'],
  mins: ['minute', 'minutes'],
  hr: ['hour', 'hours'],
  hrs: ['hour', 'hours'],
  h: ['hour', 'hours'],
  sec: ['seconds', 'seconds'],
  secs: ['seconds', 'seconds'],
  s: ['seconds', 'seconds'],
  kg: ['kilogram', 'kilograms'],
  kilo: ['kilogram', 'kilograms'],
  kilos: ['kilograms', 'kilograms'],
  g: ['gram', 'grams'],
  lb: ['pounds', 'pounds'],
  lbs: ['pounds', 'pounds'],
  oz: ['ounce', 'ounces'],
  km: ['kilometer', 'kilometers'],
  kilometre: ['kilometer', 'kilometers'],
  kilometres: ['kilometers', 'kilometers'],
  ft: ['foot', 'feet'],
  foot: ['foot', 'feet'],
  cm: ['centimeter', 'centimeters'],
  mm: ['millimeter', 'millimeters'],
  ml: ['milliliter', 'milliliters'],
  mi: ['mile', 'miles'],
  gb: ['gigabyte', 'gigabytes'],
  mb: ['megabyte', 'megabytes'],
  tb: ['terabyte', 'terabytes'],
  mph: ['miles per hour', 'miles per hour'],
  p: ['pence', 'pence'],
  x: ['times', 'times'],
});
const currencies: ReadonlySet<string> = new Set(['dollar', 'pounds', 'euro', 'yen']);
const parts: ReadonlySet<string> = new Set(['cent', 'pence']);
const scales = wordTable<number>({ k: 3, thousand: 3, million: 6, billion: 9 });
const counted: ReadonlySet<string> = new Set(['dollar', 'euro', 'minute', 'hour', 'day', 'week', 'month', 'year']);

/** Replaces the next `take` tokens by words and numbers. */
interface Rewrite {
  readonly take: number;
  readonly give: readonly string[];
}
/** Tokens from a position, and what became of those before it. */
class Ahead {
  readonly #done: readonly SpokenToken[];
  readonly #tokens: readonly SpokenToken[];
  readonly #at: number;

  constructor(done: readonly SpokenToken[], tokens: readonly SpokenToken[], at: number) {
    this.#done = done;
    this.#tokens = tokens;
    this.#at = at;
  }

  token(offset: number): SpokenToken | undefined {
    return offset < 0 ? this.#done.at(offset) : this.#tokens[this.#at + offset];
  }
  text(offset: number): string {
    return this.token(offset)?.text ?? '';
  }
  /** The value of a number of up to four digits; NaN for anything else. */
  number(offset: number): number {
    const token = this.token(offset);
    return token?.kind === 'number' && /^\d{1,4}$/.test(token.text) ? Number(token.text) : NaN;
  }
  isNumber(offset: number): boolean {
    return this.token(offset)?.kind === 'number';
  }
  /** A sentence ends before this token. */
  ends(offset: number): boolean {
    return this.token(offset) === undefined || this.token(offset - 1)?.stop === true;
  }
}
type Rule = (ahead: Ahead) => Rewrite | undefined;

/** "no." before a number, whose full stop ends no sentence. */
const isNumberSign = (token: SpokenToken | undefined): boolean => token?.shown.toLowerCase() === 'no.';
const isDay = (value: number): boolean => value >= 1 && value <= 31;
const isHour = (value: number): boolean => value >= 1 && value <= 12;
const clock = (hour: number, minutes: number): string =>
  minutes < 0
    ? clock(hour === 1 ? 12 : hour - 1, 60 + minutes)
    : `${String(hour)}${minutes === 0 ? '' : String(minutes).padStart(2, '0')}`;

const shorter: readonly Rule[] = [
  // "no. 4", "#4"
  (ahead) =>
    ahead.isNumber(1) &&
    (isNumberSign(ahead.token(0)) || (ahead.text(0) === 'pound' && ahead.token(0)?.from === ahead.token(1)?.from))
      ? { take: 2, give: ['number', ahead.text(1)] }
      : undefined,
  (ahead) => {
    const [one, several] = units[ahead.text(0)] ?? [];
    const isRate = ahead.text(-1) === 'per';
    if (one === undefined || several === undefined || !(ahead.isNumber(-1) || isRate)) return undefined;
    return { take: 1, give: (isRate || ahead.text(-1) === '1' ? one : several).split(' ') };
  },
  // "twenty US dollars", "$20 USD"
  (ahead) =>
    ahead.text(0) === 'us' && ahead.text(1) === 'dollar' && ahead.isNumber(-1)
      ? { take: 2, give: ['dollar'] }
      : ahead.text(0) === 'usd' && ahead.text(-1) === 'dollar'
        ? { take: 1, give: [] }
        : undefined,
  // "five dollars a month"
  (ahead) =>
    /^an?$/.test(ahead.text(0)) && counted.has(ahead.text(1)) && currencies.has(ahead.text(-1))
      ? { take: 2, give: ['per', ahead.text(1)] }
      : undefined,
  // "One pound" is money, and "1234 pound" can be a key.
  (ahead) => (ahead.text(0) === 'pound' && ahead.text(-1) === '1' ? { take: 1, give: ['pounds'] } : undefined),
  // "20°C"
  (ahead) => {
    const scale = { c: 'celsius', f: 'fahrenheit' }[ahead.text(0)];
    return scale !== undefined && ahead.text(-1) === 'degrees' ? { take: 1, give: [scale] } : undefined;
  },
  // "12 Main St.", but "St. Mary's"
  (ahead) =>
    ahead.text(0) === 'st' ? { take: 1, give: [ahead.ends(1) || ahead.isNumber(-1) ? 'street' : 'saint'] } : undefined,
  (ahead) => {
    const long = abbreviated[ahead.text(0)];
    if (long === undefined) return undefined;
    const isDate = (offset: number): boolean => {
      const text = ahead.text(offset);
      return ahead.isNumber(offset) || dates.has(abbreviated[text] ?? text);
    };
    const among =
      isDate(-1) || isDate(1) || (ahead.text(1) === 'to' && isDate(2)) || (ahead.text(-1) === 'to' && isDate(-2));
    return alsoWords.has(ahead.text(0)) && !among ? undefined : { take: 1, give: [long] };
  },
];

const forms: readonly Rule[] = [
  partOfDay,
  span,
  timeInWords,
  minutesAround,
  namedTime,
  timeWithPoint,
  dayFirst,
  dayAfterMonth,
  largeAmount,
  amount,
  currencyFirst,
  decimal,
  // "one and a half"
  (ahead) =>
    ahead.isNumber(0) && ahead.text(1) === 'and' && ahead.text(2) === 'a' && ahead.text(3) === 'half'
      ? { take: 4, give: [`${ahead.text(0)}.5`] }
      : undefined,
  // "half an hour"
  (ahead) =>
    ahead.text(0) === 'half' && /^an?$/.test(ahead.text(1)) && counted.has(ahead.text(2))
      ? { take: 3, give: ['half', ahead.text(2)] }
      : undefined,
  // "an hour"
  (ahead) =>
    /^an?$/.test(ahead.text(0)) && ahead.text(-1) !== 'half' && counted.has(ahead.text(1))
      ? { take: 2, give: ['1', ahead.text(1)] }
      : undefined,
];

const halfOfDay = wordTable<string>({ morning: 'am', afternoon: 'pm', evening: 'pm' });

/** "nine in the morning", "nine o'clock" */
function partOfDay(ahead: Ahead): Rewrite | undefined {
  if (ahead.text(0) === 'oclock' && isHour(ahead.number(-1))) return { take: 1, give: [] };
  const half = ahead.text(0) === 'in' && ahead.text(1) === 'the' ? halfOfDay[ahead.text(2)] : undefined;
  const isTime = /^(?:[1-9]|1[0-2])(?:[0-5]\d)?$/.test(String(ahead.number(-1))) && !dates.has(ahead.text(-2));
  return half !== undefined && isTime ? { take: 3, give: [half] } : undefined;
}

/** "from eight to six", "Monday through Friday", and "from eight" as a text that ends within such a span */
function span(ahead: Ahead): Rewrite | undefined {
  const isEnd = (offset: number): boolean => ahead.isNumber(offset) || dates.has(ahead.text(offset));
  const isTo = (offset: number): boolean => /^(?:to|thru|through)$/.test(ahead.text(offset));
  if (ahead.text(0) === 'from' && isEnd(1)) return { take: 1, give: [] };
  const isAfterEnd = isEnd(-1) || (/^[ap]m$/.test(ahead.text(-1)) && isEnd(-2));
  return ahead.text(0) !== 'to' && isTo(0) && isAfterEnd && isEnd(1) ? { take: 1, give: ['to'] } : undefined;
}

/** "half past nine", "a quarter to ten" */
function timeInWords(ahead: Ahead): Rewrite | undefined {
  const skip = ahead.text(0) === 'a' ? 1 : 0;
  const [part, way, hour] = [ahead.text(skip), ahead.text(skip + 1), ahead.number(skip + 2)];
  if (!isHour(hour)) return undefined;
  if (way === 'past' && part === 'half') return { take: skip + 3, give: [clock(hour, 30)] };
  if (part !== 'quarter' || (way !== 'past' && way !== 'to')) return undefined;
  return { take: skip + 3, give: [clock(hour, way === 'past' ? 15 : -15)] };
}

/** "five past nine", "ten minutes to nine"; "five to nine" can be a span. */
function minutesAround(ahead: Ahead): Rewrite | undefined {
  const minutes = ahead.number(0),
    named = ahead.text(1) === 'minutes' ? 1 : 0;
  const way = ahead.text(1 + named),
    hour = ahead.number(2 + named);
  if (!(minutes > 0 && minutes < 60) || !isHour(hour)) return undefined;
  if (way === 'past') return { take: 3 + named, give: [clock(hour, minutes)] };
  return way === 'to' && named > 0 ? { take: 4, give: [clock(hour, -minutes)] } : undefined;
}

/** "12 noon" */
function namedTime(ahead: Ahead): Rewrite | undefined {
  const named = ahead.text(0) === '12' ? 1 : 0;
  const name = ahead.text(named);
  const half = name === 'midnight' ? 'am' : name === 'noon' || name === 'midday' ? 'pm' : undefined;
  return half === undefined ? undefined : { take: named + 1, give: ['12', half] };
}

/** "9.30 am" */
function timeWithPoint(ahead: Ahead): Rewrite | undefined {
  const [hour, minutes] = [ahead.number(0), ahead.number(2)];
  return isHour(hour) && ahead.text(1) === 'point' && minutes < 60 && /^[ap]m$/.test(ahead.text(3))
    ? { take: 3, give: [clock(hour, minutes)] }
    : undefined;
}

/** "the third of May", "3 May" */
function dayFirst(ahead: Ahead): Rewrite | undefined {
  const skip = ahead.text(0) === 'the' ? 1 : 0;
  const joined = ahead.text(skip + 1) === 'of' ? 1 : 0;
  const at = skip + 1 + joined;
  const month = ahead.text(at);
  if (!isDay(ahead.number(skip)) || !monthNames.includes(month)) return undefined;
  // "Option 3 may take longer"
  if (month === 'may' && joined === 0 && !ahead.ends(at + 1) && !ahead.isNumber(at + 1)) return undefined;
  // "Press 3. May 4": the month belongs to the next number.
  return isDay(ahead.number(at + 1)) ? undefined : { take: at + 1, give: [month, ahead.text(skip)] };
}

/** "May the third", "May 3, 2026" */
function dayAfterMonth(ahead: Ahead): Rewrite | undefined {
  if (!monthNames.includes(ahead.text(0))) return undefined;
  if (ahead.text(1) === 'the' && isDay(ahead.number(2))) return { take: 3, give: [ahead.text(0), ahead.text(2)] };
  if (ahead.text(0) === 'may' && isDay(ahead.number(1))) return { take: 2, give: ['may', ahead.text(1)] };
  const [day = '', year = '', ...more] = ahead.token(1)?.segments ?? [];
  return isDay(Number(day)) && year.length === 4 && more.length === 0
    ? { take: 2, give: [ahead.text(0), day, year] }
    : undefined;
}

/** "three point five", "point five", "one point five million" */
function decimal(ahead: Ahead): Rewrite | undefined {
  const skip = ahead.isNumber(0) ? 1 : 0;
  if (ahead.text(skip) !== 'point' || !ahead.isNumber(skip + 1) || (skip === 0 && ahead.isNumber(-1))) return undefined;
  const whole = skip === 0 ? '0' : ahead.text(0);
  const digits = ahead.text(skip + 1);
  let end = digits.length;
  while (digits.endsWith('000', end)) end -= 3;
  return { take: skip + 2, give: [scaled(whole, digits.slice(0, end), digits.length - end)] };
}

/** "$5 million", "$1.5 million", "5k" */
function largeAmount(ahead: Ahead): Rewrite | undefined {
  const [whole, currency] = [ahead.text(0), ahead.text(1)];
  if (!ahead.isNumber(0)) return undefined;
  if (currency === 'k') return { take: 2, give: [scaled(whole, '', 3)] };
  const [near, far] = [scales[ahead.text(2)], scales[ahead.text(4)]];
  if (!currencies.has(currency)) return undefined;
  if (near !== undefined) return { take: 3, give: [scaled(whole, '', near), currency] };
  return far !== undefined && parts.has(ahead.text(3))
    ? { take: 5, give: [scaled(whole, ahead.text(2), far), currency] }
    : undefined;
}

/** Returns a number with more decimals, times ten to this power, in digits. */
function scaled(number: string, more: string, power: number): string {
  const [whole = '', decimal = ''] = number.split('.');
  const figures = decimal + more;
  const decimals = figures.slice(power).replace(/0+$/, '');
  return `${whole}${figures.slice(0, power).padEnd(power, '0')}${decimals === '' ? '' : `.${decimals}`}`;
}

/** "five dollars and fifty cents", "five pounds fifty", "zero dollars fifty" */
function amount(ahead: Ahead): Rewrite | undefined {
  const currency = ahead.text(1);
  if (!ahead.isNumber(0) || !currencies.has(currency)) return undefined;
  const joined = ahead.text(2) === 'and' ? 1 : 0;
  const [rest, part] = [ahead.text(2 + joined) === 'no' ? 0 : ahead.number(2 + joined), ahead.text(3 + joined)];
  const isPart = parts.has(part);
  if (rest === 0 && isPart) return { take: 4 + joined, give: [ahead.text(0), currency] };
  const isBare = joined === 0 && (ahead.ends(3) || ahead.token(2)?.pause === true);
  if (!(rest > 0 && rest < 100) || !(isPart || isBare)) return undefined;
  const take = isPart ? 4 + joined : 3;
  return ahead.text(0) === '0'
    ? { take, give: [String(rest), isPart ? part : currency === 'pounds' ? 'pence' : 'cent'] }
    : { take, give: [scaled(ahead.text(0), String(rest).padStart(2, '0'), 0), currency] };
}

/** "EUR 20", "$ 20" */
function currencyFirst(ahead: Ahead): Rewrite | undefined {
  return currencies.has(ahead.text(0)) && !ahead.isNumber(-1) && ahead.isNumber(1) && !currencies.has(ahead.text(2))
    ? { take: 2, give: [ahead.text(1), ahead.text(0)] }
    : undefined;
}

/**
 * Divides a text into tokens in which whatever is said in the same way is the same, however it is written: amounts,
 * times of day, dates, units and abbreviations. Scripts, missions and probes compare these tokens. English.
 */
export function comparableTokens(text: string | readonly string[], placeholders: boolean): SpokenToken[] {
  return [shorter, forms, forms].reduce(rewritten, spokenTokens(text, placeholders));
}

/** Recognition spells a word as a test does if it expects the word, and otherwise often in the American way. */
const americanSpelling = (word: string): string =>
  word.length < 5
    ? word
    : word
        .replace(/our(?=s?$|ed$|ing$)/, 'or')
        .replace(/tre(?=s?$)/, 'ter')
        .replace(/is(?=(?:e[ds]?|ing|ations?)$)/, 'iz');

/** The same, with one spelling of each word: "harbor" for "harbour". */
export const spelledTokens = (text: string | readonly string[], placeholders = true): SpokenToken[] =>
  comparableTokens(text, placeholders).map((token) => ({ ...token, text: americanSpelling(token.text) }));

function rewritten(tokens: readonly SpokenToken[], rules: readonly Rule[]): SpokenToken[] {
  const all: SpokenToken[] = [];
  for (let at = 0; at < tokens.length;) {
    const ahead = new Ahead(all, tokens, at);
    let rewrite: Rewrite | undefined;
    for (const rule of rules) if ((rewrite = rule(ahead))) break;
    const taken = tokens.slice(at, at + (rewrite?.take ?? 1));
    const [first, last] = [taken[0], taken.at(-1)];
    if (first === undefined || last === undefined) break;
    // Nothing is read across the end of a sentence.
    if (rewrite === undefined || taken.slice(0, -1).some((token) => token.stop && !isNumberSign(token))) {
      all.push(first);
      at += 1;
      continue;
    }
    rewrite.give.forEach((word, index) => {
      const isLast = index === rewrite.give.length - 1;
      const span = { from: first.from, to: last.to, stop: isLast && last.stop, pause: isLast && last.pause };
      const shown = rewrite.give.length === 1 ? taken.map((token) => token.shown).join(' ') : word;
      all.push({ ...made(word), ...span, shown });
    });
    at += taken.length;
  }
  return all;
}

/** A token without a place. "May" is a month here, never a verb. */
function made(word: string): Omit<SpokenToken, 'from' | 'to' | 'shown' | 'stop' | 'pause'> {
  return /^\d/.test(word)
    ? {
        kind: 'number',
        text: word,
        key: '',
        weight: digitsWeight(word.length),
        digits: word,
        segments: [word],
        rivals: 'number',
      }
    : { ...wordToken(word, undefined), ...(word === 'may' && { weight: 1, rivals: 'month' }) };
}
