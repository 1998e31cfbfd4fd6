import type { RunOutcome } from '../../contract/testRuns.ts';
import type { RateComparison, Flakiness, Passes } from '../../model/stats/regression.ts';
import type { ReportFinding, ReportRun } from './report.ts';

/** A test, or one row of it, with all its repeated runs. */
export interface Case extends Passes {
  readonly file: string;
  /** Unique within the file. */
  readonly name: string;
  readonly id?: string;
  /** Distinguishes the row of a param test from its other rows. */
  readonly row?: string;
  readonly line?: number;
  readonly runs: readonly ReportRun[];
  /**
   * The last retry decides. Without retries, PASS if every run passed, otherwise the worst outcome: FAIL, then ERROR,
   * then INCONCLUSIVE.
   */
  readonly outcome: RunOutcome;
  readonly flakiness: Flakiness;
  /** Runs after the first are retries of calls that didn't pass. */
  readonly retried: boolean;
  readonly seconds: number;
  /** Equal findings of repeated runs are merged. */
  readonly findings: readonly (ReportFinding & { readonly times: number })[];
  /** Steps that no run reached. `number` starts at 1. */
  readonly unreached: readonly { readonly number: number; readonly name: string }[];
  readonly comparison?: RateComparison & { readonly baseline: Passes };
  /** There is a baseline, and it doesn't contain this test. */
  readonly isNew: boolean;
  /**
   * Whether the case makes the whole run fail. A test in the baseline fails the run if it has regressed, or if all its
   * calls passed before and none does now. Any other test fails the run if it didn't always pass.
   */
  readonly fails: boolean;
}
