import { compareRates, flakiness, runsToTell, type Comparison, type Flakiness, type Passes } from '../../model/regression.ts';
import type { RunOutcome } from '../../contract/testRuns.ts';
import { findingsOf, outcomeOf, unreachedSteps } from './findings.ts';
import type { Finding, MissingTest, Report, ReportRun, ReportTest } from './report.ts';

/** A test, or one row of it, with all of its repeated runs. */
export interface Case extends Passes {
  readonly file: string;
  /** Unique within the file. */
  readonly name: string;
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
  /** Whether it makes the whole run fail: without a baseline if it did not always pass, with one if it has regressed. */
  readonly fails: boolean;
}

export interface Summary {
  readonly cases: readonly Case[];
  readonly missing: readonly MissingTest[];
  readonly passed: number;
  readonly failing: number;
  /** Did not always pass, and yet do not fail the run: no worse than the baseline, as far as one can tell. */
  readonly tolerated: number;
  readonly calls: number;
  readonly seconds: number;
  /** 0, or 1 where a test fails or calls are missing, or nothing was tested. */
  readonly exitCode: 0 | 1;
}

/** Groups the runs of a report and decides what fails. */
export function summarise(report: Report): Summary {
  const baseline = new Map(report.baseline?.tests.map(({ file, name, passed, of }) => [keyOf(file, name), { passed, of }]));
  const cases = report.files.flatMap(({ path, tests }) => {
    const names = new Set<string>();
    return tests.flatMap((test) => rowsOf(test).map(({ label, runs }) => {
      const name = unique(label === '' ? test.name : `${test.name} [${label}]`, names);
      return toCase(path, name, test, runs, report.baseline ? baseline.get(keyOf(path, name)) : undefined);
    }));
  });
  const empty = report.files.flatMap(({ path, tests }) => tests.filter(({ runs }) => runs.length === 0).map(({ name, line }): MissingTest =>
    ({ path, name, reason: 'The test was not called.', ...(line === undefined ? {} : { line }) })));
  const missing = [...report.missing, ...empty];
  const failing = cases.filter(({ fails }) => fails).length;
  const passed = cases.filter(({ outcome }) => outcome === 'PASS').length;
  return {
    cases, missing, passed, failing,
    tolerated: cases.filter(({ outcome, fails }) => outcome !== 'PASS' && !fails).length,
    calls: cases.reduce((sum, { of }) => sum + of, 0),
    seconds: cases.reduce((sum, { seconds }) => sum + seconds, 0),
    exitCode: failing > 0 || missing.length > 0 || cases.length === 0 ? 1 : 0,
  };
}

function toCase(file: string, name: string, test: ReportTest, runs: readonly ReportRun[], baseline: Passes | undefined): Case {
  const outcomes = runs.map(({ results }) => outcomeOf(results));
  const passes = { passed: outcomes.filter((outcome) => outcome === 'PASS').length, of: runs.length };
  const comparison = baseline && { ...compareRates(baseline, passes), baseline };
  const outcome = (['FAIL', 'ERROR', 'INCONCLUSIVE'] as const).find((one) => outcomes.includes(one)) ?? 'PASS';
  return {
    file, name, ...(test.line === undefined ? {} : { line: test.line }), runs, ...passes, outcome,
    flakiness: flakiness(passes), seconds: runs.reduce((sum, { seconds }) => sum + seconds, 0),
    findings: merge(runs.flatMap((run) => findingsOf(test, run))), unreached: unreachedSteps(runs),
    ...(comparison ? { comparison } : {}),
    fails: comparison ? comparison.change === 'regressed' : outcome !== 'PASS',
  };
}

/** The same step failing with the same message, said once; details of the first time. */
function merge(findings: readonly Finding[]): (Finding & { times: number })[] {
  const merged = new Map<string, Finding & { times: number }>();
  for (const finding of findings) {
    const key = JSON.stringify([finding.kind, finding.outcome, finding.title, finding.message]);
    const known = merged.get(key);
    if (known) known.times += 1;
    else merged.set(key, { ...finding, times: 1 });
  }
  return [...merged.values()];
}

/** A param test has a case a row; repeated runs of one row stay together. */
function rowsOf({ runs }: ReportTest): { readonly label: string; readonly runs: readonly ReportRun[] }[] {
  const rows = new Map<string, { label: string; runs: ReportRun[] }>();
  for (const run of runs) {
    const row = 'row' in run.results ? run.results.row : undefined;
    const values = Object.entries(row ?? {}).map(([column, value]) => `${column}=${value}`).join(', ');
    const label = values !== '' ? values : run.row === undefined ? '' : `row ${run.row + 1}`;
    const key = run.row === undefined ? label : String(run.row);
    const group = rows.get(key);
    if (group) group.runs.push(run);
    else rows.set(key, { label, runs: [run] });
  }
  return [...rows.values()];
}

function unique(name: string, names: Set<string>): string {
  let free = name;
  for (let count = 2; names.has(free); count += 1) free = `${name} (${count})`;
  names.add(free);
  return free;
}

/** A file is the same whatever separates its folders. */
const keyOf = (file: string, name: string): string => JSON.stringify([file.replaceAll('\\', '/').replace(/^(?:\.\/)+/, ''), name]);

/** "2 of 5 passed", and with what confidence; for a single run nothing. */
export function rateText({ passed, of, flakiness: { interval } }: Case): string {
  return of < 2 ? '' : `${passed} of ${of} passed (95 % interval ${percent(interval.low)} to ${percent(interval.high)} %)`;
}

/** How it stands against the baseline, in one sentence; nothing without one. */
export function baselineText({ comparison, outcome }: Case): string {
  if (!comparison) return '';
  const { change, baseline } = comparison;
  const before = `${baseline.passed} of ${baseline.of} in the baseline`;
  if (change === 'regressed') return `Regression: ${before}.`;
  if (change === 'improved') return `Better than the baseline: ${before}.`;
  if (outcome === 'PASS') return '';
  const runs = change === 'unclear' ? runsToTell(baseline) : undefined;
  return `No regression is proven: ${before}.${runs === undefined ? '' : ` It takes at least ${runs} runs to tell.`}`;
}

const percent = (share: number): string => (100 * share).toFixed(0);
