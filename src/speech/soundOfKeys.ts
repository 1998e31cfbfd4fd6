import { words } from '../base/rows.ts';
import { keyWords, noOfferBefore, plainAfterVerb } from './keySlots.ts';
import type { MenuLanguage } from './menuLanguage.ts';

/** ARPAbet sounds of a word in lower case; empty if there are none. */
type SoundsOf = (word: string) => readonly string[];

/** A text in which every offer has a key, and alternatives that sound as much like the original words. */
interface Offers {
  readonly text: string;
  /** By the index of the key among the words of the text: the keys to choose among by ear, the likeliest first. */
  readonly doubts: ReadonlyMap<number, readonly string[]>;
}

export const usualVerbs: readonly string[] = words`press dial`;
const otherVerbs = words`choose select`;
/** Natural log: how much likelier "press" is than another verb that this call hasn't used. */
const otherVerbCost = 2;
const verbs = new Set(words`press pressed push hit dial dialed select choose enter touch say key pick`);
/** Words that begin an offer, and end the previous one. */
const openers = new Set(words`for to if`);
/** Heard for "for" before an S. */
const mistakenOpener = 'first';
/** A number after these isn't a key: "from nine till five". */
const plainBeforeKey = new Set(words`to till until by at or and in on for from the all with`);
const maxTail = 3;
/** The share of the sounds of "press five" that can differ, and of the offer that comes next. */
const maxDiffering = { usual: 0.235, next: 0.42 };
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
  /** Natural log: how much likelier "press" is, which the language of menus knows best. */
  readonly cost: number;
  readonly verbSounds: readonly string[];
  readonly sounds: readonly string[];
}

interface PlaceInMenu {
  /** The last key that was offered before. */
  readonly offered: OfferedKey | undefined;
  /** The offer begins a clause, so its key comes last. */
  readonly beginsClause: boolean;
}

interface Match {
  readonly verb: string;
  readonly keys: readonly string[];
  readonly width: number;
  readonly differing: number;
}

const keyAfterVerb = new RegExp(`\\b(${[...verbs].join('|')}) (\\d|(?:${keyWords.join('|')})\\b)`, 'g');

/** A verb other than "press", and the key that a prompt named after it: "choose one". */
interface OfferedKey {
  readonly verb: string;
  readonly key: string;
}

/**
 * Returns the last key that was offered, once this text has followed `before`: undefined if the prompts now say "press"
 * or "dial", which need no such help.
 */
export function lastOfferedKey(text: string, before?: OfferedKey): OfferedKey | undefined {
  const last = [...text.toLowerCase().matchAll(keyAfterVerb)].at(-1);
  if (!last) return before;
  const [, verb = '', key = ''] = last;
  return usualVerbs.includes(verb) ? undefined : { verb, key: keyWords[Number(key)] ?? key };
}

/** Finds offers whose last words sound like a key ("For billing, stress-free"), and writes the key instead. */
export class SoundOfKeys {
  readonly #soundsOf: SoundsOf;
  readonly #language: MenuLanguage;
  readonly #phrases: readonly Phrase[];

