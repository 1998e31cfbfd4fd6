import { because, sentence, type Reason, type Sentences } from '../../base/sentences.ts';
import type { StepResult } from '../../contract/testRuns.ts';

/**
 * A failure with `stops` ends the test, even in an optional step if it is `always`. A failure without it, such as wrong
 * timing, lets the test continue.
 */
export type StepEnd = Omit<StepResult, 'name' | 'optional'> & { readonly stops?: 'required' | 'always' };

export const notReachedEnd: StepEnd = { outcome: 'INCONCLUSIVE', ...because(sentence`Not reached.`) };
/** Returns true if a step was carried out, perhaps without success. */
export const isReached = ({ reasonParts }: Reason): boolean =>
  reasonParts?.[0]?.[0] !== notReachedEnd.reasonParts?.[0]?.[0];
/** Not the called side's fault; the test can't continue. */
export const errorEnd = (why: Sentences): StepEnd => ({ outcome: 'ERROR', ...because(why), stops: 'always' });
export const failedEnd = (why: Sentences): StepEnd => ({ outcome: 'FAIL', ...because(why), stops: 'required' });
