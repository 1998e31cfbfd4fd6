import { readdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { format } from 'node:util';
import { errorLine } from '../support/errorLine.ts';
import { patienceMs } from '../support/patience.ts';
import type { TimedTest } from '../support/stepTable.ts';
import { mappedStack } from './mappedStack.ts';
import { suiteVariables } from './report.ts';
import type { SuiteReport } from './report.ts';

/** Runs the bundled suites inside the extension host; VS Code calls it through `extensionTestsPath`. */
export async function run(): Promise<void> {
  const folder = required(suiteVariables.suites);
  const { default: Mocha } = await import('mocha');
  const suiteConsole = createSuiteConsole(process.env[suiteVariables.mark]);
  Object.assign(globalThis, { suiteConsole });
  Mocha.reporters.Base.consoleLog = (...args: unknown[]) => suiteConsole.log(...args);
  process.setSourceMapsEnabled(true);

  const grep = process.env[suiteVariables.grep];
  const mocha = new Mocha({
    ui: 'bdd',
    timeout: patienceMs + 60_000,
    slow: 2_000,
    color: false,
    forbidOnly: process.env['CI'] !== undefined,
    ...(grep === undefined ? {} : { grep }),
  });
  const files = (await readdir(folder, { recursive: true })).filter((name) => name.endsWith('.test.cjs'));
  for (const file of files.sort()) {
    mocha.addFile(path.join(folder, file));
  }
  const wrong: string[] = [];
  const tests: TimedTest[] = [];
  const report = await new Promise<SuiteReport>((resolve) => {
    const runner = mocha.run(() => {
      const { passes = 0, failures = 0, pending = 0 } = runner.stats ?? {};
      resolve({ passes, failures, pending, wrong, tests });
    });
    runner.on('test end', (test) => {
      if (test.duration !== undefined) tests.push({ title: test.fullTitle(), ms: test.duration });
    });
    runner.on('fail', (test, error: Error) => {
      wrong.push(`${test.fullTitle()}: ${errorLine(error)}`);
      if (error.stack !== undefined) {
        error.stack = mappedStack(error.stack);
      }
    });
  });
  await writeFile(required(suiteVariables.report), JSON.stringify(report));
  if (report.failures > 0) {
    throw new Error(`${report.failures} failed`);
  }
}

/**
 * The suites' console, which the bundle uses instead of `console`. The extension host's own doesn't work, because VS
 * Code also logs to it, and ignores assignments to its methods.
 */
function createSuiteConsole(mark: string | undefined): Console {
  const suiteConsole = Object.create(globalThis.console) as Console;
  for (const method of ['log', 'info', 'warn', 'error'] as const) {
    const write = globalThis.console[method].bind(globalThis.console);
    const value = (...values: unknown[]): void => {
      write((mark ?? '') + format(...values));
    };
    Object.defineProperty(suiteConsole, method, { value });
  }
  return suiteConsole;
}

function required(name: string): string {
  const value = process.env[name];
  if (value === undefined) {
    throw new Error(`${name} is not set: start the suites with test/host/run.ts.`);
  }
  return value;
}
