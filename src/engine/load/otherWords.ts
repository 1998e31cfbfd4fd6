import { breaksOff } from '../../model/heard/breaksOff.ts';
import { similarity } from '../../model/heard/similarity.ts';

/** From this share of lost packets on, a prompt can sound different, and words can be recognised wrongly. */
export const audibleLoss = 0.02;
/** Words this similar are the expected ones, badly heard. */
const damaged = 0.5;

interface OtherWords {
  /** What was recognised. */
  readonly text: string;
  /** False if more was said. */
  readonly isWhole: boolean;
  /** So much audio was lost that words can be missing. */
  readonly isDamaged: boolean;
}

/** Returns true if a prompt that sounded different from the reference had the expected words after all. */
export function areExpected(
  { expected, passThreshold }: { readonly expected: string; readonly passThreshold: number },
  { text, isWhole, isDamaged }: OtherWords,
): boolean {
  const match = similarity(expected, text);
  if (match.score >= (isDamaged ? Math.min(damaged, passThreshold) : passThreshold)) return true;
  // The last word may be cut off.
  const words = text.split(/\s+/).slice(0, -1);
  return !isWhole && breaksOff(similarity(expected, words), words.length);
}
