import type { TestFile } from '../../../model/tests/testFile.ts';
import type { TestSource } from '../../folders/testSource.ts';
import type { RunEnding } from '../../../runner/runTest.ts';
import type { Failure } from '../failures.ts';

/** Shows the progress of tests. Each item ends with exactly one of the last five methods. */
export interface TestReporter<Item> {
  started(item: Item): void;
  /** A run of the test has started. `file` is its current version, with its id. */
  launched(item: Item, runId: string, file: TestFile): void;
  /** A run of the test has ended, before the item ends. `file` is the version that was run. */
  ran?(item: Item, file: TestFile, ending: RunEnding, source: TestSource): void;
  output(item: Item, text: string): void;
  passed(item: Item, ms: number): void;
  failed(item: Item, failures: readonly Failure[], ms: number): void;
  /** The outcome isn't the called side's fault. */
  errored(item: Item, failures: readonly Failure[], ms: number): void;
  /** The outcome can't be decided. */
  undecided(item: Item, failures: readonly Failure[]): void;
  skipped(item: Item): void;
}
