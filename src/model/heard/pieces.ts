import type { SpokenToken } from './spokenTokens.ts';

/** A number can be cut into this many pieces on either side, and a word into three. */
export const maxPieces = 4;
const maxParts = 3;
/** The extra cost of a number in other pieces, so that whole numbers are preferred. */
const piecedShare = 0.02;

/** So many expected tokens equal so many heard ones: "login" and "log in", "1 800" and "one eight hundred". */
export interface Whole {
  /** The number of heard tokens before its end. */
  readonly end: number;
  readonly wanted: number;
  readonly said: number;
  /** The share of the last expected token's weight. */
  readonly share: number;
}

/** Finds what is written separately on one side and together on the other. Such places are few, so it looks them up. */
export class Pieces {
  readonly #expected: readonly SpokenToken[];
  readonly #heard: readonly SpokenToken[];
  /** Text → the heard tokens that it ends with, and their number. */
  readonly #words: Places = new Map();
  readonly #digits: Places = new Map();

  constructor(expected: readonly SpokenToken[], heard: readonly SpokenToken[]) {
    this.#expected = expected;
    this.#heard = heard;
    const prefixes = new Set<string>();
    const compounds = new Set<string>();
    expected.forEach((token, index) => {
      if (token.kind === 'number' || token.kind === 'any') return;
      for (let length = 1; length < token.text.length; length += 1) prefixes.add(token.text.slice(0, length));
      for (let parts = 2; parts <= maxParts; parts += 1) {
        const text = together(expected, index, parts, 'text');
        if (text !== undefined) compounds.add(text);
      }
    });
    heard.forEach((token, index) => {
      if (token.digits !== undefined) {
        for (let parts = 1; parts <= maxPieces; parts += 1)
          note(this.#digits, together(heard, index, parts, 'digits'), index, parts);
      }
      if (token.kind === 'number') return;
      if (compounds.has(token.text)) note(this.#words, token.text, index, 1);
      for (let parts = 2; parts <= maxParts; parts += 1) {
        const first = heard[index - parts + 1];
        if (first && prefixes.has(first.text)) note(this.#words, together(heard, index, parts, 'text'), index, parts);
      }
    });
  }

  /** Returns the wholes that end with the expected token at an index, by their end. */
  endsFor(index: number): readonly Whole[] {
    const token = this.#expected[index];
    if (!token) return [];
    const words = token.kind === 'number' ? [] : this.#wordsEnding(index);
    const digits = token.digits === undefined ? [] : this.#digitsEnding(index, token.kind === 'number');
    return [...words, ...digits].sort((a, b) => a.end - b.end);
  }

  #wordsEnding(index: number): Whole[] {
    const found: Whole[] = [];
    for (let wanted = 1; wanted <= maxParts; wanted += 1) {
      const text = together(this.#expected, index, wanted, 'text');
      for (const { end, said } of placesOf(this.#words, text))
        if ((wanted === 1) !== (said === 1)) found.push({ end: end + 1, wanted, said, share: 0 });
    }
    return found;
  }

  #digitsEnding(index: number, isNumber: boolean): Whole[] {
    const found: Whole[] = [];
    for (let wanted = 1; wanted <= maxPieces; wanted += 1) {
      const digits = together(this.#expected, index, wanted, 'digits');
      for (const { end, said } of placesOf(this.#digits, digits))
        if (wanted + said > 2 && (isNumber || this.#heard[end]?.kind === 'number'))
          found.push({ end: end + 1, wanted, said, share: piecedShare });
    }
    return found;
  }
}

interface PiecePlace {
  readonly end: number;
  readonly said: number;
}
type Places = Map<string, PiecePlace[]>;

const placesOf = (places: Places, text: string | undefined): readonly PiecePlace[] =>
  (text === undefined ? undefined : places.get(text)) ?? [];

function note(places: Places, text: string | undefined, end: number, said: number): void {
  if (text === undefined) return;
  const known = places.get(text);
  if (known) known.push({ end, said });
  else places.set(text, [{ end, said }]);
}

/**
 * Returns the text, or digits, of this many tokens up to an index, written together. Undefined if one has none, or a
 * sentence ends between them.
 */
function together(
  tokens: readonly SpokenToken[],
  end: number,
  parts: number,
  what: 'text' | 'digits',
): string | undefined {
  let text = '';
  for (let index = end - parts + 1; index <= end; index += 1) {
    const token = tokens[index];
    if (!token || token.kind === 'any' || (what === 'text' && token.kind === 'number')) return undefined;
    const part = token[what];
    // A sentence can end between the pieces of a dictated number, but never inside a word.
    if (part === undefined || (index < end && token.stop && token.kind !== 'number')) return undefined;
    text += part;
  }
  return text;
}
