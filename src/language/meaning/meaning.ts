import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { dot, SentenceEncoder, unit } from './encoder.ts';

/** Compares what a caller wants with what a menu offers. */
export interface Meaning {
  /** Returns how alike each offer and the goal are in English, at most 1. Undefined if the encoder isn't installed. */
  readonly likeness: (goal: string, offers: readonly string[]) => Promise<ReadonlyMap<string, number> | undefined>;
}

/** Whole sentences are compared more reliably than labels. */
const ofGoal = ['I am calling about', 'I need help with'];
const ofOffer = [...ofGoal, 'I want to'];
/** A vector takes 2 kB. */
const mostVectors = 1000;

type Vector = Float32Array<ArrayBuffer>;

/** Reads the encoder from a folder that the build filled, when it is first needed. */
export class SentenceMeaning implements Meaning {
  readonly #folder: string;
  readonly #vectors = new Map<string, Promise<Vector>>();
  #encoder: Promise<SentenceEncoder | undefined> | undefined;

  constructor(folder: string) {
    this.#folder = folder;
  }

  async likeness(goal: string, offers: readonly string[]): Promise<ReadonlyMap<string, number> | undefined> {
    if (offers.length === 0) return undefined;
    const encoder = await (this.#encoder ??= this.#read().catch(() => undefined));
    if (!encoder) return undefined;
    const wanted = await this.#vector(encoder, ofGoal, goal.replace(/^to |[.!?\s]+$/gi, ''));
    const alike = new Map<string, number>();
    for (const offer of offers) alike.set(offer, dot(wanted, await this.#vector(encoder, ofOffer, offer)));
    return alike;
  }

  async #read(): Promise<SentenceEncoder> {
    const [weights, vocabulary] = await Promise.all([
      readFile(join(this.#folder, 'weights.bin')),
      readFile(join(this.#folder, 'vocabulary.json'), 'utf8'),
    ]);
    return SentenceEncoder.open(
      new Uint8Array(weights).buffer,
      JSON.parse(vocabulary) as readonly (readonly [string, number])[],
      nextTurn,
    );
  }

  /** Remembers what was last used, because menus are heard again. */
  #vector(encoder: SentenceEncoder, starts: readonly string[], text: string): Promise<Vector> {
    const key = `${starts.join()} ${text}`;
    const vector = this.#vectors.get(key) ?? mean(encoder, starts, text);
    this.#vectors.delete(key);
    this.#vectors.set(key, vector);
    const [oldest] = this.#vectors.keys();
    if (this.#vectors.size > mostVectors && oldest !== undefined) this.#vectors.delete(oldest);
    return vector;
  }
}

/** Returns the direction between a text's sentences. */
async function mean(encoder: SentenceEncoder, starts: readonly string[], text: string): Promise<Vector> {
  let sum: Vector | undefined;
  for (const start of starts) {
    const vector = await encoder.encode(`${start} ${text}`, nextTurn);
    sum = sum ? sum.map((value, at) => value + (vector[at] ?? 0)) : vector;
  }
  return unit(sum ?? new Float32Array());
}
