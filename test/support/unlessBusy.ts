import type { RunResults } from '../../src/contract/testRuns.ts';
import { skipFor } from './skipFor.ts';

/** A machine that is busy this many times in a row stays busy. */
const tries = 3;

/**
 * Returns the run of a call that this machine heard in time. If the product says that it was too busy, calls again, and
 * in the end skips the test with the product's reason.
 */
export async function unlessBusy(context: Mocha.Context, call: () => Promise<RunResults>): Promise<RunResults> {
  let reason = '';
  for (let tried = 0; tried < tries; tried += 1) {
    const run = await call();
    const why = [run.reason, ...run.steps.map((step) => step.reason)].find(isBusy);
    if (run.outcome !== 'INCONCLUSIVE' || why === undefined) return run;
    reason = why;
  }
  return skipFor(context, reason);
}

const isBusy = (reason = ''): boolean => /this machine was (?:so|too) busy/.test(reason);
