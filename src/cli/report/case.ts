import type { RunOutcome } from '../../contract/testRuns.ts';
import type { Comparison, Flakiness, Passes } from '../../model/stats/regression.ts';
import type { Finding, ReportRun } from './report.ts';

/** A test, or one row of it, with all of its repeated runs. */
export interface Case extends Passes {
  readonly file: string;
  /** Unique within the file. */
  readonly name: string;
  /** Of the test file. */
  readonly id?: string;
  /** What tells the row of a param test from its other rows. */
  readonly row?: string;
  readonly line?: number;
  readonly runs: readonly ReportRun[];
  /** PASS where every run passed, else the gravest: FAIL, then ERROR, then INCONCLUSIVE. */
  readonly outcome: RunOutcome;
  readonly flakiness: Flakiness;
  readonly seconds: number;
  /** Equal findings of repeated runs are one. */
  readonly findings: readonly (Finding & { readonly times: number })[];
  /** Steps that no run reached; `number` counts from 1. */
  readonly unreached: readonly { readonly number: number; readonly name: string }[];
  readonly comparison?: Comparison & { readonly baseline: Passes };
  /** There is a baseline, and it does not have this test. */
  readonly isNew: boolean;
  /**
   * Whether it makes the whole run fail. A test that is in the baseline: if it has regressed, or if all its calls
   * passed before and none does now. Any other, which nobody has accepted failing: if it did not always pass.
   */
  readonly fails: boolean;
}
