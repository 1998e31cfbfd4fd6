import { distance } from 'fastest-levenshtein';

/** Returns the name that was probably meant: up to two letters and a third of it differ, or only the case. */
export function didYouMean(given: string, known: readonly string[]): string | undefined {
  const near = known
    .map((name) => ({ name, off: distance(given.toLowerCase(), name.toLowerCase()) }))
    .sort((a, b) => a.off - b.off)[0];
  return near && near.off <= Math.min(2, Math.max(1, Math.floor(near.name.length / 3))) ? near.name : undefined;
}
