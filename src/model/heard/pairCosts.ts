import { likeness } from './homophones.ts';
import { areOpposites, mayOppose } from './rivals.ts';
import type { SpokenToken } from './spokenTokens.ts';

/** The cost share of a rival, so that it replaces the expected word rather than joining it. */
const rivalShare = 0.95;

/** The costs of expected tokens against the heard vocabulary. Heard tokens with the same meaning share an entry. */
export class PairCosts {
  /** The entry of each heard token. */
  readonly entries: Int32Array;
  readonly #vocabulary: SpokenToken[] = [];
  /** Entries by the first letter of their sound. */
  readonly #bySound = new Map<string, number[]>();
  /** Entries that can match words with another first letter. */
  readonly #special: number[] = [];
  readonly #known = new Map<string, Float64Array>();

  constructor(heard: readonly SpokenToken[]) {
    const entryOf = new Map<string, number>();
    this.entries = Int32Array.from(heard, (token) => {
      const name = nameOf(token);
      const known = entryOf.get(name) ?? this.#add(token);
      entryOf.set(name, known);
      return known;
    });
  }

  of(token: SpokenToken): Float64Array {
    const name = nameOf(token);
    const known = this.#known.get(name);
    if (known) return known;
    const costs = new Float64Array(this.#vocabulary.length).fill(token.weight);
    // Most words have nothing in common, so only those that can match are compared.
    const candidates =
      token.kind === 'word' && token.set === undefined && !mayOppose(token.text)
        ? [...this.#special, ...(this.#bySound.get(token.key.charAt(0)) ?? [])]
        : this.#vocabulary.keys();
    for (const entry of candidates) {
      const other = this.#vocabulary[entry];
      if (other) costs[entry] = pairCost(token, other);
    }
    this.#known.set(name, costs);
    return costs;
  }

  #add(token: SpokenToken): number {
    const entry = this.#vocabulary.push(token) - 1;
    if (token.kind !== 'word' || token.digits !== undefined || token.rivals !== undefined || mayOppose(token.text))
      this.#special.push(entry);
    const sound = token.key.charAt(0);
    const sounding = this.#bySound.get(sound);
    if (sounding) sounding.push(entry);
    else this.#bySound.set(sound, [entry]);
    return entry;
  }
}

/** A token's weight and sound follow from its text and kind. */
const nameOf = ({ kind, text, segments, rivals }: SpokenToken): string =>
  segments === undefined ? `${kind} ${rivals ?? ''} ${text}` : `${kind} ${segments.join(',')}`;

function numberCost(token: SpokenToken, other: SpokenToken): number {
  if (token.digits !== undefined && token.digits === other.digits) return 0.02 * token.weight;
  if (token.kind !== other.kind) return token.weight;
  // "Press one, two for sales": the comma ended the number.
  const segments = other.segments ?? [];
  const inside = segments.length > 1 && (segments.at(-1) === token.text || segments[0] === token.text);
  return (inside ? 0.1 : rivalShare) * token.weight;
}

function pairCost(token: SpokenToken, other: SpokenToken): number {
  if (token.text === other.text && token.kind === other.kind) return 0;
  if (token.kind === 'number' || other.kind === 'number') return numberCost(token, other);
  if (token.kind === 'negation' && other.kind === 'negation') return token.weight / 2;
  // "Not" is never just another word that sounds like it.
  if (token.kind !== other.kind) return Math.max(token.weight, 1);
  if ((token.rivals !== undefined && token.rivals === other.rivals) || areOpposites(token.text, other.text))
    return rivalShare * token.weight;
  return token.weight * (1 - likeness(token, other));
}
