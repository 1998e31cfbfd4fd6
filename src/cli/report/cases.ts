import { compareRates, flakiness, type Passes } from '../../model/stats/regression.ts';
import { isOutage, pairWithBaseline, withoutFiles } from './baseline.ts';
import type { Case } from './case.ts';
import { findingsOf, runOutcomeOf, unreachedSteps } from './findings.ts';
import type { BaselineTest, ReportFinding, MissingTest, Report, ReportTest } from './report.ts';
import { reportRowsOf } from './rows.ts';

export interface Summary {
  readonly cases: readonly Case[];
  readonly missing: readonly MissingTest[];
  /**
   * Tests of the baseline that aren't in this run. They don't fail it, because tests can be removed or run separately.
   */
  readonly gone: readonly BaselineTest[];
  readonly passed: number;
  /** Passed only on a retry. They count as passed too. */
  readonly flaky: number;
  readonly failing: number;
  /** Tests that didn't always pass but don't fail the run, because they aren't measurably worse than the baseline. */
  readonly tolerated: number;
  readonly calls: number;
  readonly seconds: number;
  /** 0, or 1 if a test fails, calls are missing, the run was cut off, or nothing was tested. */
  readonly exitCode: 0 | 1;
}

/** Groups the runs of a report and decides what fails. */
export function summarise(report: Report): Summary {
  const grouped = report.tests.flatMap((test) =>
    reportRowsOf(test.runs).map(({ label, runs }) => ({
      file: test.path,
      name: label === '' ? test.name : `${test.name} [${label}]`,
      test,
      runs,
      ...(test.id !== undefined && { id: test.id }),
      ...(label !== '' && { row: label }),
    })),
  );
  const { pairs, rest } = pairWithBaseline(report.baseline ?? { tests: [] }, grouped);
  const cases = grouped.map((one, index) => toCase(one, report.baseline && { test: pairs[index] }, report));
  const { missing } = report;
  const nothingTested = cases.length === 0 && report.nothing === undefined;
  const failing = cases.filter(({ fails }) => fails).length;
  const passed = cases.filter(({ outcome }) => outcome === 'PASS').length;
  return {
    cases,
    missing,
    gone: withoutFiles(rest, missing),
    passed,
    flaky: cases.filter(isFlaky).length,
    failing,
    tolerated: cases.filter(({ outcome, fails }) => outcome !== 'PASS' && !fails).length,
    calls: cases.reduce((sum, { of }) => sum + of, 0),
    seconds: cases.reduce((sum, { seconds }) => sum + seconds, 0),
    exitCode: failing + missing.length > 0 || report.cutOff !== undefined || nothingTested ? 1 : 0,
  };
}

interface Group extends Pick<Case, 'file' | 'name' | 'id' | 'row' | 'runs'> {
  readonly test: ReportTest;
}

/** `baseline` is undefined without a baseline; its `test` is undefined if the baseline doesn't contain this test. */
function toCase(
  { test, ...group }: Group,
  baseline: { readonly test: Passes | undefined } | undefined,
  { retries = 0 }: Report,
): Case {
  const { runs } = group;
  const outcomes = runs.map(({ results }) => runOutcomeOf(results));
  const passes = { passed: outcomes.filter((outcome) => outcome === 'PASS').length, of: runs.length };
  const before = baseline?.test && { passed: baseline.test.passed, of: baseline.test.of };
  const comparison = before && { ...compareRates(before, passes), baseline: before };
  const retried = retries > 0 && runs.length > 1;
  const deciding = retried ? outcomes.slice(-1) : outcomes;
  const outcome = (['FAIL', 'ERROR', 'INCONCLUSIVE'] as const).find((one) => deciding.includes(one)) ?? 'PASS';
  return {
    ...group,
    ...(test.line === undefined ? {} : { line: test.line }),
    ...passes,
    outcome,
    flakiness: flakiness(passes),
    retried,
    seconds: runs.reduce((sum, { seconds }) => sum + seconds, 0),
    findings: merge(runs.flatMap((run) => findingsOf(test, run))),
    unreached: unreachedSteps(runs),
    ...(comparison ? { comparison } : {}),
    isNew: baseline !== undefined && !comparison,
    fails: comparison ? comparison.change === 'regressed' || isOutage(comparison.baseline, passes) : outcome !== 'PASS',
  };
}

/** Merges findings with the same step and message. Details come from the first one. */
function merge(findings: readonly ReportFinding[]): (ReportFinding & { times: number })[] {
  const merged = new Map<string, ReportFinding & { times: number }>();
  for (const finding of findings) {
    const key = JSON.stringify([finding.kind, finding.outcome, finding.title, finding.message]);
    const known = merged.get(key);
    if (known) known.times += 1;
    else merged.set(key, { ...finding, times: 1 });
  }
  return [...merged.values()];
}

/** It passed, but only on a retry. */
export const isFlaky = ({ retried, outcome }: Case): boolean => retried && outcome === 'PASS';

/**
 * "2 of 5 passed", with its confidence interval. Empty for a single run. Retries have no interval, because the first
 * pass ends them.
 */
export function rateText({ passed, of, retried, outcome, flakiness: { interval } }: Case): string {
  if (retried) return outcome === 'PASS' ? `flaky: passed on retry ${of - 1}` : `none of ${of} attempts passed`;
  return of < 2
    ? ''
    : `${passed} of ${of} passed (95 % interval ${percent(interval.low)} to ${percent(interval.high)} %)`;
}

/** Says what happened. A mission's finding has its name, which isn't repeated. */
export const findingText = ({ name }: Case, { title, message }: ReportFinding): string =>
  title === name ? message : `${title}: ${message}`;

const percent = (share: number): string => (100 * share).toFixed(0);
