import { similarityOfTokens } from '../similarity.ts';
import { isNumberWord } from '../spokenNumbers.ts';
import type { SpokenText } from './spokenText.ts';

/** Below this share of common sounds nobody would take one text for the other, however recognition cut and wrote its words. */
const leastCommon = 0.6;
/** Of what is no common word, sounds that follow each other alike count double: words that are heard otherwise keep half of them. */
const restFactor = 2;
const tableSize = 1024;
const table = new Int16Array(tableSize);

/** How much of each text is heard in the other, from 0 to 1, the lesser of the two; 0 where `least` is not in reach. Texts that have too little in common are not aligned. */
export function heardOut(one: SpokenText, other: SpokenText, least: number): number {
  if (!mayBeAlike(one, other)) return 0;
  const there = similarityOfTokens(one.tokens, other.tokens).score;
  return there < least ? 0 : Math.min(there, similarityOfTokens(other.tokens, one.tokens).score);
}

/** Words in common, and pairs of neighbouring sounds (q-grams, Ukkonen 1992) in what is left: both are counted in the length of the texts. */
export function mayBeAlike(one: SpokenText, other: SpokenText): boolean {
  const [left, right] = [restOf(one, other), restOf(other, one)];
  // One and the same number is written in ways that share no sound.
  if (left.isNumber || right.isNumber) return true;
  const length = Math.max(one.sounds.length, other.sounds.length);
  if (length === 0) return true;
  const rest = Math.max(left.sounds.length, right.sounds.length) / length;
  return 1 - rest + rest * Math.min(1, restFactor * pairsInCommon(left.sounds, right.sounds)) >= leastCommon;
}
