import { wordTable } from '../base/wordTable.ts';
import { numberInWords } from './numberInWords.ts';

/**
 * The keys of a telephone by their words in menus, digits at their index. A separate table, because speech doesn't
 * import `model/numbers`, and the recogniser's grammar accepts only these words.
 */
export const keyWords: readonly string[] = 'zero one two three four five six seven eight nine star pound'.split(' ');

/** One or several words of the text, with the possible readings. */
export interface Slot {
  /** As shown if the first reading is right, with surrounding punctuation. */
  readonly shown: string;
  /** Word sequences to choose among by ear, the recogniser's own first. Lower case, letters and apostrophes. */
  readonly readings: readonly (readonly string[])[];
  /** How likely each reading is before it is heard; equally likely by default. */
  readonly weights?: readonly number[];
  /** How the text is read aloud, if it is more than one word. */
  readonly own?: readonly string[];
}

const keyVerbs = new Set(['press', 'pressed', 'push', 'hit']);
const verbs = new Set(['press', 'pressed', 'push', 'hit', 'dial', 'dialed']);
const otherVerbs = new Set(['choose', 'select', 'enter']);
/** What is heard for "dial" and "press" before a key. */
const verbSounds = wordTable<readonly string[]>({
  dao: ['dial'],
  dow: ['dial'],
  dull: ['dial'],
  doll: ['dial'],
  daio: ['dial'],
  dile: ['dial'],
  dale: ['dial'],
  dell: ['dial'],
  pressed: ['press'],
  prest: ['press'],
  pres: ['press'],
});
/** Words that can follow such a verb although they aren't a key. */
export const plainAfterVerb: ReadonlySet<string> = new Set(
  (
    'the a an any this that your you now again and or by button buttons key keys number numbers extension extensions enter return send ' +
    'if when after followed either both another hash asterisk oh o pound star ten eleven twelve thirteen fourteen fifteen ' +
    'sixteen seventeen eighteen nineteen twenty thirty forty fifty sixty seventy eighty ninety'
  ).split(' '),
);
const plainBeforeKey = new Set(
  'the a an any that this each every no which your enter return hash asterisk star pound and or phone'.split(' '),
);
/** An offer's verb doesn't follow these. */
export const noOfferBefore: ReadonlySet<string> = new Set(
  'a an the at by in on from of and or with until till'.split(' '),
);
/** Heard for a key, and never right directly after "press". */
const soundsLike = wordTable<string>({
  to: 'two',
  too: 'two',
  do: 'two',
  for: 'four',
  fore: 'four',
  won: 'one',
  ate: 'eight',
  start: 'star',
  stars: 'star',
  starr: 'star',
  stark: 'star',
  sex: 'six',
  tree: 'three',
  free: 'three',
  fives: 'five',
  nines: 'nine',
  pounds: 'pound',
});
/** Heard for "pound" before "key" and "sign". */
const poundSounds = new Set([
  'pan',
  'pen',
  'pond',
  'pump',
  'pun',
  'pain',
  'pad',
  'powell',
  'found',
  'town',
  'pumpkin',
  'pounds',
  'pounded',
]);
const tails = new Set(['our', 'are', 'r', 'hour', 'art', 'dart', 'dar', 'tar', 'ar', 'darth', 'tart', 'dark']);

interface Token {
  readonly lead: string;
  readonly core: string;
  readonly trail: string;
}