  constructor(soundsOf: SoundsOf, language: MenuLanguage) {
    this.#soundsOf = soundsOf;
    this.#language = language;
    this.#phrases = [
      ...usualVerbs.flatMap((verb) => keyWords.map((key) => this.#phraseOf({ verb, key }))),
      ...otherVerbs.flatMap((verb) => keyWords.map((key) => this.#phraseOf({ verb, key }, otherVerbCost))),
    ];
  }

  #phraseOf({ verb, key }: OfferedKey, cost = 0): Phrase {
    const verbSounds = this.#soundsOf(verb);
    return { verb, key, cost, verbSounds, sounds: [...verbSounds, ...this.#soundsOf(key)] };
  }

  /** `before`: the last key that the call's prompts offered before this text. */
  mend(text: string, before?: OfferedKey): Offers {
    let offered = before;
    const tokens = text.split(/\s+/).filter(Boolean);
    const said: string[] = [];
    const doubts = new Map<number, readonly string[]>();
    let isOpen = false;
    let beginsClause = false;
    let begins = true;
    for (let at = 0; at < tokens.length; begins = endsClause(tokens[at - 1]) || !isOpen) {
      const token = tokens[at] ?? '';
      if (begins && (openers.has(bare(token)) || (offered && bare(token) === mistakenOpener)))
        [isOpen, beginsClause] = [true, at === 0 || endsClause(tokens[at - 1])];
      offered = lastOfferedKey(`${bare(tokens[at - 1])} ${bare(token)}`, offered);
      const match = isOpen ? this.#lastWords(tokens, at, { offered, beginsClause }) : undefined;
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
  #lastWords(tokens: readonly string[], at: number, place: PlaceInMenu): Match | undefined {
    let best: Match | undefined;
    for (let width = 1; width <= maxTail && at + width <= tokens.length; width += 1) {
      const last = tokens[at + width - 1];
      const next = tokens[at + width];
      const isEnd =
        next === undefined || endsSentence(last) || openers.has(bare(next)) || (endsClause(last) && isKey(bare(last)));
      const before = [tokens[at - 2], tokens[at - 1]].map(bare);
      const match = isEnd ? this.#match(before, tokens.slice(at, at + width).map(bare), place) : undefined;
      if (match && match.differing < (best?.differing ?? Infinity)) best = match;
      if (endsSentence(last) || (endsClause(last) && !place.offered)) break;
    }
    return best;
  }

  /** `before`: the last two words before those, the older one first. */
  #match(before: readonly string[], said: readonly string[], place: PlaceInMenu): Match | undefined {
    const [first = '', second = ''] = said;
    if (said.slice(1).some((word) => verbs.has(word)) || noOfferBefore.has(before[1] ?? '')) return undefined;
    if (verbs.has(first) && (second === '' || isKey(second) || plainAfterVerb.has(second))) return undefined;
    const sounds = this.#all(said);
    if (sounds.length < shortest) return undefined;
    return this.#matchUsual(before, said, sounds) ?? this.#matchNext(before, said, sounds, place);
  }

  #matchUsual(before: readonly string[], said: readonly string[], sounds: readonly string[]): Match | undefined {
    if (plainBeforeKey.has(said[0] ?? '')) return undefined;
    const verbSounds = isKey(said.at(-1) ?? '') ? this.#all(said.slice(0, -1)) : undefined;
    const likely = this.#phrases
      .filter((phrase) => !verbSounds || isLike(verbSounds, phrase.verbSounds, maxDifferingVerb))
      .map((phrase) => ({ ...phrase, differing: differenceOf(sounds, phrase) }))
      .sort((one, other) => one.differing - other.differing);
    const [nearest] = likely;
    if (!nearest || nearest.differing > maxDiffering.usual || !this.#isLikelier(before, nearest, said))
      return undefined;
    const { verb, differing } = nearest;
    const keys = likely.filter((phrase) => phrase.differing <= differing + margin).map(({ key }) => key);
    return { verb, keys: [...new Set(keys)], width: said.length, differing };
  }

  /** In a menu that counts up its keys, the next one needs to sound less similar. */
  #matchNext(
    before: readonly string[],
    said: readonly string[],
    sounds: readonly string[],
    { offered, beginsClause }: PlaceInMenu,
  ): Match | undefined {
    const key = offered && keyWords[keyWords.indexOf(offered.key) + 1];
    const last = said.at(-1) ?? '';
    if (!offered || !beginsClause || key === undefined || (isKey(last) && last !== key)) return undefined;
    const next = this.#phraseOf({ verb: offered.verb, key });
    const differing = differenceOf(sounds, next);
    if (differing > maxDiffering.next || !this.#isLikelier(before, next, said)) return undefined;
    return { verb: next.verb, keys: [key], width: said.length, differing };
  }

  /** Returns true if these words are far likelier than what was heard instead. */
  #isLikelier(before: readonly string[], { verb, key, cost }: Phrase, said: readonly string[]): boolean {
    const known = verb === 'dial' ? verb : 'press';
    return this.#logProbability(before, [known, key]) - cost >= this.#logProbability(before, said) + trust;
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

const differenceOf = (sounds: readonly string[], phrase: Phrase): number =>
  distance(sounds, phrase.sounds) / phrase.sounds.length;
const isLike = (one: readonly string[], other: readonly string[], maxShare: number): boolean =>
  distance(one, other) <= other.length * maxShare;
