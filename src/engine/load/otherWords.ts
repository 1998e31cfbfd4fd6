import { breaksOff } from '../../model/heard/breaksOff.ts';
import { similarity, type Similarity } from '../../model/heard/similarity.ts';

/** From this share of lost packets on, a prompt can sound different, and words can be recognised wrongly. */
export const audibleLoss = 0.02;
/** Words this similar are the expected ones, badly heard. */
const damaged = 0.5;
/** The same for the words whose sound isn't known, in the middle of others. */
const misheard = 0.6;

interface OtherWords {
  /** What was recognised, with the known words around it. */
  readonly text: string;
  /** Indexes of the words of `text` that were recognised. Default: all. */
  readonly recognised?: ReadonlySet<number> | undefined;
  /** False if more was said. */
  readonly isWhole: boolean;
  /** So much audio was lost that words can be missing. */
  readonly isDamaged: boolean;
}

/** Returns true if a prompt that sounded different from the reference had the expected words after all. */
export function areExpected(
  { expected, passThreshold }: { readonly expected: string; readonly passThreshold: number },
  { text, recognised, isWhole, isDamaged }: OtherWords,
): boolean {
  const match = similarity(expected, text);
  if (match.score >= (isDamaged ? Math.min(damaged, passThreshold) : passThreshold))
    return recognised === undefined || agreement(match, recognised) >= (isDamaged ? damaged : misheard);
  // The last word may be cut off.
  const words = text.split(/\s+/).slice(0, -1);
  return !isWhole && breaksOff(similarity(expected, words), words.length);
}

/** Returns the share of the expected words that were heard, among those that known words don't account for. */
function agreement({ words }: Similarity, recognised: ReadonlySet<number>): number {
  const doubtful = words.filter(
    ({ expected, at }) =>
      expected !== '' && (!at || [...recognised].some((index) => index >= at.start && index < at.end)),
  );
  const agreed = doubtful.filter(({ outcome }) => outcome === 'same' || outcome === 'alike' || outcome === 'any');
  return doubtful.length === 0 ? 1 : agreed.length / doubtful.length;
}
