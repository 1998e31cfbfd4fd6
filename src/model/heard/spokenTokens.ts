import { wordTable } from '../../base/wordTable.ts';
import { digitHeardAs, wordSoundOf, type Sound } from './homophones.ts';
import { negates, rivalKind } from './rivals.ts';
import { monthNames } from '../numbers/calendarNames.ts';
import { readSpokenNumber, type Atom } from '../numbers/spokenNumbers.ts';

/** The weight of a number with this many digits. */
export const digitsWeight = (digits: number): number => Math.min(4, 2 + 0.25 * (digits - 1));

/** The unit of comparison: a word, a whole number, or a placeholder. */
export interface SpokenToken extends Sound {
  /** The same text has the same meaning. Numbers are written as digits. */
  readonly text: string;
  /** As written. */
  readonly shown: string;
  /** Written words `from` … `to` (exclusive). */
  readonly from: number;
  readonly to: number;
  readonly kind: 'word' | 'number' | 'negation' | 'any';
  /** Its weight: 1 for a word that carries meaning. */
  readonly weight: number;
  /** A number's digits, or those that recognition confuses with the word. */
  readonly digits?: string | undefined;
  readonly segments?: readonly string[];
  /** What it excludes: another number, another weekday. */
  readonly rivals?: string | undefined;
  readonly stop: boolean;
  readonly pause: boolean;
}

const fillers = new Set(['um', 'umm', 'uh', 'uhm', 'er', 'erm', 'ah', 'hm', 'hmm', 'mm', 'mhm', 'oclock']);
/** Words with little meaning. Any other word has the weight 1. */
export const lightWords: ReadonlyMap<string, number> = new Map<string, number>([
  ...'please a an the so well ok okay then now just'.split(' ').map((word): [string, number] => [word, 0.2]),
  ...(
    'and or to for of in on at is are was be been your you our we will this that it i my with by from me us have has had as if do does did can may key there here they their ' +
    'would could'
  )
    .split(' ')
    .map((word): [string, number] => [word, 0.35]),
  ...'press thank thanks calling call welcome enter say dial option options hello number followed following'
    .split(' ')
    .map((word): [string, number] => [word, 0.6]),
]);

