import { PairCosts } from './pairCosts.ts';
import { maxPieces, Pieces, type Whole } from './pieces.ts';
import type { Sliced } from '../sliced.ts';
import type { SpokenToken } from './spokenTokens.ts';

/**
 * Tokens `expectedFrom` … `expectedTo` are aligned with `heardFrom` … `heardTo` (exclusive). Either side can be empty.
 * `cost` is the weight of the difference. Extra words that a placeholder covers cost nothing.
 */
export interface AlignedTokens {
  readonly expectedFrom: number;
  readonly expectedTo: number;
  readonly heardFrom: number;
  readonly heardTo: number;
  readonly cost: number;
}

interface Alignment {
  /** The cost of an alignment that ends after each heard token, from 0 to their number. */
  readonly costs: Float64Array;
  /** Returns the pairs of the best alignment that ends after a heard token, in order. */
  readonly pairs: (end: number) => AlignedTokens[];
}

/** Extra words inside cost this share of a missing word. */
const extraShare = 0.15;
const step = (expected: number, heard: number): number => expected * (maxPieces + 1) + heard;
const nothing: Whole = { end: -1, wanted: 0, said: 0, share: 0 };
const [missing, extra, against] = [step(1, 0), step(0, 1), step(1, 1)];

/** This many cells take a few milliseconds. */
const cellsASlice = 25_000;

/**
 * Semi-global alignment (Needleman and Wunsch 1970, with the heard ends free): all of the expected tokens against the
 * part of the heard ones that matches best. Time and memory grow with the product of both lengths.
 */
export function* alignTokens(expected: readonly SpokenToken[], heard: readonly SpokenToken[]): Sliced<Alignment> {
  const width = heard.length + 1;
  // Only the rows of costs that a step can come from are kept, but all steps.
  const costs = new Float64Array((maxPieces + 1) * width);
  const steps = new Uint8Array((expected.length + 1) * width);
  const pieces = new Pieces(expected, heard);
  const pairCosts = new PairCosts(heard);
  const entries = pairCosts.entries;
  const beside = Float64Array.from(heard, (token) => token.weight * extraShare);
  const free = new Float64Array(width);
  const rowOf = (index: number): number => (index % (maxPieces + 1)) * width;
  let cells = 0;
  for (let i = 1; i <= expected.length; i += 1) {
    const token = expected[i - 1];
    if (!token) break;
    cells += width;
    if (cells > cellsASlice) {
      yield;
      cells = 0;
    }
    const { weight } = token;
    const row = rowOf(i);
    const above = rowOf(i - 1);
    const stepRow = i * width;
    const any = token.kind === 'any';
    const extraCosts = any ? free : beside;
    const pairs = any ? free : pairCosts.of(token);
    const wholes = any ? [] : pieces.endsFor(i - 1);
    let next = 0;
    let nextEnd = wholes[0]?.end ?? -1;
    let across = costs[above] ?? 0;
    let left = across + weight;
    costs[row] = left;
    steps[stepRow] = missing;
    for (let j = 1; j < width; j += 1) {
      const up = costs[above + j] ?? 0;
      let best = up + weight;
      let taken = missing;
      let cost = left + (extraCosts[j - 1] ?? 0);
      if (cost <= best) {
        best = cost;
        taken = extra;
      }
      if (!any) {
        cost = across + (pairs[entries[j - 1] ?? 0] ?? 0);
        if (cost <= best) {
          best = cost;
          taken = against;
        }
        while (nextEnd === j) {
          const { wanted, said, share } = wholes[next] ?? nothing;
          cost = (costs[rowOf(i - wanted) + j - said] ?? 0) + share * weight;
          if (cost <= best) {
            best = cost;
            taken = step(wanted, said);
          }
          next += 1;
          nextEnd = wholes[next]?.end ?? -1;
        }
      }
      costs[row + j] = best;
      steps[stepRow + j] = taken;
      across = up;
      left = best;
    }
  }
  const costOf = (i: number, j: number, wanted: number, said: number): number => {
    const token = expected[i - 1];
    if (!token || wanted + said > 2) return 0;
    if (said === 0) return token.weight;
    if (wanted === 0) return token.kind === 'any' ? 0 : (beside[j - 1] ?? 0);
    return pairCosts.of(token)[entries[j - 1] ?? 0] ?? 0;
  };
  const pairs = (end: number): AlignedTokens[] => {
    const found: AlignedTokens[] = [];
    let [i, j] = [expected.length, end];
    while (i > 0) {
      const taken = steps[i * width + j] ?? missing;
      const [wanted, said] = [Math.floor(taken / (maxPieces + 1)), taken % (maxPieces + 1)];
      found.push({
        expectedFrom: i - wanted,
        expectedTo: i,
        heardFrom: j - said,
        heardTo: j,
        cost: costOf(i, j, wanted, said),
      });
      i -= wanted;
      j -= said;
    }
    return found.reverse();
  };
  return { costs: costs.slice(rowOf(expected.length), rowOf(expected.length) + width), pairs };
}
