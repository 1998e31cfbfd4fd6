import path from 'node:path';
import { HumanError } from '../../contract/errors.ts';
import { problemText } from '../../model/files/fileProblem.ts';
import { consentHelp } from '../calling/consents.ts';
import {
  isRemote,
  reachesThisMachine,
  readService,
  serviceOptions,
  withService,
  type ServiceChoice,
} from '../calling/serviceChoice.ts';
import { integerOption, readArguments, UsageError, type CliCommand } from '../command.ts';
import { withPractice } from '../ivr/playedIvrs.ts';
import { thinComparisonText } from '../report/baseline.ts';
import { summarise } from '../report/cases.ts';
import { readReporter } from '../report/readReporter.ts';
import type { Baseline, Report } from '../report/report.ts';
import { reporterNames, reporters, type ReporterName } from '../report/reporters.ts';
import { environmentHelp, environmentOptions, readEnvironment } from '../settings/environment.ts';
import { linesHelp } from '../settings/lines.ts';
import { note } from '../terminal/output.ts';
import { deliver, prepareFiles } from '../terminal/outputFile.ts';
import { paletteFor } from '../terminal/palette.ts';
import { interruption } from '../terminal/signals.ts';
import { baselineOf, loadBaseline, writeBaseline } from './baselineFile.ts';
import { runTests, type RunTestsOptions } from './callTests.ts';
import { testPlanJson, planRun, testPlanText, testsLine } from './plan.ts';
import { reportOf, repositoryPaths } from './reportOf.ts';
import { loadTests, type LoadedTest } from './testFiles.ts';
import { findTestFiles } from './testPaths.ts';

const options = {
  ...serviceOptions,
  ...environmentOptions,
  reporter: { type: 'string' },
  output: { type: 'string' },
  repeat: { type: 'string' },
  baseline: { type: 'string' },
  'write-baseline': { type: 'string' },
  grep: { type: 'string' },
  bail: { type: 'boolean' },
  'dry-run': { type: 'boolean' },
} as const;
type Values = ReturnType<typeof readArguments<typeof options>>['values'];

export const run: CliCommand = {
  help: `A folder stands for all test files in it and in its subfolders. Patterns with *, ** and {a,b} work too, even
in quotes. A test calls the number in its file, or the practice IVR that the file names, which runs on loopback
during the run.

  --reporter KIND        spec (default), json, junit or sarif
  --output FILE          writes the report to FILE instead of stdout
  --repeat N             runs each test N times, 1 to 1000
  --baseline FILE        compares with the figures in FILE: a test fails the run only if its pass rate is worse,
                         if all its calls passed before and none passes now, or if it isn't in FILE and doesn't
                         pass
  --write-baseline FILE  writes the figures of this run as a baseline, unless the run was cut off; 6 calls per test
                         (--repeat 6) are much more reliable than one
  --grep TEXT            runs only tests whose name or file path contains TEXT, ignoring case
  --bail                 stops at the first test that fails the run
${environmentHelp}
  --dry-run              checks the files, asks the service, and prints the plan (numbers, calls, maximum minutes and
                         cost) as spec or json; doesn't place calls
  --routes FILE|JSON     dial plan: {"+12025550100": "sip:practice@127.0.0.1:5070"}
  --lines FILE|JSON      ${linesHelp}
  --consent TARGET       ${consentHelp}
  --url URL              runs the tests on that service; put its key in DIALTREE_API_KEY

Ctrl+C hangs up and reports the results so far. Exit code 0: all passed; 1: a test failed, was inconclusive, or
gave no results (with --baseline: a test got worse, failed and isn't in the baseline, or gave no results);
2: wrong usage, or an invalid file.`,
  async run(args) {
    const { values, positionals } = readArguments(args, options);
    const { output, 'dry-run': isDryRun = false } = values;
    const reporter = readReporter(values.reporter ?? 'spec', reporterNames, isDryRun);
    checkUse(values, positionals);
    const repeat = integerOption(values.repeat, 'repeat', 1, 1000) ?? 1;
    const environment = await readEnvironment(values, process.env);
    const service = { ...(await readService(values)), hidden: environment.values };
    const before = values.baseline === undefined ? undefined : await loadBaseline(values.baseline);

    const all = await loadTests(await findTestFiles(positionals, process.cwd()), process.cwd(), environment);
    const chosen = matching(all, values.grep);
    refusePractice(chosen, service);
    await prepareFiles(isDryRun ? [output] : [output, values['write-baseline']]);
    if (isDryRun) {
      const signal = interruption();
      const planned = await withService(service, (client) => planRun(client, chosen, repeat, signal));
      const text = reporter === 'json' ? JSON.stringify(testPlanJson(planned), null, 2) : testPlanText(planned);
      return (await deliver(`${text}\n`, output)) ? 0 : 1;
    }

    const baseline = before && baselineOf(before, all, chosen);
    const startedAt = new Date().toISOString();
    const called = await withCalls(chosen, service, (options) => {
      note(testsLine(chosen));
      const endsRun = values.bail === true ? bailAt(baseline) : undefined;
      return runTests(chosen, { ...options, repeat, ...(endsRun && { endsRun }) });
    });
    const report = reportOf(called, {
      startedAt,
      ...(baseline && { baseline }),
      repositoryPaths: await repositoryPaths(chosen),
    });
    return tellReport(report, reporter, values);
  },
};

