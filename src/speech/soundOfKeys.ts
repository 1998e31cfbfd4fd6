import { words } from '../base/rows.ts';
import { keyWords, plainAfterVerb } from './keySlots.ts';
import type { MenuLanguage } from './menuLanguage.ts';

/** ARPAbet sounds of a word in lower case; empty if there are none. */
type SoundsOf = (word: string) => readonly string[];

/** A text in which every offer has a key, and alternatives that sound as much like the original words. */
interface Offers {
  readonly text: string;
  /** By the index of the key among the words of the text: the keys to choose among by ear, the likeliest first. */
  readonly doubts: ReadonlyMap<number, readonly string[]>;
}

const keyVerbs = words`press dial`;
const verbs = new Set(words`press pressed push hit dial dialed select choose enter touch say key pick`);
/** Words that begin an offer, and end the previous one. */
const openers = new Set(words`for to if`);
/** A number after these isn't a key: "from nine till five". */
const plainBeforeKey = new Set(words`to till until by at or and in on for from the all with`);
const maxTail = 3;
/** The share of the sounds of "press five" that can differ. */
const maxDiffering = 0.235;
/** Natural log: how much likelier a key must be than the original words. */
const trust = 6;
const maxDifferingVerb = 0.4;
/** "dial two" has four sounds. */
const shortest = 4;
/** A key that is this much less similar isn't considered. */
const margin = 0.1;

const vowels = new Set(words`AA AE AH AO AW AY EH ER EY IH IY OW OY UH UW`);
/** Sounds that are easily mistaken for each other on a telephone line. */
const groups: readonly (readonly [cost: number, sounds: ReadonlySet<string>])[] = [
  [0.3, new Set(words`P B`)],
  [0.3, new Set(words`T D`)],
  [0.3, new Set(words`K G`)],
  [0.3, new Set(words`S Z`)],
  [0.3, new Set(words`F TH`)],
  [0.3, new Set(words`V DH`)],
  [0.3, new Set(words`D DH`)],
  [0.3, new Set(words`ER R`)],
  [0.5, new Set(words`P B T D K G`)],
  [0.5, new Set(words`F TH S SH HH V DH Z ZH CH JH`)],
  [0.4, new Set(words`M N NG`)],
  [0.5, new Set(words`L R W Y`)],
  [0.6, new Set(words`T S CH`)],
  [0.4, vowels],
  [0.4, new Set(words`Y IY IH`)],
  [0.4, new Set(words`W UW OW UH`)],
];
const otherConsonant = 0.8;
/** Sounds that are easily lost or added. */
const weak = new Set(words`T D AH HH IH L`);

function costOf(a: string, b: string): number {
  if (a === b) return 0;
  const group = groups.find(([, sounds]) => sounds.has(a) && sounds.has(b));
  if (group) return group[0];
  return vowels.has(a) === vowels.has(b) ? otherConsonant : 1;
}
const costOfOne = (sound: string): number => (weak.has(sound) ? 0.5 : 0.9);

/** Returns how much two sequences of sounds differ: the lowest cost of changing one into the other. */
function distance(one: readonly string[], other: readonly string[]): number {
  let row = [0];
  for (const sound of other) row.push((row.at(-1) ?? 0) + costOfOne(sound));
  for (const a of one) {
    const next = [(row[0] ?? 0) + costOfOne(a)];
    for (const [at, b] of other.entries())
      next.push(
        Math.min((row[at] ?? 0) + costOf(a, b), (row[at + 1] ?? 0) + costOfOne(a), (next[at] ?? 0) + costOfOne(b)),
      );
    row = next;
  }
  return row.at(-1) ?? 0;
}

