import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { HumanError } from '../contract/errors.ts';
import { problemText } from '../model/files/fileProblem.ts';
import { integer, note, readArguments, UsageError } from './command.ts';
import { runTests, type RunTestsOptions } from './callTests.ts';
import { consentOption, readConsents } from './consents.ts';
import { deliver, prepareFiles } from './outputFile.ts';
import { thinBaselineText, thinComparisonText } from './report/baseline.ts';
import { summarise } from './report/cases.ts';
import type { Baseline, Report } from './report/report.ts';
import { isReporterName, reporterNames, reporters } from './report/reporters.ts';
import { jsonReport } from './report/jsonReport.ts';
import { paletteFor } from './report/specReport.ts';
import { readRoutes } from './routes.ts';
import { loadTests, writeIds, type LoadedTest } from './runFiles.ts';
import { findTestFiles } from './runPaths.ts';
import { keepReplaced } from './replacedTest.ts';
import { planLine, planRun, planText } from './runPlan.ts';
import { baselineOf, loadBaseline, reportOf, repositoryPaths } from './runReport.ts';
import { remoteService, withPractice, withService } from './runService.ts';
import { SavedTests } from './savedTests.ts';
import { interruption } from './signals.ts';

const options = {
  reporter: { type: 'string' },
  output: { type: 'string' },
  repeat: { type: 'string' },
  baseline: { type: 'string' },
  'write-baseline': { type: 'string' },
  grep: { type: 'string' },
  routes: { type: 'string' },
  url: { type: 'string' },
  bail: { type: 'boolean' },
  replace: { type: 'boolean' },
  'dry-run': { type: 'boolean' },
  ...consentOption,
} as const;

export async function run(args: readonly string[]): Promise<number> {
  const { values, positionals } = readArguments(args, options);
  const reporter = values.reporter ?? 'spec';
  if (!isReporterName(reporter)) throw new UsageError(`--reporter is one of ${reporterNames.join(', ')}.`);
  if (values.url !== undefined && values.routes !== undefined)
    throw new UsageError(
      '--routes is the dial plan of the service that this command starts; the service at --url has its own.',
    );
  if (values.url !== undefined && values.consent !== undefined)
    throw new UsageError(
      '--consent is for the service that this command starts; the service at --url keeps consents of its own.',
    );
  if (values.replace === true && !values.url)
    throw new UsageError(
      '--replace is about what a service holds: it goes with --url. The service that this command starts holds nothing.',
    );
  if (positionals.length === 0) throw new UsageError('Give test files, or folders that hold some.');
  const isDryRun = values['dry-run'] === true;
  if (isDryRun && reporter !== 'spec' && reporter !== 'json')
    throw new UsageError(
      `--dry-run prints a plan, not a report: --reporter ${reporter} does not go with it, spec and json do.`,
    );
  const { output, 'write-baseline': newBaseline } = values;
  if (output !== undefined && newBaseline !== undefined && path.resolve(output) === path.resolve(newBaseline))
    throw new UsageError(
      '--output and --write-baseline name the same file. A report of --reporter json is a baseline as it is.',
    );
  const repeat = integer(values.repeat, 'repeat', 1, 1000) ?? 1;
  const remote = values.url === undefined ? undefined : remoteService(values.url, process.env['DIALTREE_API_KEY']);
  const routes = values.routes === undefined ? {} : await readRoutes(values.routes);
  const consents = await readConsents(values.consent, routes);
  const before = values.baseline === undefined ? undefined : await loadBaseline(values.baseline);

  const all = await loadTests(await findTestFiles(positionals, process.cwd()), process.cwd());
  const chosen = matching(all, values.grep);
  if (remote?.isLocal === false) refusePractice(chosen);
  await prepareFiles(isDryRun ? [output] : [output, newBaseline]);
  if (isDryRun) {
    const plan = planRun(chosen, repeat, routes);
    return (await deliver(`${reporter === 'json' ? JSON.stringify(plan, null, 2) : planText(plan)}\n`, output)) ? 0 : 1;
  }

  const tests = await writeIds(chosen, process.cwd(), note);
  const baseline = before && baselineOf(before, all, chosen);
  const startedAt = new Date().toISOString();
  const signal = interruption();
  const ivrs = [...new Set(tests.flatMap(({ ivr }) => ivr ?? []))];
  const called = await withPractice(
    ivrs,
    (name, error) => {
      note(`${name}: a call was hung up: ${error instanceof Error ? error.message : String(error)}`);
    },
    (addressOf) =>
      withService(remote ?? { routes, consents }, async (client) => {
        const saved = new SavedTests({
          client,
          signal,
          tell: note,
          replace: values.replace === true,
          keep: (test, held) =>
            keepReplaced(test, held, output === undefined ? undefined : path.dirname(output), process.cwd()),
          numberOf: ({ source, ivr }) => (ivr ? addressOf(ivr) : (source.test.phoneNumber ?? '')),
        });
        if (remote) await saved.demandUnedited(tests);
        note(planLine(planRun(tests, repeat, routes)));
        return await runTests(tests, {
          client,
          saved,
          repeat,
          signal,
          tell: note,
          ...(values.bail === true && { endsRun: bailAt(baseline) }),
        });
      }),
  );
  const report = reportOf(called, {
    startedAt,
    ...(baseline && { baseline }),
    repositoryPaths: await repositoryPaths(tests),
  });
  const { cases, exitCode } = summarise(report);
  const thin = thinComparisonText(cases);
  if (thin !== undefined) note(`Baseline ${values.baseline ?? ''}: ${thin}`);
  const isWritten = newBaseline === undefined || (await writeBaseline(newBaseline, report));
  const isDelivered = await deliver(
    reporters[reporter](report, output === undefined ? paletteFor(process.stdout, process.env) : undefined),
    output,
  );
  return isWritten && isDelivered ? exitCode : 1;
}

