import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { HumanError } from '../contract/errors.ts';
import type { RunResults } from '../contract/testRuns.ts';
import type { TestReport } from './callTests.ts';
import { readBaseline } from './report/jsonReport.ts';
import type { Baseline, MissingTest, Report, ReportFile, ReportRun, ReportTest } from './report/report.ts';

/** What the reporters get of a run: a file's tests with all their calls, and what was not called. */
export function reportOf(tests: readonly TestReport[], more: { readonly startedAt: string; readonly baseline?: Baseline }): Report {
  return {
    ...more,
    files: tests.flatMap((one): ReportFile[] => {
      const runs = one.calls.flatMap((call): ReportRun[] => call.results === undefined ? [] : [{
        results: call.mission ?? { ...call.results, name: one.test.source.test.name }, seconds: secondsOf(call.results), ...(call.row !== undefined && { row: call.row }),
      }]);
      return runs.length === 0 ? [] : [{ path: one.test.source.file, tests: [testOf(one, runs)] }];
    }),
    missing: tests.flatMap(({ test: { source }, calls, skipped }): MissingTest[] => {
      const place = { path: source.file, name: source.test.name, line: source.placeOf(['name']).line };
      return skipped === true ? [{ ...place, reason: 'The run was ended before this test.' }] : calls.flatMap(({ missing }) => (missing === undefined ? [] : [{ ...place, reason: missing }]));
    }),
  };
}

function testOf({ test: { source } }: TestReport, runs: readonly ReportRun[]): ReportTest {
  const lineOf = (...place: (string | number)[]): number => source.placeOf(place).line;
  return {
    name: source.test.name, line: lineOf('name'), runs,
    ...(source.kind === 'mission' ? { acceptanceLine: lineOf('acceptance') } : { stepLines: source.test.steps.map((_step, index) => lineOf('steps', index, 'expectedTranscript')) }),
  };
}

const secondsOf = ({ callSeconds, startedAt, completedAt }: RunResults): number => callSeconds ?? (completedAt === undefined ? 0 : (Date.parse(completedAt) - Date.parse(startedAt)) / 1000);

/** The figures of an earlier run. */
export async function loadBaseline(file: string): Promise<Baseline> {
  const text = await readFile(file, 'utf8').catch((cause: unknown) => {
    throw new HumanError(`The baseline ${file} cannot be read. Make it with --write-baseline, in a run that is as it should be.`, { status: 400, code: 'baseline', cause });
  });
  return readBaseline(text, file);
}

/** Makes the folders of files that are to be written, before anything is called: a run is not lost for a path. */
export async function prepareFiles(files: readonly (string | undefined)[]): Promise<void> {
  for (const file of files) {
    if (file === undefined) continue;
    await mkdir(path.dirname(path.resolve(file)), { recursive: true }).catch((cause: unknown) => { throw cannotWrite(file, cause); });
  }
}

export async function writeReport(file: string, text: string): Promise<void> {
  await writeFile(file, text).catch((cause: unknown) => { throw cannotWrite(file, cause); });
}

const cannotWrite = (file: string, cause: unknown): HumanError => new HumanError(`Cannot write ${file}. Check the path, its permissions and the space left.`, { status: 400, code: 'unwritable', cause });