/** Words with several spellings. Contractions become their words. */
const spellings = wordTable<string>({
  "i'm": 'i am',
  im: 'i am',
  "let's": 'let us',
  "won't": 'will not',
  wont: 'will not',
  "can't": 'can not',
  cant: 'can not',
  cannot: 'can not',
  "shan't": 'shall not',
  "ain't": 'is not',
  dont: 'do not',
  isnt: 'is not',
  doesnt: 'does not',
  didnt: 'did not',
  arent: 'are not',
  wasnt: 'was not',
  couldnt: 'could not',
  hasnt: 'has not',
  havent: 'have not',
  wouldnt: 'would not',
  youre: 'you are',
  "it's": 'it is',
  "that's": 'that is',
  "what's": 'what is',
  "there's": 'there is',
  "here's": 'here is',
  "he's": 'he is',
  "she's": 'she is',
  "who's": 'who is',
  okay: 'ok',
  hash: 'pound',
  hashtag: 'pound',
  asterisk: 'star',
  dollars: 'dollar',
  cents: 'cent',
  euros: 'euro',
  "o'clock": 'oclock',
  tv: 't v',
});
const endings: readonly (readonly [RegExp, string])[] = [
  [/n't$/, ' not'],
  [/'re$/, ' are'],
  [/'ll$/, ' will'],
  [/'ve$/, ' have'],
  [/'s$/, 's'],
  [/'/g, ''],
];
const signs = wordTable<string>({
  '#': 'pound',
  '*': 'star',
  '&': 'and',
  '@': 'at',
  '%': 'percent',
  '+': 'plus',
  '−': 'minus',
  '¢': 'cent',
  '°': 'degrees',
});
const currencies = wordTable<string>({ $: 'dollar', '£': 'pounds', '€': 'euro', '¥': 'yen' });
const abbreviations = /^\W*(?:(?:\p{L}\.)+\p{L}?\.?|mr\.|mrs\.|ms\.|dr\.|st\.|ext\.|vs\.)$/u;
/** The pieces of a text. Groups: hour and minutes; currency, whole number, decimals and the end of an ordinal. */
const pieces = new RegExp(
  [
    /[$£€¥]?(\d{1,2}):(\d\d)(?!\d)/u,
    /([$£€¥])?(\d{1,3}(?:,\d{3})+(?!\d)|\d+)(?:\.(\d+))?(st|nd|rd|th)?(?!\p{L})/u,
    /\d+/u,
    // An abbreviation.
    /(?:\p{L}\.){2,}\p{L}?/u,
    /[\p{L}\p{M}]+(?:'[\p{L}\p{M}]+)*/u,
    /[#*&@%+−¢°$£€¥]/u,
  ]
    .map(({ source }) => source)
    .join('|'),
  'gu',
);

/**
 * Divides a text into tokens. Given words keep their indexes; a text is divided at white space. A separate `*` is any
 * words if placeholders are allowed, otherwise the key.
 */
export function spokenTokens(text: string | readonly string[], placeholders: boolean): SpokenToken[] {
  const written = typeof text === 'string' ? text.split(/\s+/).filter((word) => word !== '') : text;
  const atoms = joinLetters(cutCompounds(written.flatMap((word, at) => atomsOf(word, at, placeholders))));
  const tokens: SpokenToken[] = [];
  for (let at = 0; at < atoms.length;) {
    const number = readSpokenNumber(atoms, at);
    const next = number?.next ?? at + 1;
    const first = atoms[at];
    const last = atoms[next - 1];
    if (first === undefined || last === undefined) break;
    const whole = { from: first.at, to: last.at + 1, stop: last.stop, pause: last.pause };
    // If a written word became several tokens, each shows its own text.
    const shared = atoms[at - 1]?.at === first.at || atoms[next]?.at === last.at;
    const shown = (plain: string): string =>
      shared
        ? plain
        : whole.to - whole.from === 1
          ? (written[whole.from] ?? plain)
          : written.slice(whole.from, whole.to).join(' ');
    if (number) {
      const { digits, segments } = number;
      tokens.push({
        ...whole,
        kind: 'number',
        text: digits,
        key: '',
        shown: shown(digits),
        weight: digitsWeight(digits.length),
        digits,
        segments,
        rivals: 'number',
      });
    } else if (first.any) tokens.push({ ...whole, kind: 'any', text: '*', key: '', shown: '*', weight: 0 });
    else tokens.push({ ...whole, ...wordToken(first.text, atoms[at - 1]), shown: shown(first.text) });
    at = next;
  }
  return tokens;
}

/** Returns a word's meaning in a comparison; `before` is the word before it in its text. */
export function wordToken(
  text: string,
  before: Atom | undefined,
): Sound & Pick<SpokenToken, 'kind' | 'weight' | 'digits' | 'rivals'> {
  // "if not", "yes or no", "whether or not" negate nothing.
  const open = before !== undefined && !before.stop && ['if', 'or', 'yes', 'whether'].includes(before.text);
  if (negates(text) && !open) return { ...wordSoundOf(text), kind: 'negation', weight: 2 };
  const digits = digitHeardAs(text);
  const rivals = text === 'am' && before?.text === 'i' ? undefined : rivalKind(text);
  return {
    ...wordSoundOf(text),
    kind: 'word',
    weight: lightWords.get(text) ?? 1,
    digits,
    rivals,
  };
}

/** The form of most words. */
const simple = /^([a-z]+)([.?!;:]?)(,?)$/;

function atomsOf(written: string, at: number, placeholders: boolean): Atom[] {
  const lower = written.toLowerCase();
  const [, letters, end, comma] = simple.exec(lower) ?? [];
  const isSimple =
    letters !== undefined && spellings[letters] === undefined && !fillers.has(letters) && !abbreviations.test(lower);
  if (isSimple) {
    return [{ text: letters, at, ordinal: false, stop: end !== '', pause: end !== '' || comma !== '' }];
  }
  const word = lower
    .replace(/^(\d*)½/, (_, whole: string) => (whole === '' ? 'half' : `${whole} and a half`))
    .replace(/^1\/2(?!\d|\/)/, 'half')
    .normalize('NFKC')
    .replace(/[’‘`´]/g, "'")
    .normalize('NFD')
    .replace(/(?<=[a-z])\p{Mn}+/gu, '')
    .normalize('NFC');
  if (placeholders && /^["'(]*\*[.,;:!?"')]*$/.test(word))
    return [{ text: '*', at, ordinal: false, stop: /[.;:!?]/.test(word), pause: false, any: true }];
  const spoken = textsOf(word).filter(({ text }) => !fillers.has(text));
  const stop = /[.?!;:…]["')\]]*$/.test(word) && !abbreviations.test(word);
  const pause = stop || /[,–—-]["')\]]*$/.test(word);
  return spoken.map((text, index) => {
    const isLast = index === spoken.length - 1;
    return { ...text, at, stop: stop && isLast, pause: pause && isLast };
  });
}

type AtomText = Pick<Atom, 'text' | 'ordinal'>;

function textsOf(word: string): AtomText[] {
  // A phone number can contain full stops.
  const spaced = word
    .replace(/(?<![\d.])\d+(?:\.\d+){2,}/g, (number) => number.replaceAll('.', ' '))
    .replace(/(?<=\d)(?=[ap]\.?m\b)/, ' ')
    .replace(/^[$£€]?\.(?=\d)/, (point) => (point === '.' ? ' point ' : `${point.charAt(0)}0.`))
    .replace(/^-(?=[$£€]?\d)/, '−')
    .replace(rangeDash, ' to ')
    .replace(/(?<=\d\.\d{1,6})(?=[a-z])/, ' ')
    .replace(/(?<=[a-z\d])\/(?=(?:day|week|month|year|hour|minute|second|person|night|h|hr|mo|yr)\b)/, ' per ')
    .replace(/^(\d{4})-(\d\d)-(\d\d)(?!\S*\w)/, (date, year: string, month: string, day: string) =>
      dateInWords(date, day, month, year),
    )
    .replace(/^(\d\d?)\/(\d\d?)\/((?:19|20)\d\d)(?!\S*\w)/, (date, one: string, other: string, year: string) =>
      Number(one) > 12
        ? dateInWords(date, one, other, year)
        : Number(other) > 12
          ? dateInWords(date, other, one, year)
          : date,
    );
  const texts: AtomText[] = [];
  for (const [piece, hour, minutes = '', sign = '', number, decimals, suffix] of spaced.matchAll(pieces)) {
    if (number !== undefined) {
      texts.push({ text: number.replaceAll(',', ''), ordinal: suffix !== undefined });
      texts.push(...afterNumber(decimals, currencies[sign]).map(plainText));
    } else if (hour !== undefined) texts.push(plainText(`${String(Number(hour))}${minutes === '00' ? '' : minutes}`));
    else texts.push(...plainWords(piece).map(plainText));
  }
  return texts;
}

/** "9–5", "9am-5pm", "Mon-Fri", but not the dash in a row of digits. */
const rangeDash = new RegExp(
  ['(?<=^(?:END|[ap]\\.?m\\.?))', '[-–]', '(?=(?:END)[.,;:!?]?$)']
    .join('')
    .replaceAll('END', '(?:1?\\d|2[0-4])(?::\\d\\d)?(?: ?[ap]\\.?m\\.?)?|(?:mon|tue|wed|thu|fri|sat|sun)\\.?'),
);

/** "december 25 2026", or the date as written if its month or day doesn't exist. */
function dateInWords(date: string, day: string, month: string, year: string): string {
  const name = monthNames[Number(month) - 1];
  const exists = name !== undefined && Number(day) >= 1 && Number(day) <= 31;
  return exists ? `${name} ${String(Number(day))} ${year}` : date;
}

const plainText = (text: string): AtomText => ({ text, ordinal: false });

/** "dollar 50 cent", "point 5" */
function afterNumber(decimals: string | undefined, currency: string | undefined): string[] {
  if (currency === undefined) return decimals === undefined ? [] : ['point', decimals];
  // $1.5 is one dollar and fifty cents.
  const cents = Number((decimals ?? '0').padEnd(2, '0'));
  return cents > 0 ? [currency, String(cents), currency === 'pounds' ? 'pence' : 'cent'] : [currency];
}

function plainWords(piece: string): string[] {
  const sign = signs[piece] ?? currencies[piece];
  if (sign !== undefined) return [sign];
  const text = /^(?:\p{L}\.)+/u.test(piece) ? piece.replaceAll('.', '') : piece;
  const known = spellings[text];
  if (known !== undefined) return known.split(' ');
  let plain = text;
  for (const [ending, spelling] of endings) plain = plain.replace(ending, spelling);
  return plain
    .split(' ')
    .filter((word) => word !== '')
    .map((word) => spellings[word] ?? word);
}

/** A digit that is joined to a word, as in "press 1 4-meter readings", doesn't continue the number before it. */
function cutCompounds(atoms: readonly Atom[]): Atom[] {
  return atoms.map((atom, index) => {
    const [next, behind] = [atoms[index + 1], atoms[index + 2]];
    const isCompound =
      next !== undefined &&
      next.at !== atom.at &&
      /^\d+$/.test(next.text) &&
      behind?.at === next.at &&
      /^\p{L}{3}/u.test(behind.text);
    return isCompound ? { ...atom, pause: true } : atom;
  });
}

/** "a m", "p m", as the time is spoken. */
function joinLetters(atoms: readonly Atom[]): Atom[] {
  const joined: Atom[] = [];
  for (const atom of atoms) {
    const before = joined.at(-1);
    if (
      atom.text === 'm' &&
      before !== undefined &&
      !before.stop &&
      (before.text === 'a' || before.text === 'p') &&
      atom.at - before.at <= 1
    )
      joined[joined.length - 1] = { ...atom, text: `${before.text}m` };
    else joined.push(atom);
  }
  return joined;
}
