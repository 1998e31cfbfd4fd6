import { similarityOfTokens, type AlignedWords, type Similarity } from '../../heard/similarity.ts';
import { spokenTokens, type SpokenToken } from '../../heard/spokenTokens.ts';
import { mayBeHeardIn } from './heardOut.ts';
import type { SpokenText } from './spokenText.ts';

/**
 * Of one prompt heard twice, recognition misses or makes up a word here and there, seldom a whole clause: so much
 * meaning in one piece is another wording.
 */
const clauseWeight = 2.5;
const alikeScore = 0.8;
/** Less than one word that carries meaning says nothing. */
const minWeight = 1;

/**
 * Whether two transcripts of a prompt say different things: other numbers, keys, days or a "not" more or less; a clause
 * more or less; or too few words in common. What recognition hears differently from call to call is no difference, nor
 * are case, punctuation, fillers and the writing of numbers.
 */
export function saysOtherwise(one: SpokenText, other: SpokenText): boolean {
  if (one.text === other.text) return false;
  const { tokens } = one;
  if (tokens.length === other.tokens.length && tokens.every(({ text }, index) => text === other.tokens[index]?.text))
    return false;
  const [oneWeight, otherWeight] = [weightOf(tokens), weightOf(other.tokens)];
  if (oneWeight < minWeight || otherWeight < minWeight) return Math.max(oneWeight, otherWeight) >= clauseWeight;
  if (!mayBeHeardIn(one, other, alikeScore)) return true;
  const there = similarityOfTokens(tokens, other.tokens);
  if (differs(there)) return true;
  // Words before and after the window were not looked at.
  const isCovered =
    there.window.start <= (other.tokens[0]?.from ?? 0) && there.window.end >= (other.tokens.at(-1)?.to ?? 0);
  return !isCovered && differs(similarityOfTokens(other.tokens, tokens));
}

const differs = ({ score, words }: Similarity): boolean =>
  score < alikeScore || words.some(({ contradicts }) => contradicts) || hasClause(words);
const weightOf = (tokens: readonly SpokenToken[]): number => tokens.reduce((sum, { weight }) => sum + weight, 0);

/** Whether a whole clause has nothing that sounds like it on the other side. */
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
