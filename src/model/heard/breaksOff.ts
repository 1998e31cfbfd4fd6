import type { Similarity } from './similarity.ts';

/** Returns true if the heard text (of this many words) is the beginning of the expected text and no more. */
export function breaksOff({ words, window }: Similarity, heard: number): boolean {
  const last = words.findLastIndex(({ outcome }) => outcome !== 'missing');
  const begun = words.slice(0, last + 1);
  const fitting = begun.filter(({ outcome }) => outcome === 'same' || outcome === 'alike').length;
  return (
    last >= 0 &&
    last < words.length - 1 &&
    window.end >= heard &&
    fitting * 2 > begun.length &&
    !begun.some(({ contradicts }) => contradicts) &&
    begun[last]?.outcome !== 'wrong'
  );
}
