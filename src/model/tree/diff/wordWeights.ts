import { words } from '../../../base/rows.ts';
import { soundIn, type SpokenText } from './spokenText.ts';

/** Words that occur in every menu don't identify a menu. */
const common = new Set(
  words`
    for to press or the a an your you our we have has are is of and if in on at this that call calling
    thank thanks menu option options following dial enter say hold while will be
  `.map(soundIn),
);
const commonShare = 0.2;

/** The words of a text as numbers in ascending order, and their total weight. A repeated word has another number. */
interface Terms {
  readonly numbers: Int32Array;
  readonly weight: number;
}

/**
 * The similarity of texts by their words. A word counts more, the fewer texts of an IVR contain it (inverse document
 * frequency, Spärck Jones 1972).
 */
export class WordWeights {
  readonly #texts: readonly SpokenText[];
  #frequency: ReadonlyMap<string, number> | undefined;
  /** The numbers of a word: for its first occurrence in a text, and for each further one. */
  readonly #numbers = new Map<string, number[]>();
  /** By number. */
  readonly #weights: number[] = [];
  readonly #terms = new Map<SpokenText, Terms>();

  constructor(texts: readonly SpokenText[]) {
    this.#texts = texts;
  }

  /** Returns 1 for the same words, 0 for none in common (Dice 1945, weighted). Undefined if either is empty. */
  likeness(a: SpokenText, b: SpokenText): number | undefined {
    if (a.sounds === '' || b.sounds === '') return undefined;
    if (a.sounds === b.sounds) return 1;
    const [one, other] = [this.#termsOf(a), this.#termsOf(b)];
    return (2 * this.#inBoth(one.numbers, other.numbers)) / (one.weight + other.weight);
  }

  #inBoth(one: Int32Array, other: Int32Array): number {
    let weight = 0;
    for (let i = 0, j = 0; i < one.length && j < other.length;) {
      const ours = one[i] ?? 0;
      const theirs = other[j] ?? 0;
      if (ours === theirs) weight += this.#weights[ours] ?? 0;
      if (ours <= theirs) i += 1;
      if (theirs <= ours) j += 1;
    }
    return weight;
  }

  #termsOf(text: SpokenText): Terms {
    const known = this.#terms.get(text);
    if (known) return known;
    const numbers: number[] = [];
    let weight = 0;
    for (const [word, count] of text.bag)
      for (let time = 0; time < count; time += 1) {
        const number = this.#numberOf(word, time);
        numbers.push(number);
        weight += this.#weights[number] ?? 0;
      }
    const terms = { numbers: Int32Array.from(numbers).sort(), weight };
    this.#terms.set(text, terms);
    return terms;
  }

  #numberOf(word: string, time: number): number {
    const known = this.#numbers.get(word);
    const number = known?.[time];
    if (number !== undefined) return number;
    const added = this.#weights.push(this.#weights[known?.[0] ?? -1] ?? this.#weigh(word)) - 1;
    if (known) known.push(added);
    else this.#numbers.set(word, [added]);
    return added;
  }

  #weigh(word: string): number {
    const frequency = (this.#frequency ??= frequencies(this.#texts));
    const share = common.has(word) || /^\d$/.test(word) ? commonShare : 1;
    return (share * Math.log(1 + this.#texts.length / (frequency.get(word) ?? 1))) / Math.log(1 + this.#texts.length);
  }
}

/** Returns in how many texts each word occurs. A text that many steps share is read once. */
function frequencies(texts: readonly SpokenText[]): ReadonlyMap<string, number> {
  const times = new Map<SpokenText, number>();
  for (const text of texts) times.set(text, (times.get(text) ?? 0) + 1);
  const found = new Map<string, number>();
  for (const [{ bag }, count] of times) for (const word of bag.keys()) found.set(word, (found.get(word) ?? 0) + count);
  return found;
}
