import type { PageFiles } from '../../base/savedPage.ts';
import type { RunOutcome } from '../../contract/testRuns.ts';
import type { RunEnding } from '../../runner/runTest.ts';

/**
 * The results of `dialtree run`, as every reporter receives them. They contain no secrets, because the service masks
 * its responses.
 */
export interface Report {
  readonly tests: readonly ReportTest[];
  /** Calls that were planned but not made. They fail the run. */
  readonly missing: readonly MissingTest[];
  /** Why tests or calls were left out, or a call was interrupted, in one sentence. It fails the run. */
  readonly cutOff?: string;
  /** How often the tests passed before, from the JSON report of an earlier run (see `readBaseline`). */
  readonly baseline?: Baseline;
  /** Paths of files in their repository (the nearest folder with a `.git`), by their `path`. Relative, with slashes. */
  readonly repositoryPaths?: ReadonlyMap<string, string>;
  /** Failed calls were retried up to this often. A test passes if its last call passes. */
  readonly retries?: number;
  /** Why there was nothing to run, in one sentence. Such a run passes. */
  readonly nothing?: string;
  readonly media?: ReportMedia;
  readonly startedAt?: string;
  readonly version?: string;
}

/** What the HTML report contains besides the results. */
export interface ReportMedia {
  /** The page of a call. */
  readonly page: PageFiles;
  /** WAV files by the id of the run. */
  readonly wavs: ReadonlyMap<string, Uint8Array>;
  /** Why recordings aren't among them, one sentence each. */
  readonly leftOut: readonly string[];
}

export interface ReportTest {
  /** As the user wrote it: relative to the working directory, or absolute. */
  readonly path: string;
  readonly id?: string;
  readonly name: string;
  /** Lines start at 1. */
  readonly line?: number;
  /** By step, in file order. */
  readonly stepLines?: readonly (number | undefined)[];
  readonly acceptanceLine?: number;
  /** At least one. */
  readonly runs: readonly ReportRun[];
}

export interface ReportRun extends RunEnding {
  readonly seconds: number;
  /**
   * The row of a param test, from 0. Without it, rows are distinguished by their values, and masked values are all
   * alike.
   */
  readonly row?: number;
}

export interface MissingTest {
  readonly path: string;
  readonly id?: string;
  readonly name?: string;
  readonly line?: number;
  /** Why there was no call, in one or two sentences. */
  readonly reason: string;
  /** The number of calls; absent means one. */
  readonly calls?: number;
  /** An earlier test failed, so it wasn't to be called (`--fail-fast`). */
  readonly skipped?: boolean;
}

export interface Baseline {
  readonly tests: readonly BaselineTest[];
}

export interface BaselineTest {
  readonly file: string;
  /** Includes the row of a param test. */
  readonly name: string;
  /** The id of the test file. Absent in reports from before reports contained ids. */
  readonly id?: string | undefined;
  /** Distinguishes the row of a param test from its other rows. */
  readonly row?: string | undefined;
  readonly passed: number;
  readonly of: number;
}

/** Something that failed, and its place in the file. */
export interface ReportFinding {
  readonly kind: 'step' | 'acceptance' | 'compliance' | 'run';
  readonly outcome: Exclude<RunOutcome, 'PASS'>;
  /** The step failed, but the file marks it as optional. */
  readonly optional: boolean;
  readonly title: string;
  /** One sentence. */
  readonly message: string;
  readonly details: readonly (readonly [label: string, text: string])[];
  readonly line?: number;
}
