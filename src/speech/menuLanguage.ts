/** Each unseen word is as probable as one of this many. */
const unseenWords = 60_000;
/** Absolute discounts (Ney, Essen, Kneser 1994), near the leave-one-out values for this text. */
const discount = { word: 0.6, pair: 0.7, triple: 0.8 } as const;
/** Ids are packed into one number: two factors of this size stay exact. */
const factor = 1 << 17;

interface Counts {
  /** By n-gram: its count, or for one that a longer n-gram extends, the number of its contexts. */
  readonly times: Map<number, number>;
  /** By context: the sum of its n-grams' counts, and the number of these n-grams. */
  readonly total: Map<number, number>;
  readonly kinds: Map<number, number>;
}

/**
 * A language model of telephone menus: an interpolated Kneser-Ney trigram model (Kneser, Ney 1995; Chen, Goodman 1999)
 * of the words of a text. Word ids begin at 1; 0 is an unknown word, and the beginning of a sentence.
 */
export class MenuLanguage {
  readonly #ids = new Map<string, number>();
  /** Follows the last word of a sentence. */
  readonly #end = this.#learn('.');
  readonly #words = counts();
  readonly #pairs = counts();
  readonly #triples = counts();

  /** @param text sentences in lower-case words, one per line, with an empty line between prompts */
  constructor(text: string) {
    for (const prompt of text.split('\n\n')) this.#read(prompt);
    this.#count();
  }

  /** The size of the vocabulary. */
  get words(): number {
    return this.#ids.size;
  }

  id(word: string): number {
    return this.#ids.get(word) ?? 0;
  }

  /** Returns the natural log of the probability that this word follows these two, the older one first. */
  logProbability(older: number, newer: number, word: number): number {
    return Math.log(this.#afterTwo(older, newer, word));
  }

  /** Returns the natural log of the probability that a sentence ends after these two words. */
  logEnd(older: number, newer: number): number {
    return this.logProbability(older, newer, this.#end);
  }

  #read(prompt: string): void {
    let [older, newer] = [0, 0];
    for (const sentence of prompt.split('\n')) {
      let [olderHere, newerHere] = [0, 0];
      for (const word of sentence.split(' ')) {
        const id = this.#learn(word);
        add(this.#triples.times, triple(older, newer, id));
        // The beginning of a sentence is also learned without its context.
        if (older !== olderHere || newer !== newerHere) add(this.#triples.times, triple(olderHere, newerHere, id));
        [older, newer, olderHere, newerHere] = [newer, id, newerHere, id];
      }
      add(this.#triples.times, triple(older, newer, this.#end));
    }
  }

  #learn(word: string): number {
    const known = this.#ids.get(word);
    if (known !== undefined) return known;
    this.#ids.set(word, this.#ids.size + 1);
    return this.#ids.size;
  }

  #count(): void {
    for (const [key, times] of this.#triples.times) {
      const [context, word] = [Math.floor(key / factor), key % factor];
      add(this.#triples.total, context, times);
      add(this.#triples.kinds, context);
      add(this.#pairs.times, pair(context % factor, word));
    }
    for (const [key, times] of this.#pairs.times) {
      const [context, word] = [Math.floor(key / factor), key % factor];
      add(this.#pairs.total, context, times);
      add(this.#pairs.kinds, context);
      add(this.#words.times, word);
    }
    for (const times of this.#words.times.values()) {
      add(this.#words.total, 0, times);
      add(this.#words.kinds, 0);
    }
  }

  #afterTwo(older: number, newer: number, word: number): number {
    const context = pair(older, newer);
    return interpolated(this.#triples, discount.triple, context, context * factor + word, () =>
      this.#afterOne(newer, word),
    );
  }

  #afterOne(newer: number, word: number): number {
    return interpolated(this.#pairs, discount.pair, newer, pair(newer, word), () =>
      interpolated(this.#words, discount.word, 0, word, () => 1 / unseenWords),
    );
  }
}

function interpolated(
  { times, total, kinds }: Counts,
  less: number,
  context: number,
  key: number,
  shorter: () => number,
): number {
  const sum = total.get(context);
  if (sum === undefined) return shorter();
  return (Math.max(0, (times.get(key) ?? 0) - less) + less * (kinds.get(context) ?? 0) * shorter()) / sum;
}

const pair = (first: number, second: number): number => first * factor + second;
const triple = (first: number, second: number, third: number): number => pair(first, second) * factor + third;
const counts = (): Counts => ({ times: new Map(), total: new Map(), kinds: new Map() });

function add(map: Map<number, number>, key: number, by = 1): void {
  map.set(key, (map.get(key) ?? 0) + by);
}
