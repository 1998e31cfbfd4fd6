import { distance } from 'fastest-levenshtein';
import type { AlignedTokens } from './alignWords.ts';
import { soundKey } from './homophones.ts';
import { areOpposites } from './rivals.ts';
import type { SpokenToken } from './spokenTokens.ts';

/** Consonants that a stretch has at least: of fewer, too much sounds alike. */
const minSounds = 4;
const minAlike = 0.6;
/** So alike in writing, or as long; vowels are not among the sounds. */
const minWritten = 0.33;

/**
 * Recognition hears the sounds and may cut them into other words: "balance is" becomes "bell insists", "an appointment"
 * "can a point meant". Words compared one by one show nothing of that. Stretches of wrong words that sound alike as a
 * whole cost less here, by as much as they are alike. Numbers, negations and words that exclude each other are never
 * such a stretch.
 */
export function withCutElsewhere(
  pairs: readonly AlignedTokens[],
  wanted: readonly SpokenToken[],
  said: readonly SpokenToken[],
): AlignedTokens[] {
  const all: AlignedTokens[] = [];
  for (let from = 0; from < pairs.length;) {
    let to = from;
    while (to < pairs.length && isOdd(pairs[to], wanted, said)) to += 1;
    const stretch = pairs.slice(from, to);
    const alike = stretch.length < 2 ? 0 : likenessOf(stretch, wanted, said);
    for (const pair of stretch) all.push(alike === 0 ? pair : { ...pair, cost: pair.cost * (1 - alike) });
    const next = pairs[to];
    if (next) all.push(next);
    from = to + 1;
  }
  return all;
}

function isOdd(pair: AlignedTokens | undefined, wanted: readonly SpokenToken[], said: readonly SpokenToken[]): boolean {
  if (!pair || pair.cost === 0) return false;
  const tokens = [...wanted.slice(pair.expectedFrom, pair.expectedTo), ...said.slice(pair.heardFrom, pair.heardTo)];
  return tokens.every(({ kind, rivals }) => kind === 'word' && rivals === undefined);
}

function likenessOf(
  stretch: readonly AlignedTokens[],
  wanted: readonly SpokenToken[],
  said: readonly SpokenToken[],
): number {
  const [expected, heard] = [
    stretch.flatMap(({ expectedFrom, expectedTo }) => wanted.slice(expectedFrom, expectedTo)),
    stretch.flatMap(({ heardFrom, heardTo }) => said.slice(heardFrom, heardTo)),
  ];
  if (expected.some((one) => heard.some((other) => areOpposites(one.text, other.text)))) return 0;
  const [a, b] = [expected, heard].map((tokens) => tokens.map(({ text }) => text).join('')) as [string, string];
  const [one, other] = [soundKey(a), soundKey(b)];
  if (Math.min(one.length, other.length) < minSounds) return 0;
  const alike = 1 - distance(one, other) / Math.max(one.length, other.length);
  return alike >= minAlike && 1 - distance(a, b) / Math.max(a.length, b.length) >= minWritten ? alike : 0;
}