function checkUse({ output, 'write-baseline': newBaseline }: Values, positionals: readonly string[]): void {
  if (positionals.length === 0) throw new UsageError('Give test files, or folders with test files.');
  if (output !== undefined && newBaseline !== undefined && path.resolve(output) === path.resolve(newBaseline))
    throw new UsageError(
      '--output and --write-baseline name the same file. Use one of them: the report of --reporter json ' +
        'also works as a baseline.',
    );
}

/** Delivers the report, and saves it as a baseline if requested. Returns the exit code. */
async function tellReport(
  report: Report,
  reporter: ReporterName,
  { output, baseline = '', 'write-baseline': newBaseline }: Values,
): Promise<number> {
  const { cases, exitCode } = summarise(report);
  const thin = thinComparisonText(cases);
  if (thin !== undefined) note(`Baseline ${baseline}: ${thin}`);
  const isWritten = newBaseline === undefined || (await writeBaseline(newBaseline, report));
  const palette = output === undefined ? paletteFor(process.stdout, process.env) : undefined;
  const isDelivered = await deliver(reporters[reporter](report, palette), output);
  return isWritten && isDelivered ? exitCode : 1;
}

/** Runs `work` while a service and the practice IVRs of these tests take calls. */
export async function withCalls<Result>(
  tests: readonly LoadedTest[],
  service: ServiceChoice,
  work: (options: Omit<RunTestsOptions, 'repeat'>) => Promise<Result>,
): Promise<Result> {
  const signal = interruption();
  const ivrs = [...new Set(tests.flatMap(({ ivr }) => ivr ?? []))];
  return withPractice(ivrs, (addressOf) =>
    withService(isRemote(service) ? service : { ...service, callsSoon: true }, (client) => {
      const numberOf = ({ source, ivr }: LoadedTest): string =>
        ivr ? addressOf(ivr) : (source.test.phoneNumber ?? '');
      return work({ client, numberOf, signal, tell: note });
    }),
  );
}

/**
 * Returns when a failed test ends the run: without a baseline, at the first call that doesn't pass; with one, when all
 * the test's calls can be compared.
 */
const bailAt =
  (baseline: Baseline | undefined): NonNullable<RunTestsOptions['endsRun']> =>
  (test, over) =>
    (over || !baseline) && summarise(reportOf({ tests: [test] }, baseline && { baseline })).exitCode === 1;

function matching(tests: readonly LoadedTest[], grep: string | undefined): readonly LoadedTest[] {
  if (grep === undefined) return tests;
  const part = grep.toLowerCase();
  const found = tests.filter(
    ({ source }) => source.test.name.toLowerCase().includes(part) || source.file.toLowerCase().includes(part),
  );
  if (found.length === 0)
    throw new UsageError(`No test has a name or file path that contains "${grep}". Check --grep.`);
  return found;
}

/** Practice IVRs run on this machine, which a remote service can't reach. */
export function refusePractice(tests: readonly LoadedTest[], service: ServiceChoice): void {
  const lines = tests
    .filter(({ ivr }) => ivr && !reachesThisMachine(service))
    .map(({ source }) => {
      const why =
        "The practice IVR runs on this machine, where the service at --url can't reach it. Leave out --url, or give a phoneNumber.";
      return problemText(source.problemAt(['ivr'], why));
    });
  if (lines.length > 0) throw new HumanError(lines.join('\n'), { status: 400, code: 'practice_elsewhere' });
}
