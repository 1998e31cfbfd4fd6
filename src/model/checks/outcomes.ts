import type { RunOutcome, Verdict } from '../../contract/testRuns.ts';

/** The interface has other words for the verdict of a run than for that of a mission. */
export const verdictOutcomes: Readonly<Record<Verdict, RunOutcome>> = {
  pass: 'PASS',
  fail: 'FAIL',
  inconclusive: 'INCONCLUSIVE',
  error: 'ERROR',
};
