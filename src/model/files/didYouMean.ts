import { distance } from 'fastest-levenshtein';

/**
 * The known name that was probably meant: at most two letters off, and no more than a third of it; or the same but for
 * upper and lower case.
 */
export function didYouMean(given: string, known: readonly string[]): string | undefined {
  const near = known
    .map((name) => ({ name, off: distance(given.toLowerCase(), name.toLowerCase()) }))
    .sort((a, b) => a.off - b.off)[0];
  return near && near.off <= Math.min(2, Math.max(1, Math.floor(near.name.length / 3))) ? near.name : undefined;
}
