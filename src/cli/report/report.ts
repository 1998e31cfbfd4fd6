import type { MissionTestRun, RunOutcome, RunResults } from '../../contract/testRuns.ts';

/**
 * What `dialtree run` did, as every reporter gets it. Nothing in it is secret: the service has masked what it hands
 * out.
 */
export interface Report {
  readonly files: readonly ReportFile[];
  /** Calls that should have been made and were not. They fail the run. */
  readonly missing: readonly MissingTest[];
  /** Why tests or calls were left out, or a call was broken off; one sentence. It fails the run. */
  readonly cutOff?: string;
  /** How often the tests passed before; a JSON report of an earlier run (see `readBaseline`). */
  readonly baseline?: Baseline;
  /**
   * Where files lie in the repository that holds them (the nearest folder with a `.git`), by their `path`; relative,
   * with slashes.
   */
  readonly repositoryPaths?: ReadonlyMap<string, string>;
  readonly startedAt?: string;
  readonly version?: string;
}

export interface ReportFile {
  /** As the user named it: relative to the folder of the run, or absolute. */
  readonly path: string;
  readonly tests: readonly ReportTest[];
}

export interface ReportTest {
  /** Of the test file. */
  readonly id?: string;
  readonly name: string;
  /** Lines count from 1. */
  readonly line?: number;
  /** By step, in the order of the file. */
  readonly stepLines?: readonly (number | undefined)[];
  readonly acceptanceLine?: number;
  readonly runs: readonly ReportRun[];
}

export interface ReportRun {
  readonly results: (RunResults & { readonly name: string }) | MissionTestRun;
  readonly seconds: number;
  /**
   * The row of a param test, from 0. Without it rows are told apart by their values alone, of which masked ones are all
   * alike.
   */
  readonly row?: number;
}

export interface MissingTest {
  readonly path: string;
  /** Of the test file. */
  readonly id?: string;
  readonly name?: string;
  readonly line?: number;
  /** One sentence or two: why there was no call. */
  readonly reason: string;
  /** How many; one where it is absent. */
  readonly calls?: number;
}

/** Passes by test. */
export interface Baseline {
  readonly tests: readonly BaselineTest[];
}

export interface BaselineTest {
  readonly file: string;
  /** With the row of a param test. */
  readonly name: string;
  /** Of the test file; absent in reports of before ids stood in them. */
  readonly id?: string | undefined;
  /** What tells the row of a param test from its other rows. */
  readonly row?: string | undefined;
  readonly passed: number;
  readonly of: number;
}

/** Something that did not go as it should, and where it is written. */
export interface Finding {
  readonly kind: 'step' | 'acceptance' | 'compliance' | 'run';
  readonly outcome: Exclude<RunOutcome, 'PASS'>;
  /** Failed, but the file says that it may. */
  readonly optional: boolean;
  readonly title: string;
  /** One sentence. */
  readonly message: string;
  readonly details: readonly (readonly [label: string, text: string])[];
  readonly line?: number;
}
