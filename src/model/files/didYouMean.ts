import { distance } from 'fastest-levenshtein';

/** A name of another length can't be near enough, and isn't compared. */
const most = 2;

/** Returns the name that was probably meant: up to two letters and a third of it differ, or only the case. */
export function didYouMean(given: string, known: readonly string[]): string | undefined {
  const near = known
    .filter((name) => Math.abs(name.length - given.length) <= most)
    .map((name) => ({ name, off: distance(given.toLowerCase(), name.toLowerCase()) }))
    .sort((a, b) => a.off - b.off)[0];
  return near && near.off <= Math.min(most, Math.max(1, Math.floor(near.name.length / 3))) ? near.name : undefined;
}
