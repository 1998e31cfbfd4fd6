import { similarityOfTokens, type AlignedWords, type Similarity } from '../../heard/similarity.ts';
import { spokenTokens, type SpokenToken } from '../../heard/spokenTokens.ts';
import { mayBeHeardIn } from './heardOut.ts';
import type { SpokenText } from './spokenText.ts';

/**
 * When one prompt is heard twice, recognition loses or adds a word here and there, but rarely a whole clause. This much
 * meaning in one piece is a different wording.
 */
const clauseWeight = 2.5;
const alikeScore = 0.8;
/** Less than one meaningful word says nothing. */
const minWeight = 1;

/**
 * Returns true if two transcripts of a prompt say different things: different numbers, keys, days or negations; an
 * added or missing clause; or too few words in common. Recognition errors, case, punctuation, fillers and the writing
 * of numbers don't count.
 */
export function saysOtherwise(one: SpokenText, other: SpokenText): boolean {
  if (one.text === other.text) return false;
  const { tokens } = one;
  if (spelled(tokens) === spelled(other.tokens)) return false;
  const [oneWeight, otherWeight] = [weightOf(tokens), weightOf(other.tokens)];
  if (oneWeight < minWeight || otherWeight < minWeight) return Math.max(oneWeight, otherWeight) >= clauseWeight;
  if (!mayBeHeardIn(one, other, alikeScore)) return true;
  const there = similarityOfTokens(tokens, other.tokens);
  if (differs(there)) return true;
  // Words before and after the window weren't compared.
  const isCovered =
    there.window.start <= (other.tokens[0]?.from ?? 0) && there.window.end >= (other.tokens.at(-1)?.to ?? 0);
  return !isCovered && differs(similarityOfTokens(other.tokens, tokens));
}

const differs = ({ score, words }: Similarity): boolean =>
  score < alikeScore || words.some(({ contradicts }) => contradicts) || hasClause(words);
/** Words without the spaces between them, because a compound can be one word or two: "log in", "login". */
const spelled = (tokens: readonly SpokenToken[]): string =>
  tokens.map(({ kind, text }) => (kind === 'number' ? ` ${text} ` : text)).join('');
const weightOf = (tokens: readonly SpokenToken[]): number => tokens.reduce((sum, { weight }) => sum + weight, 0);

/** Returns true if a whole clause has no similar counterpart on the other side. */
function hasClause(words: readonly AlignedWords[]): boolean {
  let [lacking, surplus] = [0, 0];
  for (const { outcome, expected, heard } of words) {
    if (outcome === 'same' || outcome === 'alike') [lacking, surplus] = [0, 0];
    else if (outcome === 'extra') surplus += weightOf(spokenTokens(heard, false));
    else lacking += weightOf(spokenTokens(expected, false));
    if (Math.max(lacking, surplus) >= clauseWeight) return true;
  }
  return false;
}
