import type { StepResult } from '../../contract/testRuns.ts';

/**
 * A failure with `stops` ends the test, also that of an optional step where it is `always`; one without, as of a wrong
 * time alone, lets it go on.
 */
export type StepEnd = Omit<StepResult, 'name' | 'optional'> & { readonly stops?: 'required' | 'always' };

export const notReached: StepEnd = { outcome: 'INCONCLUSIVE', reason: 'Not reached.' };
/** Not theirs to answer for: nobody goes on from there. */
export const errorEnd = (reason: string): StepEnd => ({ outcome: 'ERROR', reason, stops: 'always' });
export const failedEnd = (reason: string): StepEnd => ({ outcome: 'FAIL', reason, stops: 'required' });
