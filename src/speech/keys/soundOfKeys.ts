import { words } from '../../base/rows.ts';
import type { MenuLanguage } from '../menuLanguage.ts';
import type { Candidate } from './candidates.ts';
import {
  bare,
  endsClause,
  endsSentence,
  keyNamed,
  keyWords,
  noOfferBefore,
  keyOffersIn,
  plainAfterVerb,
  type Offer,
} from './keyWords.ts';
import type { MenuSoFar } from './menuSoFar.ts';
import type { WordSlot } from './slots.ts';
import { distance } from './soundDistance.ts';
import { weights } from './weights.ts';

/** ARPAbet sounds of a word in lower case; empty if there are none. */
type SoundsOf = (word: string) => readonly string[];

const usualVerbs = words`press dial`;
const otherVerbs = words`choose select`;
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
const maxDifferingVerb = 0.4;
/** "dial two" has four sounds. */
const shortest = 4;
/** A key that is this much less similar isn't considered. */
const margin = 0.1;

const isKey = (word: string): boolean => /^\d+$/.test(word) || keyNamed(word) !== undefined;

interface Phrase extends Offer {
  /** Natural log: how much likelier "press" is, which the language of menus knows best. */
  readonly cost: number;
  readonly verbSounds: readonly string[];
  readonly sounds: readonly string[];
}

interface PlaceInMenu {
  /** The last key that was offered before, if its verb isn't a usual one, which needs no such help. */
  readonly offered: Offer | undefined;
  /** The offer begins a clause, so its key comes last. */
  readonly beginsClause: boolean;
}

interface Match {
  readonly verb: string;
  readonly keys: readonly { readonly key: string; readonly differing: number }[];
  readonly width: number;
  readonly differing: number;
}

/** Returns the last key that was offered: "choose one". Undefined if the prompts now say "press" or "dial". */
function lastOffered(text: string, before: Offer | undefined): Offer | undefined {
  const last = keyOffersIn(text).at(-1);
  return !last ? before : usualVerbs.includes(last.verb) ? undefined : last;
}

/** Finds offers whose last words sound like a key: "For billing, stress-free". */
export class SoundOfKeys {
  readonly #soundsOf: SoundsOf;
  readonly #language: MenuLanguage;
  readonly #phrases: readonly Phrase[];

  constructor(soundsOf: SoundsOf, language: MenuLanguage) {
    this.#soundsOf = soundsOf;
    this.#language = language;
    this.#phrases = [
      ...usualVerbs.flatMap((verb) => keyWords.map((key) => this.#phraseOf({ verb, key }))),
      ...otherVerbs.flatMap((verb) => keyWords.map((key) => this.#phraseOf({ verb, key }, weights.otherVerb))),
    ];
  }

  #phraseOf({ verb, key }: Offer, cost = 0): Phrase {
    const verbSounds = this.#soundsOf(verb);
    return { verb, key, cost, verbSounds, sounds: [...verbSounds, ...this.#soundsOf(key)] };
  }

  candidates(slots: readonly WordSlot[], { verb, keys }: Pick<MenuSoFar, 'verb' | 'keys'>): Candidate[] {
    const tokens = slots.map(({ shown }) => shown);
    const candidates: Candidate[] = [];
    const lastKey = keys.at(-1);
    let offered = lastKey === undefined || usualVerbs.includes(verb) ? undefined : { verb, key: lastKey };
    let isOpen = false;
    let beginsClause = false;
    let begins = true;
    for (let at = 0; at < tokens.length; begins = endsClause(tokens[at - 1]) || !isOpen) {
      const word = bare(tokens[at]);
      if (begins && (openers.has(word) || (offered && word === mistakenOpener)))
        [isOpen, beginsClause] = [true, at === 0 || endsClause(tokens[at - 1])];
      offered = lastOffered(`${bare(tokens[at - 1])} ${word}`, offered);
      const match = isOpen ? this.#lastWords(tokens, at, { offered, beginsClause }) : undefined;
      for (const { key, differing } of match?.keys ?? []) {
        const logOdds = weights.certain - weights.differing * differing;
        candidates.push({ atWord: at, width: match?.width ?? 1, said: [match?.verb ?? '', key], by: 'sound', logOdds });
      }
      if (match || endsSentence(tokens[at]) || (verbs.has(word) && !endsClause(tokens[at]))) isOpen = false;
      at += match?.width ?? 1;
    }
    return candidates;
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
      .filter((phrase) => !verbSounds || differenceOf(verbSounds, phrase.verbSounds) <= maxDifferingVerb)
      .map((phrase) => ({ ...phrase, differing: differenceOf(sounds, phrase.sounds) }))
      .sort((one, other) => one.differing - other.differing);
    const [nearest] = likely;
    if (!nearest || nearest.differing > maxDiffering.usual || !this.#isLikelier(before, nearest, said))
      return undefined;
    const { verb, differing } = nearest;
    const near = likely.filter((phrase) => phrase.differing <= differing + margin);
    const keys = near.filter(({ key }, at) => near.findIndex((other) => other.key === key) === at);
    return { verb, keys, width: said.length, differing };
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
    const differing = differenceOf(sounds, next.sounds);
    if (differing > maxDiffering.next || !this.#isLikelier(before, next, said)) return undefined;
    return { verb: next.verb, keys: [{ key, differing }], width: said.length, differing };
  }

  /** Returns true if these words are far likelier than what was heard instead. */
  #isLikelier(before: readonly string[], { verb, key, cost }: Phrase, said: readonly string[]): boolean {
    const known = verb === 'dial' ? verb : 'press';
    return this.#logProbability(before, [known, key]) - cost >= this.#logProbability(before, said) + weights.language;
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

const differenceOf = (sounds: readonly string[], all: readonly string[]): number => distance(sounds, all) / all.length;