function tokenise(text: string): Token[] {
  return text
    .split(/\s+/)
    .filter(Boolean)
    .map((raw) => {
      const match = /^([^\p{L}\p{N}#*]*)(.*?)([^\p{L}\p{N}#*]*)$/u.exec(raw);
      return { lead: match?.[1] ?? '', core: match?.[2] ?? raw, trail: match?.[3] ?? '' };
    });
}

const plain = (token: Token | undefined): string => (token?.core ?? '').toLowerCase().replace(/’/g, "'");
const keyOf = (word: string): string | undefined =>
  /^\d$/.test(word)
    ? keyWords[Number(word)]
    : keyWords.includes(word)
      ? word
      : word === '#'
        ? 'pound'
        : word === '*'
          ? 'star'
          : undefined;

/** "one hundred (and) one", "two twenty one" */
function hundredsOf(hundreds: string, rest: string): string[][] {
  const small = numberInWords(String(Number(rest)));
  return [
    [hundreds, 'hundred', ...small],
    [hundreds, 'hundred', 'and', ...small],
    ...(rest.startsWith('0') ? [] : [[hundreds, ...small]]),
  ];
}

/** Returns how a token can be read aloud. */
function readingsOf(core: string): string[][] {
  const word = core.toLowerCase().replace(/’/g, "'");
  const key = keyOf(word);
  if (key) return key === 'zero' ? [['zero'], ['oh']] : [[key]];
  if (/^\d+$/.test(word)) {
    const digits = Array.from(word, (digit) => keyWords[Number(digit)] ?? digit);
    const readings = [digits, digits.map((digit) => (digit === 'zero' ? 'oh' : digit))];
    if (/^[1-9]00$/.test(word)) readings.unshift([digits[0] ?? '', 'hundred']);
    else if (/^[1-9]\d\d$/.test(word)) readings.push(...hundredsOf(digits[0] ?? '', word.slice(1)));
    else if (/^[1-9]\d$/.test(word)) readings.push([...numberInWords(word)]);
    return readings;
  }
  const words = word
    .split(/[^a-z']+/)
    .map((part) => part.replace(/^'+|'+$/g, ''))
    .filter(Boolean);
  return words.length > 0 ? [words] : [];
}

/** "dialed two" for "dial two"; but "you pressed two" is in the past. */
const spokenOffer = new RegExp(
  `(?<!\\b(?:you|have|you've|was|is|be) )\\b(press|dial)ed,? (?=(?:\\d|${keyWords.join('|')})\\b)`,
  'gi',
);

/** Corrections that need no ear: words that can only be a key. */
export function evidentKeys(text: string): string {
  return text
    .replace(/\b(press|push|hit|dial)(ed)?,? (you|u|ew)(?=[.,;?!]|$| (?:for|to|if)\b)/gi, '$1 two')
    .replace(/\b(press|push|hit|dial) a (?=(?:for|to|if)\b)/gi, '$1 eight ')
    .replace(spokenOffer, '$1 ')
    .replace(/\b(press|push|hit|dial)(ed)? (to|too) (to)\b/gi, '$1 two to')
    .replace(/\b(press|push|hit|dial)(ed)?,? (for|fore) (?=for\b|to\b)/gi, '$1 four ')
    .replace(/\b(press)(ed)?,? too,? to\b/gi, '$1 two to')
    .replace(
      /\b(press) (\d)([24]) (?!(?:for|to|if)\b)(?=[a-z])/gi,
      (_, verb: string, key: string, word: string) => `${verb} ${key} ${word === '4' ? 'for' : 'to'} `,
    )
    .replace(
      /(^|[,.;] )for to (?=[a-z])/gi,
      (_, lead: string) => `${lead}${lead === '' || lead.startsWith('.') ? 'Four' : 'four'} to `,
    )
    .replace(/\bfourwards?\b/gi, 'forward');
}

/** A word of the text between its neighbours, in lower case, empty beyond either end. */
interface WordInPlace {
  readonly word: string;
  readonly previous: string;
  readonly next: string;
  /** A full stop separates it from the previous word. */
  readonly beginsSentence: boolean;
  readonly endsClause: boolean;
  /** How the word itself can be read aloud. */
  readonly own: Slot['readings'];
  /** Menus use this word. */
  readonly isMenuWord: boolean;
}

/** Words that may stand for a key, or for the verb before one, with the readings to choose among. */
interface Confusion {
  readonly fits: (place: WordInPlace) => boolean;
  readonly readings: (place: WordInPlace) => Slot['readings'];
}

const anyKey = keyWords.map((key) => [key]);

/** The first match counts. */
const confusions: readonly Confusion[] = [
  // "preserve" for "press zero".
  {
    fits: ({ word }) => word === 'preserve' || word === 'preserved',
    readings: ({ own }) => [...own, ['press', 'zero'], ['press', 'four']],
  },
  // "pressed our" for "press star".
  {
    fits: ({ word, next }) => word === 'pressed' && tails.has(next),
    readings: () => [['press']],
  },
  // "dao two" for "dial two".
  {
    fits: ({ word, next }) => Boolean(verbSounds[word] && (keyOf(next) ?? soundsLike[next])),
    readings: ({ word }) => (verbSounds[word] ?? []).map((verb) => [verb]),
  },
  // "press a to" for "press eight to".
  {
    fits: ({ word, previous, next }) =>
      word === 'a' && ['two', 'to', '2', 'two-exit'].includes(next) && ['or', 'press', 'dial'].includes(previous),
    readings: ({ own }) => [['eight'], ...own],
  },
  // "press dar" for "press star": a word that no menu uses is a key.
  {
    fits: ({ word, previous, beginsSentence, isMenuWord }) =>
      keyVerbs.has(previous) && !beginsSentence && !isMenuWord && !soundsLike[word],
    readings: () => anyKey,
  },
  // "choose free" for "choose three": these verbs have other objects, too, so only a word that sounds like a key counts.
  {
    fits: ({ word, previous, next, endsClause }) =>
      otherVerbs.has(previous) &&
      (endsClause ? soundsLike[word] !== undefined || word === 'you' : next === 'for' && word === 'free'),
    readings: ({ word }) => [[soundsLike[word] ?? 'two']],
  },
  // "press start" for "press star"; "press it" for "press eight".
  {
    fits: ({ word, previous, beginsSentence }) =>
      verbs.has(previous) && !beginsSentence && !plainAfterVerb.has(word) && !(word === 'it' && previous !== 'press'),
    readings: ({ word, previous, own }) => {
      const sure = soundsLike[word] ?? (previous === 'pressed' && tails.has(word) ? 'star' : undefined);
      return sure ? [[sure]] : [...own, ...(word === 'it' ? [['eight']] : anyKey)];
    },
  },
  // "the pan key" for "the pound key".
  {
    fits: ({ word, next }) => (next === 'key' || next === 'sign') && poundSounds.has(word),
    readings: () => [['pound']],
  },
  // "the mumble key": any key.
  {
    fits: ({ word, next, own }) => next === 'key' && !plainBeforeKey.has(word) && own.flat().length === 1,
    readings: ({ own }) => [...own, ...anyKey],
  },
];

/**
 * Divides the text into slots. If a key is expected but the text has another word ("press start", "the pan key",
 * "pressed our"), the slot also lists the keys.
 * @param withKeys false returns only the text, for its timing
 * @param isMenuWord returns true for words that menus use, in lower case
 * @param doubts see `Offers`
 */
export function divideIntoSlots(
  text: string,
  withKeys: boolean,
  isMenuWord: (word: string) => boolean = () => true,
  doubts: ReadonlyMap<number, readonly string[]> = new Map(),
): Slot[] {
  const tokens = tokenise(text);
  return tokens.map((token, at) => {
    const place: WordInPlace = {
      word: plain(token),
      previous: plain(tokens[at - 1]),
      next: plain(tokens[at + 1]),
      beginsSentence: tokens[at - 1]?.trail === '.',
      endsClause: at === tokens.length - 1 || /[.,;?!]/.test(token.trail),
      own: readingsOf(token.core),
      isMenuWord: isMenuWord(plain(token)),
    };
    // "press 10" isn't a misheard key.
    const isNumber = keyOf(place.word) !== undefined || /^\d{2,}$/.test(place.word);
    const isPlain = !withKeys || place.own.length === 0 || isNumber;
    const confusion = isPlain ? undefined : confusions.find(({ fits }) => fits(place));
    return {
      shown: `${token.lead}${token.core}${token.trail}`,
      readings: (withKeys && doubts.get(at)?.map((key) => [key])) || (confusion?.readings(place) ?? place.own),
    };
  });
}

/** Returns the slots as JSGF (Java Speech Grammar Format 1.0): one sequence, with alternatives for readings. */
export function writeGrammar(slots: readonly Slot[]): string {
  const parts = slots
    .filter((slot) => slot.readings.length > 0)
    .map(({ readings, weights }) => {
      const choices = readings.map(
        (reading, at) => `${weights ? `/${BigInt(weights[at] ?? 1)}/ ` : ''}${reading.join(' ')}`,
      );
      return choices.length === 1 ? (choices[0] ?? '') : `(${choices.join(' | ')})`;
    });
  return `#JSGF V1.0;\ngrammar said;\npublic <said> = ${parts.join(' ')};`;
}

interface HeardSlot {
  readonly text: string;
  /** Indexes of the first and last of the slot's heard words; undefined for a slot without words. */
  readonly span: readonly [number, number] | undefined;
}

/** Finds each slot's words in what was heard, and writes the chosen reading; undefined if they don't match. */
export function readSlots(slots: readonly Slot[], heard: readonly string[]): HeardSlot[] | undefined {
  const digitsPreferred = slots.some(({ shown }) => /^\W*\d\W*$/.test(shown));
  const result: HeardSlot[] = [];
  let at = 0;
  for (const slot of slots) {
    if (slot.readings.length === 0) {
      result.push({ text: slot.shown, span: undefined });
      continue;
    }
    const fitting = slot.readings
      .filter((reading) => reading.every((word, index) => heard[at + index] === word))
      .sort((a, b) => b.length - a.length)[0];
    if (!fitting) return undefined;
    const changed = !(
      slot.own ? [slot.own] : readingsOf(/^[^\p{L}\p{N}#*]*(.*?)[^\p{L}\p{N}#*]*$/u.exec(slot.shown)?.[1] ?? '')
    ).some((own) => own.join(' ') === fitting.join(' '));
    result.push({
      text: changed ? rewrite(slot.shown, fitting, digitsPreferred) : slot.shown,
      span: [at, at + fitting.length - 1],
    });
    at += fitting.length;
  }
  return at === heard.length ? result : undefined;
}

function rewrite(shown: string, reading: readonly string[], digits: boolean): string {
  const match = /^([^\p{L}\p{N}#*]*)(.*?)([^\p{L}\p{N}#*]*)$/u.exec(shown);
  const written = reading
    .map((word) =>
      digits && keyWords.indexOf(word) >= 0 && keyWords.indexOf(word) < 10 ? String(keyWords.indexOf(word)) : word,
    )
    .join(' ');
  const capital = /^\p{Lu}/u.test(match?.[2] ?? '') && ['press', 'dial'].includes(reading[0] ?? '');
  return `${match?.[1] ?? ''}${capital ? written.charAt(0).toUpperCase() + written.slice(1) : written}${match?.[3] ?? ''}`;
}

/** Splits "Forbilling" into "For billing" if only the latter are words. */
export function splitLeadingFor(text: string, isWord: (word: string) => boolean): string {
  return text.replace(/\b(for)([a-z]{3,})\b/gi, (whole: string, start: string, rest: string) =>
    !isWord(whole.toLowerCase()) && isWord(rest.toLowerCase()) ? `${start} ${rest}` : whole,
  );
}
