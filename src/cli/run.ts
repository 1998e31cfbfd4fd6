import { HumanError } from '../contract/errors.ts';
import { problemText } from '../model/fileProblem.ts';
import { integer, note, print, readArguments, UsageError } from './command.ts';
import { runTests } from './callTests.ts';
import { summarise } from './report/cases.ts';
import { isReporterName, reporterNames, reporters } from './report/reporters.ts';
import { jsonReport } from './report/jsonReport.ts';
import { paletteFor } from './report/specReport.ts';
import { readRoutes } from './routes.ts';
import { loadTests, writeIds, type LoadedTest } from './runFiles.ts';
import { findTestFiles } from './runPaths.ts';
import { planRun, planText } from './runPlan.ts';
import { loadBaseline, prepareFiles, reportOf, writeReport } from './runReport.ts';
import { remoteService, withPractice, withService } from './runService.ts';
import { interruption } from './signals.ts';

const options = {
  reporter: { type: 'string' }, output: { type: 'string' }, repeat: { type: 'string' }, baseline: { type: 'string' }, 'write-baseline': { type: 'string' },
  grep: { type: 'string' }, routes: { type: 'string' }, url: { type: 'string' }, bail: { type: 'boolean' }, 'dry-run': { type: 'boolean' },
} as const;

export async function run(args: readonly string[]): Promise<number> {
  const { values, positionals } = readArguments(args, options);
  const reporter = values.reporter ?? 'spec';
  if (!isReporterName(reporter)) throw new UsageError(`--reporter is one of ${reporterNames.join(', ')}.`);
  if (values.url !== undefined && values.routes !== undefined) throw new UsageError('--routes is the dial plan of the service that this command starts; the service at --url has its own.');
  if (positionals.length === 0) throw new UsageError('Give test files, or folders that hold some.');
  const repeat = integer(values.repeat, 'repeat', 1, 1000) ?? 1;
  const remote = values.url === undefined ? undefined : remoteService(values.url, process.env['DIALTREE_API_KEY']);
  const routes = values.routes === undefined ? {} : await readRoutes(values.routes);
  const baseline = values.baseline === undefined ? undefined : await loadBaseline(values.baseline);

  const all = await loadTests(await findTestFiles(positionals, process.cwd()), process.cwd());
  const chosen = matching(all, values.grep);
  if (remote?.isLocal === false) refusePractice(chosen);
  if (values['dry-run']) {
    const plan = planRun(chosen, repeat, routes);
    print(reporter === 'json' ? JSON.stringify(plan, null, 2) : planText(plan));
    return 0;
  }

  await prepareFiles([values.output, values['write-baseline']]);
  const tests = await writeIds(chosen, process.cwd(), note);
  const startedAt = new Date().toISOString();
  const signal = interruption();
  const ivrs = [...new Set(tests.flatMap(({ ivr }) => ivr ?? []))];
  const reports = await withPractice(ivrs, (name, error) => { note(`${name}: a call was hung up: ${error instanceof Error ? error.message : String(error)}`); },
    (addressOf) => withService(remote ?? { routes }, (client) => runTests(tests, {
      client, repeat, signal, bail: values.bail === true, tell: note,
      numberOf: ({ source, ivr }) => (ivr ? addressOf(ivr) : source.test.phoneNumber ?? ''),
    })));
  const report = reportOf(reports, { startedAt, ...(baseline && { baseline }) });
  const text = reporters[reporter](report, values.output === undefined ? paletteFor(process.stdout, process.env) : undefined);
  if (values.output === undefined) process.stdout.write(text);
  else await writeReport(values.output, text);
  if (values['write-baseline'] !== undefined) await writeReport(values['write-baseline'], jsonReport(report));
  return signal.aborted ? 1 : summarise(report).exitCode;
}

function matching(tests: readonly LoadedTest[], grep: string | undefined): readonly LoadedTest[] {
  if (grep === undefined) return tests;
  const part = grep.toLowerCase();
  const found = tests.filter(({ source }) => source.test.name.toLowerCase().includes(part) || source.file.toLowerCase().includes(part));
  if (found.length === 0) throw new UsageError(`No test's name or file holds "${grep}".`);
  return found;
}

/** Who plays a practice IVR is on this machine; a service elsewhere does not reach it. */
function refusePractice(tests: readonly LoadedTest[]): void {
  const lines = tests.filter(({ ivr }) => ivr).map(({ source }) => {
    const why = 'A practice IVR is played on this machine, and the service of --url does not reach it. Leave --url out, or give a phoneNumber.';
    return problemText(source.problemAt(['ivr'], why));
  });
  if (lines.length > 0) throw new HumanError(lines.join('\n'), { status: 400, code: 'practice_elsewhere' });
}
