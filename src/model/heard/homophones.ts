import { keysHeard } from '../../base/mishearings.ts';
import { wordTable } from '../../base/wordTable.ts';
import { distance } from 'fastest-levenshtein';

/** Words that sound the same, or that recognition of telephone speech (300 to 3,400 Hz) often confuses. */
const sets = [
  'to two too',
  'for four fore',
  'ate eight',
  'won one',
  'oh o owe zero',
  'buy by bye',
  'hear here',
  'your youre yore',
  'there their theyre',
  'our hour are',
  'sale sail',
  'mail male',
  'right write rite',
  'wait weight',
  'whole hole',
  'new knew',
  'be bee b',
  'see sea c',
  'you u',
  'why y',
  'tea tee t',
  'pea p',
  'jay j',
  'kay k',
  'queue cue q',
  'ex x',
  'week weak',
  'know no',
  'its',
  'cell sell',
  'cent sent scent',
  'check cheque czech',
  'fair fare',
  'pair pear',
  'plan plane',
  'bill build',
  'past passed',
  'than then',
  'weather whether',
  'which witch',
  'would wood',
  'where wear',
  'through threw',
  'some sum',
  'higher hire',
  'principal principle',
  'accept except',
  'ok okay',
  'tone toned',
  'line lion',
  'pin pen',
  'meter metre',
  'center centre',
  'program programme',
  'inquiry enquiry',
  'inquiries enquiries',
  'affect effect',
  'billing building',
  'form farm',
  'him hymn',
];

const setOf = new Map<string, number>(
  sets.flatMap((words, index) => words.split(' ').map((word): [string, number] => [word, index])),
);

/** The digit of a word that recognition often writes instead: "press to", "press for". */
const digitOf = wordTable<string>({ ...keysHeard('anywhere'), oh: '0', o: '0', owe: '0' });
export const wordsForDigits: readonly string[] = Object.keys(digitOf);
export const digitHeardAs = (word: string): string | undefined => digitOf[word];

const soundRules: readonly (readonly [RegExp, string])[] = [
  [/^(?:kn|gn|pn)/, 'n'],
  [/^wr/, 'r'],
  [/^x/, 's'],
  [/^wh/, 'w'],
  [/mb$/, 'm'],
  [/(?:ti|si|ci)(?=[oau])/g, 'X'],
  [/tch|sch(?=[aeiou])|ch|sh/g, 'X'],
  [/ph/g, 'F'],
  [/th/g, '0'],
  [/dge|g(?=[eiy])|j/g, 'J'],
  [/c(?=[eiy])|z|s/g, 'S'],
  [/ck|c|q|x|g|k/g, 'K'],
  [/d|t/g, 'T'],
  [/b|p/g, 'P'],
  [/f|v/g, 'F'],
  [/w(?![aeiouy])|h(?![aeiouy])/g, ''],
  [/(?<=[XFKTPSJ0])h/g, ''],
];

/**
 * Returns the consonants that are heard in a word, after Philips' Metaphone (1990). Voiced and unvoiced ones are equal,
 * because telephones often blur them. Vowels count only at the beginning. Words with one key can still differ (bill,
 * ball, bell), so compare the spelling too.
 */
export function soundKey(word: string): string {
  let key = word
    .replace(/[^a-z]/g, '')
    .replace(/ght/g, 't')
    .replace(/gh$/, '');
  for (const [pattern, sound] of soundRules) key = key.replace(pattern, sound);
  const initial = /^[aeiouy]/.test(key) ? 'A' : '';
  return (
    initial +
    key
      .replace(/[aeiouy]/g, '')
      .replace(/(.)\1+/g, '$1')
      .toUpperCase()
  );
}

/** A word prepared for many comparisons: its sound key, and its set of homophones if it has one. */
export interface Sound {
  readonly text: string;
  readonly key: string;
  readonly set?: number;
}

const sounds = new Map<string, Sound>();
const maxSounds = 20_000;

/** Prepares a word in lower case. The results are cached, because words repeat. */
export function wordSoundOf(text: string): Sound {
  const known = sounds.get(text);
  if (known) return known;
  const set = setOf.get(text);
  const sound = { text, key: soundKey(text), ...(set === undefined ? {} : { set }) };
  if (sounds.size >= maxSounds) sounds.clear();
  sounds.set(text, sound);
  return sound;
}

/** Returns how likely recognition confuses the words: 1 for homophones, 0 for words that are nothing alike. */
export function likeness(a: Sound, b: Sound): number {
  if (a.text === b.text) return 1;
  if (a.set !== undefined && a.set === b.set) return 0.98;
  const length = Math.max(a.text.length, b.text.length);
  if (length < 4 || Math.abs(a.text.length - b.text.length) > 3) return 0;
  if (a.key.charCodeAt(0) !== b.key.charCodeAt(0)) return 0;
  const alike = 1 - distance(a.text, b.text) / length;
  if (a.key === b.key && a.key.length > 1) return alike >= 0.5 ? 0.5 + alike / 2 : 0;
  return length >= 5 && alike >= 0.8 ? alike : 0;
}
