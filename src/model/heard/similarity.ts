import { alignTokens, type AlignedTokens } from './alignWords.ts';
import { contradictions, type Contradiction } from './contradictions.ts';
import { withCutElsewhere } from './cutElsewhere.ts';
import { atOnce, type Sliced } from '../sliced.ts';
import { comparableTokens } from './spokenForms.ts';
import { spokenTokens, type SpokenToken } from './spokenTokens.ts';

/** Aligned words. `expected` is empty for an extra word, `heard` for a missing one. */
export interface AlignedWords {
  readonly expected: string;
  readonly heard: string;
  /** `same` includes differences in spelling; recognition can confuse `alike` ones; `any` is a placeholder. */
  readonly outcome: 'same' | 'alike' | 'wrong' | 'missing' | 'extra' | 'any';
  /** Another number, or an additional "not": it changes the meaning. */
  readonly contradicts: boolean;
  /** Indexes of the heard words, `end` exclusive; absent if nothing was heard. */
  readonly at?: { readonly start: number; readonly end: number };
}

export interface Similarity {
  /** How much of the expected transcript was heard, from 0 to 1. */
  readonly score: number;
  /** The heard words that were compared, `end` exclusive; empty if nothing matches. */
  readonly window: { readonly start: number; readonly end: number };
  /** In the order of speech, without what was heard outside the window. */
  readonly words: readonly AlignedWords[];
}

/** The factor for each contradiction: one alone takes the score below the usual threshold of 0.8. */
const contradictionFactor = 0.75;

/**
 * Returns how much of an expected transcript was heard, and where.
 *
 * Case, punctuation, fillers, ways of writing numbers, homophones and compounds ("log in", "login") don't matter. Words
 * before and after the best matching part cost nothing, extra words inside it a little, wrong and missing words their
 * weight. The score is the share of the weight that was heard, times 0.75 for each contradiction: another number,
 * weekday, key or amount than expected, or an additional or missing negation.
 *
 * English. In the expected text, a separate `*` is any words, or none; write "star" for the key. If nothing else is
 * expected, any words score 1; an expected text without words always does.
 * @param heard A text, or its words. The indexes of the result count those words, or the words of the text between
 *   white space.
 */
export function similarity(expected: string, heard: string | readonly string[]): Similarity {
  return atOnce(similaritySliced(expected, heard));
}

/** The same for long texts, without blocking other work. */
export function* similaritySliced(expected: string, heard: string | readonly string[]): Sliced<Similarity> {
  const wanted = comparableTokens(expected, true);
  yield;
  return yield* ofTokens(wanted, comparableTokens(heard, false));
}

/** Returns true if an expected text contains something that can be heard: a word, or a `*` for any. */
export const expectsWords = (expected: string): boolean =>
  spokenTokens(expected, true).some(({ kind, weight }) => kind === 'any' || weight > 0);

/** The same for texts that are already tokens, such as those that are compared with several. */
export const similarityOfTokens = (wanted: readonly SpokenToken[], said: readonly SpokenToken[]): Similarity =>
  atOnce(ofTokens(wanted, said));

function* ofTokens(wanted: readonly SpokenToken[], said: readonly SpokenToken[]): Sliced<Similarity> {
  const total = wanted.reduce((sum, token) => sum + token.weight, 0);
  if (total === 0)
    return {
      score: said.length > 0 || !wanted.some(({ kind }) => kind === 'any') ? 1 : 0,
      window: { start: 0, end: wanted.length === 0 ? 0 : (said.at(-1)?.to ?? 0) },
      words: [],
    };
  const { costs, pairs: pairsTo } = yield* alignTokens(wanted, said);
  let best: {
    readonly score: number;
    readonly pairs: readonly AlignedTokens[];
    readonly against: readonly Contradiction[];
  } = { score: 0, pairs: [], against: [] };
  for (;;) {
    const end = cheapest(costs);
    const share = 1 - (costs[end] ?? total) / total;
    // The other ends can't have a better share than this one.
    if (share <= best.score) break;
    costs[end] = Infinity;
    yield;
    const aligned = trimmed(pairsTo(end));
    const pairs = withCutElsewhere(aligned, wanted, said);
    const against = contradictions(pairs, wanted, said);
    const score = (share + (costOf(aligned) - costOf(pairs)) / total) * contradictionFactor ** against.length;
    if (score > best.score) best = { score, pairs, against };
  }
  const inside = best.pairs.filter(({ heardFrom, heardTo }) => heardTo > heardFrom);
  const first = said[inside[0]?.heardFrom ?? -1];
  const last = said[(inside.at(-1)?.heardTo ?? 0) - 1];
  return {
    score: best.score,
    window: { start: first?.from ?? 0, end: last?.to ?? 0 },
    words: (best.pairs.length > 0 ? best.pairs : allMissing(wanted)).flatMap((pair) =>
      wordsOf(pair, wanted, said, best.against),
    ),
  };
}

const costOf = (pairs: readonly AlignedTokens[]): number => pairs.reduce((sum, { cost }) => sum + cost, 0);

/** Returns the first of the ends with the lowest cost. */
function cheapest(costs: Float64Array): number {
  let [end, least] = [0, Infinity];
  for (let index = 0; index < costs.length; index += 1) {
    const cost = costs[index] ?? Infinity;
    if (cost < least) {
      end = index;
      least = cost;
    }
  }
  return end;
}

/** Removes extra words at the ends that a placeholder may have covered. */
function trimmed(pairs: readonly AlignedTokens[]): readonly AlignedTokens[] {
  const taken = ({ expectedFrom, expectedTo, heardFrom, heardTo }: AlignedTokens): boolean =>
    expectedTo > expectedFrom && heardTo > heardFrom;
  const first = pairs.findIndex(taken);
  const last = pairs.findLastIndex(taken);
  return pairs.filter(
    ({ expectedFrom, expectedTo }, index) => expectedTo > expectedFrom || (index > first && index < last),
  );
}

const allMissing = (wanted: readonly SpokenToken[]): AlignedTokens[] =>
  wanted.map(({ weight }, index) => ({
    expectedFrom: index,
    expectedTo: index + 1,
    heardFrom: 0,
    heardTo: 0,
    cost: weight,
  }));

function wordsOf(
  { expectedFrom, expectedTo, heardFrom, heardTo, cost }: AlignedTokens,
  wanted: readonly SpokenToken[],
  said: readonly SpokenToken[],
  against: readonly Contradiction[],
): AlignedWords[] {
  const expected = wanted.slice(expectedFrom, expectedTo);
  const heard = said.slice(heardFrom, heardTo);
  if (expected.some(({ kind }) => kind === 'any')) return [];
  const weight = expected.reduce((sum, token) => sum + token.weight, 0);
  const outcome =
    heard.length === 0
      ? 'missing'
      : expected.length === 0
        ? cost === 0
          ? 'any'
          : 'extra'
        : cost < 0.05 * weight
          ? 'same'
          : cost < 0.5 * weight
            ? 'alike'
            : 'wrong';
  const contradicts = against.some(
    (one) =>
      (one.expected !== undefined && one.expected >= expectedFrom && one.expected < expectedTo) ||
      (one.heard !== undefined && one.heard >= heardFrom && one.heard < heardTo),
  );
  const shown = (tokens: readonly SpokenToken[]): string => tokens.map((token) => token.shown).join(' ');
  const [first, last] = [heard[0], heard.at(-1)];
  return [
    {
      expected: shown(expected),
      heard: shown(heard),
      outcome,
      contradicts,
      ...(first && last ? { at: { start: first.from, end: last.to } } : {}),
    },
  ];
}
