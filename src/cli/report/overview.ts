import { baselineText } from './baseline.ts';
import { findingText, isFlaky, rateText, type Summary } from './cases.ts';
import type { ReportRun } from './report.ts';

/** A test in a list of all tests. */
interface TestRow {
  readonly state: string;
  readonly name: string;
  readonly file: string;
  /** What happened, in a sentence or less each. */
  readonly notes: readonly string[];
  /** Empty if it wasn't called. */
  readonly runs: readonly ReportRun[];
}

const states = { PASS: 'passed', FAIL: 'failed', ERROR: 'error', INCONCLUSIVE: 'inconclusive' } as const;
const order: readonly string[] = ['failed', 'not called', 'error', 'inconclusive', 'flaky', 'skipped', 'passed'];

/** Returns all tests, also those that weren't called. What needs attention comes first. */
export const testRows = ({ cases, missing }: Summary): readonly TestRow[] =>
  [
    ...cases.map((one) => {
      const found = one.findings.filter(({ optional }) => !optional).map((finding) => findingText(one, finding));
      const notes = [rateText(one), ...found, baselineText(one), `${one.seconds.toFixed(1)} s`].filter(Boolean);
      return { ...one, state: isFlaky(one) ? 'flaky' : states[one.outcome], notes };
    }),
    ...missing.map(({ path, name = path, reason, skipped }) => {
      const state = skipped === true ? 'skipped' : 'not called';
      return { state, name, file: path, notes: [reason], runs: [] };
    }),
  ].sort((one, other) => order.indexOf(one.state) - order.indexOf(other.state));
