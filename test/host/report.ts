import { readFile } from 'node:fs/promises';
import type { TimedTest } from '../support/stepTable.ts';

/** What the suite entry writes inside the extension host when mocha has ended. */
export interface SuiteReport {
  passes: number;
  failures: number;
  pending: number;
  /** Failures, one per line: the title and the first line of its error. */
  wrong: readonly string[];
  /** Each test with its duration, without hooks. */
  tests: readonly TimedTest[];
}

/** The environment variables that connect the runner and the suite entry. */
export const suiteVariables = {
  /** The folder with the bundled suites. */
  suites: 'DIALTREE_TEST_SUITES',
  /** The file for the SuiteReport. */
  report: 'DIALTREE_TEST_REPORT',
  /** Precedes each line of the suites' output if the host's own log shares the channel. */
  mark: 'DIALTREE_TEST_MARK',
  /** A pattern for mocha's grep. */
  grep: 'DIALTREE_TEST_GREP',
  /** The repository, for suites that read fixtures, because a bundle doesn't know the path of its source. */
  root: 'DIALTREE_TEST_ROOT',
} as const;

/** @throws Error if the suite hasn't reported: its host then crashed or never started, whatever its exit code says. */
export async function readReport(file: string): Promise<SuiteReport> {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (cause) {
    throw new Error('The suite has left no report: the extension host died, or never ran it.', { cause });
  }
  const { passes, failures, pending, wrong = [], tests = [] } = JSON.parse(text) as Partial<SuiteReport>;
  if (passes === undefined || failures === undefined || pending === undefined) {
    throw new Error(`The suite's report is not one: ${text}`);
  }
  return { passes, failures, pending, wrong, tests };
}
