import { baselineText } from './baseline.ts';
import { findingText, isFlaky, rateText, type Summary } from './cases.ts';
import type { ReportRun } from './report.ts';

/** A test as lists of all tests show it. */
interface OverviewRow {
  readonly state: string;
  readonly name: string;
  readonly file: string;
  /** What happened, in a sentence or less each. */
  readonly notes: readonly string[];
  /** Empty if it wasn't called. */
  readonly time: string;
  readonly runs: readonly ReportRun[];
}

const states = { PASS: 'passed', FAIL: 'failed', ERROR: 'error', INCONCLUSIVE: 'inconclusive' } as const;
const order: readonly string[] = ['failed', 'not called', 'error', 'inconclusive', 'flaky', 'skipped', 'passed'];

/** Returns all tests, also those that weren't called. What needs attention comes first. */
export const overviewRows = ({ cases, missing }: Summary): readonly OverviewRow[] =>
  [
    ...cases.map((one) => ({
      state: isFlaky(one) ? 'flaky' : states[one.outcome],
      name: one.name,
      file: one.file,
      notes: [
        rateText(one),
        ...one.findings.filter(({ optional }) => !optional).map((finding) => findingText(one, finding)),
        baselineText(one),
      ].filter((note) => note !== ''),
      time: `${one.seconds.toFixed(1)} s`,
      runs: one.runs,
    })),
    ...missing.map(({ path, name = path, reason, skipped }) => ({
      state: skipped === true ? 'skipped' : 'not called',
      name,
      file: path,
      notes: [reason],
      time: '',
      runs: [],
    })),
  ].sort((one, other) => order.indexOf(one.state) - order.indexOf(other.state));
