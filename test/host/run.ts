/**
 * Runs the suites of `test/host/suite` in a real VS Code: `node test/host/run.ts [options]`.
 *
 *     --grep PATTERN       only the tests that match
 *     --extension FOLDER   the extension under test, with its built `main`; default: the repository
 *     --suite FOLDER       where the `*.test.ts` are
 *     --timeout SECONDS    for everything together, 2400 by default
 *
 * Linux uses VS Code from the npm registry and a headless Chromium; other systems, and DIALTREE_TEST_ELECTRON=1, use
 * the desktop VS Code. DIALTREE_TEST_VERBOSE=1 shows the server's output.
 */
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { bundleSuites } from './bundle.ts';
import { repositoryRoot } from './cache.ts';
import { withCleanup } from './cleanup.ts';
import type { Cleanup } from './cleanup.ts';
import { runInElectron } from './electronHost.ts';
import { publishFigures } from './figures.ts';
import { readReport, suiteVariables } from './report.ts';
import type { SuiteReport } from './report.ts';
import { runInServer } from './serverHost.ts';

const { values: options } = parseArgs({
  options: {
    grep: { type: 'string' },
    extension: { type: 'string', default: repositoryRoot },
    suite: { type: 'string', default: path.join(import.meta.dirname, 'suite') },
    timeout: { type: 'string', default: '2400' },
  },
});

const began = performance.now();
const desktop = process.platform !== 'linux' || process.env['DIALTREE_TEST_ELECTRON'] === '1';
let report: SuiteReport = { passes: 0, failures: 1, pending: 0, wrong: [], tests: [] };
try {
  report = await withCleanup((cleanup) => withinTime(runSuites(cleanup)));
  if (report.failures === 0 && report.passes === 0) {
    report.failures = 1;
    console.error('No test ran.');
  }
} catch (error) {
  console.error(error);
}
await publishFigures({
  name: desktop ? 'VS Code (desktop)' : 'VS Code',
  passed: report.passes,
  failed: report.failures,
  pending: report.pending,
  wrong: report.wrong,
  tests: report.tests,
  seconds: (performance.now() - began) / 1000,
});
process.exit(report.failures === 0 ? 0 : 1);

async function runSuites(cleanup: Cleanup): Promise<SuiteReport> {
  const extension = path.resolve(options.extension);
  await assertBuilt(extension);
  const bundled = await bundleSuites(path.resolve(options.suite));
  cleanup.add(() => bundled.remove());
  const folder = await mkdtemp(path.join(tmpdir(), 'dialtree-report-'));
  cleanup.add(() => rm(folder, { recursive: true, force: true }));

  const reportFile = path.join(folder, 'report.json');
  const plan = {
    extension,
    entry: bundled.entry,
    workspace: path.join(import.meta.dirname, 'workspace'),
    reportFile,
    env: {
      [suiteVariables.suites]: bundled.folder,
      [suiteVariables.report]: reportFile,
      [suiteVariables.root]: repositoryRoot,
      ...(options.grep === undefined ? {} : { [suiteVariables.grep]: options.grep }),
    },
  };
  const exitCode = await (desktop ? runInElectron(plan, cleanup) : runInServer(plan, cleanup));
  const found = await readReport(reportFile);
  if (exitCode !== 0 && found.failures === 0) {
    throw new Error(`All tests passed, but the host ended with ${exitCode}.`);
  }
  return found;
}

async function assertBuilt(extension: string): Promise<void> {
  const manifest = JSON.parse(await readFile(path.join(extension, 'package.json'), 'utf8')) as { main?: string };
  const main = path.join(extension, manifest.main ?? 'index.js');
  if (!existsSync(main)) {
    throw new Error(`The extension is not built: ${main} does not exist. Run \`npm run build\` first.`);
  }
}

/** @throws Error if `work` takes longer than `--timeout`. */
async function withinTime<T>(work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    const seconds = Number(options.timeout);
    timer = setTimeout(() => reject(new Error(`The suites have not ended within ${seconds} s.`)), seconds * 1000);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
