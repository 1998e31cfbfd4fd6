import { PairCosts } from './pairCosts.ts';
import type { SpokenToken } from './spokenTokens.ts';

/** Tokens `expectedFrom` … `expectedTo` stand against `heardFrom` … `heardTo` (exclusive); either side may be empty. `cost` is what the difference weighs; extra words that a placeholder takes in cost nothing. */
export interface AlignedTokens {
  readonly expectedFrom: number;
  readonly expectedTo: number;
  readonly heardFrom: number;
  readonly heardTo: number;
  readonly cost: number;
}

export interface Alignment {
  /** What it costs to end behind each heard token, from 0 to their number. */
  readonly costs: Float32Array;
  /** The pairs of the best way that ends behind a heard token, in order. */
  readonly pairs: (end: number) => AlignedTokens[];
}

/** Extra words inside cost this share of what a missing one costs. */
const extraShare = 0.15;
/** A number cut into other pieces costs this share: whole numbers go first. */
const piecedShare = 0.02;
/** A number may be cut into up to so many pieces on either side, a word into three. */
const mostPieces = 4;
const mostParts = 3;
const step = (expected: number, heard: number): number => expected * (mostPieces + 1) + heard;
const [missing, extra, against] = [step(1, 0), step(0, 1), step(1, 1)];

/**
 * Semi-global alignment (Needleman and Wunsch 1970, with the heard ends free): all of the expected tokens against that stretch of the heard ones that they fit best.
 * Time and memory grow with the product of both lengths.
 */
export function alignTokens(expected: readonly SpokenToken[], heard: readonly SpokenToken[]): Alignment {
  const width = heard.length + 1;
  const costs = new Float32Array((expected.length + 1) * width);
  const steps = new Uint8Array((expected.length + 1) * width);
  const ids = new Map<string, number>();
  const wordOf = (token: SpokenToken): string | undefined => (token.kind === 'number' || token.kind === 'any' ? undefined : token.text);
  const digitsOf = (token: SpokenToken): string | undefined => token.digits;
  const [word1, word2, word3] = [1, 2, mostParts].map((pieces) => joinedIds(expected, ids, wordOf, pieces));
  const [said1, said2, said3] = [1, 2, mostParts].map((pieces) => joinedIds(heard, ids, wordOf, pieces));
  const wantedDigits = Array.from({ length: mostPieces }, (_, index) => joinedIds(expected, ids, digitsOf, index + 1));
  const heardDigits = Array.from({ length: mostPieces }, (_, index) => joinedIds(heard, ids, digitsOf, index + 1));
  const pairCosts = new PairCosts(heard);
  const entries = pairCosts.entries;
  const beside = Float64Array.from(heard, (token) => token.weight * extraShare);
  const none = new Float64Array(width);
  for (let i = 1; i <= expected.length; i += 1) {
    const token = expected[i - 1];
    if (!token || !word1 || !word2 || !word3 || !said1 || !said2 || !said3) break;
    const { weight } = token;
    const row = i * width;
    const above = row - width;
    const any = token.kind === 'any';
    const extraCosts = any ? none : beside;
    const pairs = any ? none : pairCosts.of(token);
    const [word, compound2, compound3] = [word1[i - 1] ?? unknown, word2[i - 1] ?? unknown, word3[i - 1] ?? unknown];
    const hasDigits = wantedDigits[0]?.[i - 1] !== unknown;
    costs[row] = (costs[above] ?? 0) + weight;
    steps[row] = missing;
    for (let j = 1; j < width; j += 1) {
      let best = (costs[above + j] ?? 0) + weight;
      let taken = missing;
      let cost = (costs[row + j - 1] ?? 0) + (extraCosts[j - 1] ?? 0);
      if (cost <= best) { best = cost; taken = extra; }
      if (!any) {
        cost = (costs[above + j - 1] ?? 0) + (pairs[entries[j - 1] ?? 0] ?? weight);
        if (cost <= best) { best = cost; taken = against; }
        const said = said1[j - 1] ?? unknown;
        if (said !== unknown) {
          if (word !== unknown) {
            if (said2[j - 1] === word && (costs[above + j - 2] ?? 0) <= best) { best = costs[above + j - 2] ?? 0; taken = step(1, 2); }
            if (said3[j - 1] === word && (costs[above + j - 3] ?? 0) <= best) { best = costs[above + j - 3] ?? 0; taken = step(1, 3); }
          }
          if (said === compound2 && (costs[above - width + j - 1] ?? 0) <= best) { best = costs[above - width + j - 1] ?? 0; taken = step(2, 1); }
          if (said === compound3 && (costs[above - 2 * width + j - 1] ?? 0) <= best) { best = costs[above - 2 * width + j - 1] ?? 0; taken = step(3, 1); }
        }
        if (hasDigits && heardDigits[0]?.[j - 1] !== unknown && (token.kind === 'number' || heard[j - 1]?.kind === 'number')) {
          for (let a = 1; a <= mostPieces && a <= i; a += 1) {
            const wanted = wantedDigits[a - 1]?.[i - 1] ?? unknown;
            if (wanted === unknown) break;
            for (let b = 1; b <= mostPieces && b <= j; b += 1) {
              if (a + b === 2 || heardDigits[b - 1]?.[j - 1] !== wanted) continue;
              cost = (costs[row - a * width + j - b] ?? 0) + piecedShare * weight;
              if (cost <= best) { best = cost; taken = step(a, b); }
            }
          }
        }
      }
      costs[row + j] = best;
      steps[row + j] = taken;
    }
  }
  const pairs = (end: number): AlignedTokens[] => {
    const found: AlignedTokens[] = [];
    let [i, j] = [expected.length, end];
    while (i > 0) {
      const taken = steps[i * width + j] ?? missing;
      const [wanted, said] = [Math.floor(taken / (mostPieces + 1)), taken % (mostPieces + 1)];
      const cost = (costs[i * width + j] ?? 0) - (costs[(i - wanted) * width + j - said] ?? 0);
      // What a sum of fractions leaves over is no cost.
      found.push({ expectedFrom: i - wanted, expectedTo: i, heardFrom: j - said, heardTo: j, cost: cost < 1e-4 ? 0 : cost });
      i -= wanted;
      j -= said;
    }
    return found.reverse();
  };
  return { costs: costs.slice(expected.length * width), pairs };
}

const unknown = -1;

/** By index: the id of the texts of so many tokens that end there, written together; unknown where one has no text or a sentence ends between them. */
function joinedIds(tokens: readonly SpokenToken[], ids: Map<string, number>, textOf: (token: SpokenToken) => string | undefined, pieces: number): Int32Array {
  const joined = new Int32Array(tokens.length).fill(unknown);
  for (let end = pieces - 1; end < tokens.length; end += 1) {
    let text = '';
    for (let index = end - pieces + 1; index <= end; index += 1) {
      const token = tokens[index];
      const part = token && textOf(token);
      // A sentence may end between the pieces of a number that is dictated, never inside a word.
      if (part === undefined || (index < end && token?.stop === true && token.kind !== 'number')) { text = ''; break; }
      text += part;
    }
    if (text === '') continue;
    const id = ids.get(text) ?? ids.size;
    ids.set(text, id);
    joined[end] = id;
  }
  return joined;
}
