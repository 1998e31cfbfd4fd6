import { writeFile } from 'node:fs/promises';
import type { TimedTest } from '../support/stepTable.ts';

/** The results of one kind of tests, for the summary. */
export interface Figures {
  name: string;
  passed: number;
  failed: number;
  pending: number;
  /** Failures, one per line. */
  wrong: readonly string[];
  /** Each test with its duration, without hooks. */
  tests?: readonly TimedTest[];
  seconds: number;
}

/** Prints the figures, and writes them to the file that DIALTREE_TEST_FIGURES names. */
export async function publishFigures(figures: Figures): Promise<void> {
  const { name, passed, failed, pending, seconds } = figures;
  console.log(
    `${name}: ${passed} passed, ${failed} failed${pending > 0 ? `, ${pending} pending` : ''} (${seconds.toFixed(1)} s)`,
  );
  const file = process.env['DIALTREE_TEST_FIGURES'];
  if (file !== undefined) {
    await writeFile(file, `${JSON.stringify(figures)}\n`);
  }
}
