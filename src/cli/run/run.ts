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
import { addJobSummary } from '../report/githubReport.ts';
import { readPageFiles } from '../report/pageFiles.ts';
import { readReporters } from '../report/readReporter.ts';
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
import { readRecordings } from './recordings.ts';
import { reportOf, repositoryPaths } from './reportOf.ts';
import { chooseTests, keepLastRun, readLastFailed, readShard } from './selection.ts';
import { loadTests, type LoadedTest } from './testFiles.ts';
import { findTestFiles } from './testPaths.ts';

const options = {
  ...serviceOptions,
  ...environmentOptions,
  reporter: { type: 'string', multiple: true },
  output: { type: 'string' },
  repeat: { type: 'string' },
  baseline: { type: 'string' },
  'write-baseline': { type: 'string' },
  grep: { type: 'string' },
  shard: { type: 'string' },
  'last-failed': { type: 'boolean' },
  retries: { type: 'string' },
  'fail-fast': { type: 'boolean' },
  'dry-run': { type: 'boolean' },
} as const;
type Values = ReturnType<typeof readArguments<typeof options>>['values'];
type WantedReports = ReturnType<typeof readReporters<ReporterName>>;

export const run: CliCommand = {
  help: `A folder stands for all test files in it and in its subfolders. Patterns with *, ** and {a,b} work too, even
in quotes. A test calls the number in its file, or the practice IVR that the file names, which runs on loopback
during the run.

  --reporter KIND[=FILE] spec (default), json, junit, sarif, html or github; repeat this option for several reports,
                         with a FILE for all but one
  --output FILE          writes the report to FILE instead of stdout
  --repeat N             runs each test N times, 1 to 1000
  --baseline FILE        compares with the figures in FILE: a test fails the run only if its pass rate is worse,
                         if all its calls passed before and none passes now, or if it isn't in FILE and doesn't
                         pass
  --write-baseline FILE  writes the figures of this run as a baseline, unless the run was cut off; 6 calls per test
                         (--repeat 6) are much more reliable than one
  --grep TEXT            runs only tests whose name or file path contains TEXT, ignoring case
  --shard I/N            runs only part I of N, such as 1/4
  --last-failed          runs only tests that didn't pass in the last run in this folder
  --retries N            calls a test, or a row, that doesn't pass up to N more times (1 to 10); if it then passes,
                         it is flaky, and doesn't fail the run
  --fail-fast            stops at the first test that fails the run, and reports the others as skipped
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
    const wanted = readReporters(values.reporter ?? ['spec'], reporterNames, isDryRun, output);
    checkUse(values, positionals, wanted);
    const repeat = integerOption(values.repeat, 'repeat', 1, 1000) ?? 1;
    const retries = integerOption(values.retries, 'retries', 0, 10) ?? 0;
    if (retries > 0 && (repeat > 1 || values.baseline !== undefined || values['write-baseline'] !== undefined))
      throw new UsageError(
        "--retries can't be combined with --repeat or a baseline: calls that are retried only after a failure say nothing about the pass rate.",
      );
    const shard = readShard(values.shard);
    const cwd = process.cwd();
    const failed = values['last-failed'] === true ? await readLastFailed(cwd) : undefined;
    const page = wanted.some(({ name }) => name === 'html') ? await readPageFiles('report') : undefined;
    const environment = await readEnvironment(values, process.env);
    const service = { ...(await readService(values)), hidden: environment.values };
    const before = values.baseline === undefined ? undefined : await loadBaseline(values.baseline);

    const all = await loadTests(await findTestFiles(positionals, cwd), cwd, environment);
    const { chosen, nothing } = chooseTests(all, { grep: values.grep, shard, failed });
    if (nothing !== undefined) note(nothing);
    refusePractice(chosen, service);
    const files = wanted.map(({ file }) => file);
    await prepareFiles(isDryRun ? files : [...files, values['write-baseline']]);
    if (isDryRun) {
      const signal = interruption();
      const planned = await withService(service, (client) => planRun(client, chosen, repeat * (1 + retries), signal));
      const texts = { spec: testPlanText(planned), json: JSON.stringify(testPlanJson(planned), null, 2) };
      return (await deliverAll(wanted, ({ name }) => `${texts[name === 'json' ? name : 'spec']}\n`)) ? 0 : 1;
    }

    const baseline = before && baselineOf(before, all, chosen);
    const startedAt = new Date().toISOString();
    const called =
      nothing === undefined
        ? await withCalls(chosen, service, async (options) => {
            note(testsLine(chosen));
            const endsRun = values['fail-fast'] === true ? failFastAt(baseline, retries) : undefined;
            const ran = await runTests(chosen, { ...options, repeat, retries, ...(endsRun && { endsRun }) });
            // The service ends with the calls, and with it the recordings.
            return page ? { ...ran, media: { page, ...(await readRecordings(options.client, ran)) } } : ran;
          })
        : { tests: [] };
    const report = reportOf(called, {
      startedAt,
      ...(baseline && { baseline }),
      ...(retries > 0 && { retries }),
      ...(nothing !== undefined && { nothing }),
      repositoryPaths: await repositoryPaths(chosen),
    });
    if (nothing === undefined) await keepLastRun(cwd, report);
    return tellReport(report, wanted, values);
  },
};

function checkUse(
  { 'write-baseline': newBaseline }: Values,
  positionals: readonly string[],
  wanted: ReturnType<typeof readReporters>,
): void {
  if (positionals.length === 0) throw new UsageError('Give test files, or folders with test files.');
  const place = newBaseline && path.resolve(newBaseline);
  if (place !== undefined && wanted.some(({ file }) => file !== undefined && path.resolve(file) === place))
    throw new UsageError(
      'A report and --write-baseline name the same file. Use one of them: the report of --reporter json ' +
        'also works as a baseline.',
    );
}

/** Delivers the reports, and saves a baseline if requested. Returns the exit code. */
async function tellReport(
  report: Report,
  wanted: WantedReports,
  { baseline = '', 'write-baseline': newBaseline }: Values,
): Promise<number> {
  const { cases, exitCode } = summarise(report);
  const thin = thinComparisonText(cases);
  if (thin !== undefined) note(`Baseline ${baseline}: ${thin}`);
  const isKept = newBaseline === undefined || (await writeBaseline(newBaseline, report));
  if (wanted.some(({ name }) => name === 'github')) await addJobSummary(report, process.env);
  const isWritten = await deliverAll(wanted, ({ name, file }) =>
    reporters[name](report, file === undefined ? paletteFor(process.stdout, process.env) : undefined),
  );
  return isKept && isWritten ? exitCode : 1;
}

/** Returns false if a file can't be written. */
async function deliverAll(wanted: WantedReports, textOf: (one: WantedReports[number]) => string): Promise<boolean> {
  let isWritten = true;
  for (const one of wanted) isWritten = (await deliver(textOf(one), one.file)) && isWritten;
  return isWritten;
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
 * Returns when a failed test ends the run: without a baseline, at the first call that doesn't pass, or after its last
 * retry; with one, when all the test's calls can be compared.
 */
const failFastAt =
  (baseline: Baseline | undefined, retries: number): NonNullable<RunTestsOptions['endsRun']> =>
  (test, over) =>
    (over || !baseline) &&
    summarise(reportOf({ tests: [test] }, { retries, ...(baseline && { baseline }) })).exitCode === 1;

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
