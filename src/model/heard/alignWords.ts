import { PairCosts } from './pairCosts.ts';
import { maxPieces, Pieces, type Whole } from './pieces.ts';
import type { Sliced } from '../sliced.ts';
import type { SpokenToken } from './spokenTokens.ts';

/**
 * Tokens `expectedFrom` … `expectedTo` stand against `heardFrom` … `heardTo` (exclusive); either side may be empty.
 * `cost` is what the difference weighs; extra words that a placeholder takes in cost nothing.
 */
export interface AlignedTokens {
  readonly expectedFrom: number;
  readonly expectedTo: number;
  readonly heardFrom: number;
  readonly heardTo: number;
  readonly cost: number;
}

export interface Alignment {
  /** What it costs to end behind each heard token, from 0 to their number. */
  readonly costs: Float64Array;
  /** The pairs of the best way that ends behind a heard token, in order. */
  readonly pairs: (end: number) => AlignedTokens[];
}

/** Extra words inside cost this share of what a missing one costs. */
const extraShare = 0.15;
const step = (expected: number, heard: number): number => expected * (maxPieces + 1) + heard;
const nothing: Whole = { end: -1, wanted: 0, said: 0, share: 0 };
const [missing, extra, against] = [step(1, 0), step(0, 1), step(1, 1)];

/** So many cells are filled in some milliseconds. */
const cellsASlice = 25_000;

/**
 * Semi-global alignment (Needleman and Wunsch 1970, with the heard ends free): all of the expected tokens against that
 * stretch of the heard ones that they fit best. Time and memory grow with the product of both lengths.
 */
export function* alignTokens(expected: readonly SpokenToken[], heard: readonly SpokenToken[]): Sliced<Alignment> {
  const width = heard.length + 1;
  // Of the costs only the rows are kept that a step may come from; of the steps all.
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
