import { wordSoundOf, wordsForDigits } from '../../heard/homophones.ts';
import { numberWords } from '../../numbers/spokenNumbers.ts';
import { lightWords, digitsWeight, spokenTokens, type SpokenToken } from '../../heard/spokenTokens.ts';

const digits: ReadonlyMap<string, string> = new Map(
  Object.entries({
    zero: '0',
    one: '1',
    two: '2',
    three: '3',
    four: '4',
    five: '5',
    six: '6',
    seven: '7',
    eight: '8',
    nine: '9',
    pound: '#',
    hash: '#',
    star: '*',
  }),
);
const silent = new Set(['um', 'uh', 'er', 'erm', 'ah', 'hm', 'please']);

/** A prompt or a label, prepared for many comparisons. What only some comparisons need is computed on demand. */
export class SpokenText {
  readonly text: string;
  /** Its words by their sound, separated by spaces: equal for texts with the same words in the same order. */
  readonly sounds: string;
  #bag: ReadonlyMap<string, number> | undefined;
  #tokens: readonly SpokenToken[] | undefined;

  constructor(given: string | undefined) {
    this.text = (given ?? '').replace(/\s+/g, ' ').trim();
    this.sounds = soundsOf(this.text);
  }

  /** How often each sound occurs. */
  get bag(): ReadonlyMap<string, number> {
    if (this.#bag) return this.#bag;
    const bag = new Map<string, number>();
    if (this.sounds !== '') for (const sound of this.sounds.split(' ')) bag.set(sound, (bag.get(sound) ?? 0) + 1);
    return (this.#bag = bag);
  }

  /** Tokens for alignment. A transcript isn't a pattern, so its `*` is the key. */
  get tokens(): readonly SpokenToken[] {
    return (this.#tokens ??= spokenTokens(this.text.replaceAll('*', ' star '), false));
  }
}

function soundsOf(text: string): string {
  const lower = text.toLowerCase();
  // Most texts are plain letters, which are found much faster.
  const words =
    (/['’]/.test(lower) ? lower.replace(/['’]/g, '') : lower).match(
      /[^\0-\x7f]/.test(lower) ? /[\p{L}\p{M}]+|\d+|[*#]/gu : /[a-z]+|\d+|[*#]/g,
    ) ?? [];
  return words
    .filter((word) => !silent.has(word))
    .map(soundIn)
    .join(' ');
}

/** Returns the sound of a word in lower case; a digit as its figure, and a word with one consonant as written. */
export function soundIn(word: string): string {
  const digit = digits.get(word);
  if (digit !== undefined) return digit;
  const { key } = wordSoundOf(word);
  return key.length > 1 ? key : word;
}

const numberSounds = new Set(numberWords.map(soundIn));
export const soundsNumber = (sound: string): boolean => numberSounds.has(sound) || /^\d/.test(sound);

export const soundsDigit = (sound: string): boolean => /^\d$/.test(sound);
const digitSounds = new Set(wordsForDigits.map(soundIn));
/** Returns true if a sound can be a digit that was mistaken for another word, such as "won" for 1. */
export const heardAsDigit = (sound: string): boolean => digitSounds.has(sound);

const lightSounds = new Map<string, number>();
for (const [word, weight] of lightWords)
  lightSounds.set(soundIn(word), Math.min(weight, lightSounds.get(soundIn(word)) ?? 1));
/** Returns the minimum weight of a word with this sound in an alignment. */
export const weightOfSound = (sound: string): number =>
  lightSounds.get(sound) ?? (/^\d/.test(sound) ? digitsWeight(sound.length) : 1);

/** Two trees of one IVR share most texts, so each text is read once. */
export function textReader(): (given: string | undefined) => SpokenText {
  const known = new Map<string | undefined, SpokenText>();
  return (given) => {
    const text = known.get(given) ?? new SpokenText(given);
    known.set(given, text);
    return text;
  };
}
