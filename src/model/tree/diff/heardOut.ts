import { wordSoundOf } from '../../heard/homophones.ts';
import { similarityOfTokens } from '../../heard/similarity.ts';
import { heardAsDigit, soundsDigit, soundsNumber, weightOfSound, type SpokenText } from './spokenText.ts';

/** Misheard words keep about half of their sounds. */
const keptShare = 0.5;
/** The maximum error of the estimate. */
const slack = 0.05;
const tableSize = 4096;

/**
 * Returns how much of each text is heard in the other, from 0 to 1: the lesser of the two. Undefined if that is
 * certainly less than `least`: texts that share too little aren't aligned.
 */
export function heardOut(one: SpokenText, other: SpokenText, least: number): number | undefined {
  if (!mayBeHeardIn(one, other, least) || !mayBeHeardIn(other, one, least)) return undefined;
  const there = similarityOfTokens(one.tokens, other.tokens).score;
  return there < least ? there : Math.min(there, similarityOfTokens(other.tokens, one.tokens).score);
}

/**
 * Returns false if the similarity of a text to another, from 0 to 1, is certainly less than this, without aligning
 * them: by the equal words, and by the neighbouring sounds (q-grams, Ukkonen 1992) that the others share.
 */
export function mayBeHeardIn(one: SpokenText, other: SpokenText, similarity: number): boolean {
  const lacking = restOf(one, other);
  let [whole, rest] = [0, 0];
  for (const [sound, count] of one.bag) whole += weightOfSound(sound) * count;
  for (const sound of lacking) rest += weightOfSound(sound);
  const needed = similarity - slack;
  if (whole === 0 || 1 - rest / whole >= needed) return true;
  const surplus = restOf(other, one);
  if (mayBeSameNumber(lacking, surplus)) return true;
  return (
    1 - (rest / whole) * Math.max(0, 1 - pairsInCommon(consonants(lacking), consonants(surplus)) / keptShare) >= needed
  );
}

/** The same number can be written in ways that share no sound. */
const mayBeSameNumber = (one: readonly string[], other: readonly string[]): boolean =>
  (one.some(soundsNumber) && other.some(soundsNumber)) ||
  (one.some(soundsDigit) && other.some(heardAsDigit)) ||
  (one.some(heardAsDigit) && other.some(soundsDigit));

function restOf({ bag }: SpokenText, other: SpokenText): string[] {
  const rest: string[] = [];
  for (const [sound, count] of bag)
    for (let left = count - (other.bag.get(sound) ?? 0); left > 0; left -= 1) rest.push(sound);
  return rest;
}

/** A word with one consonant is written out. */
const consonants = (sounds: readonly string[]): string =>
  sounds.map((sound) => (/^[a-z]/.test(sound) ? wordSoundOf(sound).key : sound)).join('');

const table = new Int16Array(tableSize);

/** Returns the share of neighbouring pairs that two texts of sounds have in common (Dice 1945). */
function pairsInCommon(one: string, other: string): number {
  const [ours, theirs] = [pairsOf(one), pairsOf(other)];
  for (const pair of ours) table[pair] = (table[pair] ?? 0) + 1;
  let both = 0;
  for (const pair of theirs) {
    const left = table[pair] ?? 0;
    if (left > 0) {
      both += 1;
      table[pair] = left - 1;
    }
  }
  for (const pair of ours) table[pair] = 0;
  return (2 * both) / Math.max(1, ours.length + theirs.length);
}

/** A vowel counts only at the beginning of a word, and words are divided differently each time. */
function pairsOf(sounds: string): number[] {
  const pairs: number[] = [];
  let before = -1;
  for (let at = 0; at < sounds.length; at += 1) {
    const sound = sounds.charCodeAt(at);
    if (sound === vowel) continue;
    if (before >= 0) pairs.push((before * 61 + sound) % tableSize);
    before = sound;
  }
  return pairs;
}

const vowel = 'A'.charCodeAt(0);
