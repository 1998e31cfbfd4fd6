import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { format } from 'node:util';
import type { Page } from 'playwright-core';
import { launchBrowser } from './browser.ts';
import { repositoryRoot } from './cache.ts';
import type { Cleanup } from './cleanup.ts';
import { installServer } from './install.ts';
import { createProfile, removeProfile } from './profile.ts';
import { suiteVariables } from './report.ts';
import { startServer } from './server.ts';
import type { RunningServer } from './server.ts';
import { SuiteOutput } from './suiteOutput.ts';
import type { SuitePlan } from './suitePlan.ts';

/**
 * Runs the suites in VS Code's server, with its workbench in a headless Chromium. mocha's output goes to the console.
 *
 * @returns the exit code that the workbench reports. It is 0 even if the host crashed, so the suite's report must be
 *   read too.
 */
export async function runInServer(plan: SuitePlan, cleanup: Cleanup): Promise<number> {
  const installed = await installServer();
  const profile = await createProfile({ workspace: plan.workspace });
  cleanup.add(() => removeProfile(profile));

  const output = new SuiteOutput();
  const exited = Promise.withResolvers<number>();
  // It is always awaited in the end.
  exited.promise.catch(() => undefined);
  const server = await startServer(installed, {
    profile,
    env: { ...plan.env, [suiteVariables.mark]: output.mark },
    underTest: true,
    onLine: (line) => {
      output.add(line);
      // It also ends normally, after the suites.
      if (line.includes('Extension Host Process exited with code') && !existsSync(plan.reportFile)) {
        exited.reject(new Error(`The extension host died: ${line}`));
      }
    },
  });
  cleanup.add(() => server.stop());
  void server.ended.then(() => exited.reject(new Error("VS Code's server ended before the suite did.")));

  const browser = await launchBrowser({ closesOnSignal: false });
  cleanup.add(() => browser.close());
  const page = await browser.newPage({ viewport: { width: 1400, height: 900 } });
  await page.exposeFunction('codeAutomationLog', (_type: string, values: unknown[]) => output.add(format(...values)));
  await page.exposeFunction('codeAutomationExit', (code: number) => exited.resolve(code));
  page.on('crash', () => exited.reject(new Error('The page of the workbench crashed.')));
  cleanup.add(() => keepPicture(page));

  await page.goto(workbenchAddress(server, profile.workspace, plan));
  try {
    const code = await exited.promise;
    if (!existsSync(plan.reportFile)) {
      output.showHidden();
    }
    return code;
  } catch (error) {
    output.showHidden();
    throw error;
  }
}

function workbenchAddress(server: RunningServer, workspace: string, plan: SuitePlan): string {
  const remote = (file: string): string => `vscode-remote://${server.authority}${encodeURI(file)}`;
  const payload = [
    ['extensionDevelopmentPath', remote(plan.extension)],
    ['extensionTestsPath', remote(plan.entry)],
    ['skipWelcome', 'true'],
  ];
  const query = new URLSearchParams({ folder: workspace, payload: JSON.stringify(payload) });
  return `${server.origin}/?${query.toString()}`;
}

/** The last state of the editor explains most failures. */
async function keepPicture(page: Page): Promise<void> {
  const folder = path.join(repositoryRoot, 'test/.artifacts');
  await mkdir(folder, { recursive: true });
  await page.screenshot({ path: path.join(folder, 'host-last.png'), timeout: 5_000 }).catch(() => undefined);
}