const bare = (token: string | undefined): string =>
  (token ?? '')
    .toLowerCase()
    .replace(/’/g, "'")
    .replace(/^[^\p{L}\p{N}*#]+|[^\p{L}\p{N}*#]+$/gu, '');
const endsClause = (token = ''): boolean => /[.?!;,]["”]?$/.test(token);
const endsSentence = (token = ''): boolean => /[.?!;]["”]?$/.test(token);
const isKey = (word: string): boolean => /^(?:\d+|[*#])$/.test(word) || keyWords.includes(word) || word === 'hash';

interface Phrase {
  readonly verb: string;
  readonly key: string;
  readonly verbSounds: readonly string[];
  readonly sounds: readonly string[];
}

interface Match {
  readonly verb: string;
  readonly keys: readonly string[];
  readonly width: number;
  readonly differing: number;
}

/** Finds offers whose last words sound like a key ("For billing, stress-free"), and writes the key instead. */
export class SoundOfKeys {
  readonly #soundsOf: SoundsOf;
  readonly #language: MenuLanguage;
  readonly #phrases: readonly Phrase[];

  constructor(soundsOf: SoundsOf, language: MenuLanguage) {
    this.#soundsOf = soundsOf;
    this.#language = language;
    this.#phrases = keyVerbs.flatMap((verb) =>
      keyWords.map((key) => ({ verb, key, verbSounds: soundsOf(verb), sounds: [...soundsOf(verb), ...soundsOf(key)] })),
    );
  }

  mend(text: string): Offers {
    const tokens = text.split(/\s+/).filter(Boolean);
    const said: string[] = [];
    const doubts = new Map<number, readonly string[]>();
    let isOpen = false;
    let begins = true;
    for (let at = 0; at < tokens.length; begins = endsClause(tokens[at - 1]) || !isOpen) {
      const token = tokens[at] ?? '';
      if (begins && openers.has(bare(token))) isOpen = true;
      const match = isOpen ? this.#lastWords(tokens, at) : undefined;
      if (match) {
        const trail = /[^\p{L}\p{N}*#]*$/u.exec(tokens[at + match.width - 1] ?? '')?.[0] ?? '';
        said.push(match.verb);
        if (match.keys.length > 1) doubts.set(said.length, match.keys);
        said.push(`${match.keys[0] ?? ''}${trail}`);
        at += match.width;
        isOpen = false;
        continue;
      }
      said.push(token);
      at += 1;
      if (endsSentence(token) || (verbs.has(bare(token)) && !endsClause(token))) isOpen = false;
    }
    return { text: said.join(' '), doubts };
  }

  /** Returns the words from here, if they end an offer and sound like a key. */
  #lastWords(tokens: readonly string[], at: number): Match | undefined {
    let best: Match | undefined;
    for (let width = 1; width <= maxTail && at + width <= tokens.length; width += 1) {
      const last = tokens[at + width - 1];
      const next = tokens[at + width];
      const isEnd =
        next === undefined || endsSentence(last) || openers.has(bare(next)) || (endsClause(last) && isKey(bare(last)));
      const before = [tokens[at - 2], tokens[at - 1]].map(bare);
      const match = isEnd ? this.#match(before, tokens.slice(at, at + width).map(bare)) : undefined;
      if (match && match.differing < (best?.differing ?? Infinity)) best = match;
      if (endsClause(last)) break;
    }
    return best;
  }

  /** `before`: the last two words before those, the older one first. */
  #match(before: readonly string[], said: readonly string[]): Match | undefined {
    const [first = '', second = ''] = said;
    const last = said.at(-1) ?? '';
    if (said.slice(1).some((word) => verbs.has(word)) || plainBeforeKey.has(first)) return undefined;
    if (verbs.has(first) && (second === '' || isKey(second) || plainAfterVerb.has(second))) return undefined;
    const sounds = this.#all(said);
    if (sounds.length < shortest) return undefined;
    const verbSounds = isKey(last) ? this.#all(said.slice(0, -1)) : undefined;
    const likely = this.#phrases
      .filter((phrase) => !verbSounds || isLike(verbSounds, phrase.verbSounds, maxDifferingVerb))
      .map((phrase) => ({ ...phrase, differing: distance(sounds, phrase.sounds) / phrase.sounds.length }))
      .sort((one, other) => one.differing - other.differing);
    const [nearest] = likely;
    if (!nearest || nearest.differing > maxDiffering) return undefined;
    const { verb, key, differing } = nearest;
    if (this.#logProbability(before, [verb, key]) < this.#logProbability(before, said) + trust) return undefined;
    const keys = likely.filter((phrase) => phrase.differing <= differing + margin).map((phrase) => phrase.key);
    return { verb, keys: [...new Set(keys)], width: said.length, differing };
  }

  /** The probability that a sentence ends with these words. */
  #logProbability(before: readonly string[], said: readonly string[]): number {
    let [older = 0, newer = 0] = before.map((word) => this.#language.id(word));
    let sum = 0;
    for (const word of said) {
      const id = this.#language.id(word);
      sum += this.#language.logProbability(older, newer, id);
      [older, newer] = [newer, id];
    }
    return sum + this.#language.logEnd(older, newer);
  }

  #all(said: readonly string[]): readonly string[] {
    return said.flatMap((word) => word.split(/[^a-z0-9']+/).flatMap((part) => this.#soundsOf(part)));
  }
}

const isLike = (one: readonly string[], other: readonly string[], maxShare: number): boolean =>
  distance(one, other) <= other.length * maxShare;
