import type { StepResult } from '../../contract/testRuns.ts';

/**
 * A failure with `stops` ends the test, even in an optional step if it is `always`. A failure without it, such as wrong
 * timing, lets the test continue.
 */
export type StepEnd = Omit<StepResult, 'name' | 'optional'> & { readonly stops?: 'required' | 'always' };

export const notReached: StepEnd = { outcome: 'INCONCLUSIVE', reason: 'Not reached.' };
/** Not the called side's fault; the test can't continue. */
export const errorEnd = (reason: string): StepEnd => ({ outcome: 'ERROR', reason, stops: 'always' });
export const failedEnd = (reason: string): StepEnd => ({ outcome: 'FAIL', reason, stops: 'required' });
