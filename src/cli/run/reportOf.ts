import path from 'node:path';
import type { RunResults } from '../../contract/testRuns.ts';
import { repositoryOf } from '../../practice/besideFile.ts';
import type { RunOfTests, TestReport } from './callTests.ts';
import type { MissingTest, Report, ReportRun, ReportTest } from '../report/report.ts';
import { resultPaths } from '../../model/tests/testFile.ts';
import type { LoadedTest } from './testFiles.ts';

/** Builds the report of a run: the tests of each file with all their calls, and the calls that weren't made. */
export function reportOf(
  { tests, ...ending }: RunOfTests,
  more: Pick<Report, 'startedAt' | 'baseline' | 'repositoryPaths' | 'retries' | 'nothing'> = {},
): Report {
  return {
    ...more,
    ...ending,
    tests: tests.flatMap((one): ReportTest[] => {
      const runs = one.calls.flatMap((call): ReportRun[] =>
        call.results === undefined
          ? []
          : [
              {
                results: call.results,
                mission: call.mission,
                seconds: secondsOf(call.results),
                ...(call.row !== undefined && { row: call.row }),
              },
            ],
      );
      return runs.length === 0 ? [] : [testOf(one, runs)];
    }),
    missing: tests.flatMap(({ test: { id, source }, calls, left }): MissingTest[] => {
      const place = { path: source.file, name: source.test.name, id, line: source.placeOf(['name']).line };
      const broken = calls.flatMap(
        ({ missing, cancelled }) =>
          missing ?? (cancelled === true ? 'A call was cut off when the run was interrupted.' : []),
      );
      return [
        ...broken.map((reason) => ({ ...place, reason })),
        ...(left ? [{ ...place, ...left, reason: leftText(left, calls.length) }] : []),
      ];
    }),
  };
}

const leftText = ({ calls, reason }: NonNullable<TestReport['left']>, placed: number): string =>
  placed === 0
    ? reason
    : `${reason} ${String(calls)} of its ${String(placed + calls)} calls ${calls === 1 ? "wasn't" : "weren't"} placed.`;

function testOf({ test: { id, source } }: TestReport, runs: readonly ReportRun[]): ReportTest {
  const lineOf = (...place: (string | number)[]): number => source.placeOf(place).line;
  return {
    path: source.file,
    id,
    name: source.test.name,
    line: lineOf('name'),
    runs,
    ...(source.kind === 'mission'
      ? { acceptanceLine: lineOf('acceptance') }
      : { stepLines: resultPaths(source).map((place) => lineOf(...place)) }),
  };
}

const secondsOf = ({ callSeconds, startedAt, completedAt }: RunResults): number =>
  callSeconds ?? (completedAt === undefined ? 0 : (Date.parse(completedAt) - Date.parse(startedAt)) / 1000);

/** Returns the paths of test files in their repositories. Files outside a repository have no entry. */
export async function repositoryPaths(tests: readonly LoadedTest[]): Promise<ReadonlyMap<string, string>> {
  const found = await Promise.all(
    tests.map(async ({ path: file, source }) => {
      const root = await repositoryOf(path.dirname(file));
      return root === undefined ? [] : [[source.file, path.relative(root, file).replaceAll(path.sep, '/')] as const];
    }),
  );
  return new Map(found.flat());
}