/**
 * A test that fails the run ends it: without a baseline at the first call that does not pass, with one when all its
 * calls are there to be compared.
 */
const bailAt =
  (baseline: Baseline | undefined): NonNullable<RunTestsOptions['endsRun']> =>
  (test, over) =>
    (over || !baseline) && summarise(reportOf({ tests: [test] }, baseline && { baseline })).exitCode === 1;

/**
 * A baseline holds a whole run: what is left out of it would be new to the next one. The value is false where it could
 * not be written.
 */
async function writeBaseline(file: string, report: Report): Promise<boolean> {
  const { cases, missing } = summarise(report);
  if (report.cutOff !== undefined || missing.length > 0) {
    note(
      `The baseline ${file} was not written: ${report.cutOff ?? 'not every call of this run was made.'} A baseline holds a whole run.`,
    );
    return true;
  }
  try {
    await writeFile(file, jsonReport(report));
  } catch (error) {
    note(`The baseline ${file} could not be written (${error instanceof Error ? error.message : String(error)}).`);
    return false;
  }
  const thin = thinBaselineText(cases);
  if (thin !== undefined) note(`Baseline ${file}: ${thin}`);
  return true;
}

function matching(tests: readonly LoadedTest[], grep: string | undefined): readonly LoadedTest[] {
  if (grep === undefined) return tests;
  const part = grep.toLowerCase();
  const found = tests.filter(
    ({ source }) => source.test.name.toLowerCase().includes(part) || source.file.toLowerCase().includes(part),
  );
  if (found.length === 0) throw new UsageError(`No test's name or file holds "${grep}".`);
  return found;
}

/** Who plays a practice IVR is on this machine; a service elsewhere does not reach it. */
function refusePractice(tests: readonly LoadedTest[]): void {
  const lines = tests
    .filter(({ ivr }) => ivr)
    .map(({ source }) => {
      const why =
        'A practice IVR is played on this machine, and the service of --url does not reach it. Leave --url out, or give a phoneNumber.';
      return problemText(source.problemAt(['ivr'], why));
    });
  if (lines.length > 0) throw new HumanError(lines.join('\n'), { status: 400, code: 'practice_elsewhere' });
}
