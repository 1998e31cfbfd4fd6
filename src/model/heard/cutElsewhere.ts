import { distance } from 'fastest-levenshtein';
import type { AlignedTokens } from './alignWords.ts';
import { soundKey } from './homophones.ts';
import { areOpposites } from './rivals.ts';
import type { SpokenToken } from './spokenTokens.ts';

/** The minimum number of consonants; with fewer, too much sounds alike. */
const minSounds = 4;
const minAlike = 0.6;
/** The minimum similarity in spelling and length, because the sounds don't include vowels. */
const minWritten = 0.33;

/**
 * Recognition hears the sounds but can divide them into other words: "balance is" becomes "bell insists", "an
 * appointment" becomes "can a point meant". Comparing word by word doesn't show this. Spans of wrong words that sound
 * alike as a whole cost less here, by their similarity. Numbers, negations and mutually exclusive words are never part
 * of such a span.
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
