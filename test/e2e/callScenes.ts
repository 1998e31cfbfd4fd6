import type { InstalledEditor } from '../host/vsix.ts';
import { lookOf } from '../host/workbench.ts';
import type { Theme } from '../host/workbench.ts';

/** Places the calls of a load test and runs a probe from the palette, without a file, and reads both reports. */
export async function callFromPalette({ workbench }: InstalledEditor, theme: Theme): Promise<void> {
  const { page } = workbench;
  const look = lookOf(theme);
  const row = (name: string) => workbench.box.locator('.monaco-list-row', { hasText: name }).first();
  const keep = (step: string): Promise<string> => workbench.screenshot(`calls-${step}-${look}`);
  await workbench.wears(theme);
  await workbench.openTab('Dialtree');

  await workbench.runCommand('Dialtree: Start Load Test…');
  await row('Harbour Bank').waitFor({ timeout: 30_000 });
  await keep('1-target');
  await row('Harbour Bank').click();
  await workbench.asked('Simultaneous calls');
  await workbench.quickInput.fill('0');
  await workbench.asked('Enter a whole number from 1 to');
  await keep('2-refused');
  await workbench.answer('20');
  await workbench.asked('until all calls have started');
  await workbench.answer('4');
  await workbench.asked('to keep all calls connected');
  await workbench.answer('6');
  await workbench.webview().getByText('Running').first().waitFor({ timeout: 30_000 });
  await workbench.treeItem(/^harbour-bank, load test, 20 simultaneous calls, running/).waitFor({ timeout: 30_000 });
  await keep('3-running');
  await workbench.webview().getByText('Completed').first().waitFor({ timeout: 60_000 });
  await workbench.treeItem(/load test, 20 simultaneous calls, completed/).waitFor({ timeout: 30_000 });
  await keep('4-load-report');
  await page.keyboard.press('Control+F4');

  await workbench.runCommand('Dialtree: Run Compliance Probe…');
  await workbench.quickPick('Truthful answer to "Are you human?"').first().waitFor({ timeout: 30_000 });
  await keep('5-probes');
  await workbench.choose('Emergency guidance first');
  await row('Riverside Clinic').click();
  await workbench.treeItem(/^Emergency guidance first, compliance, running/).waitFor({ timeout: 30_000 });
  await workbench
    .treeItem(/^Emergency guidance first, compliance, (?:passed|failed|inconclusive)/)
    .waitFor({ timeout: 120_000 });
  await workbench.webview().locator('.player[data-phase]').waitFor({ timeout: 20_000 });
  await keep('6-probe-report');

  await workbench.runCommand('Dialtree: Set Budgets and Retention…');
  await workbench.quickPick('Minutes per day').waitFor({ timeout: 30_000 });
  await keep('7-budgets');
  await page.keyboard.press('Escape');
  await workbench.runCommand('Dialtree: Choose Language Model…');
  await workbench.quickPick('Rules').waitFor({ timeout: 30_000 });
  await keep('8-models');
  await page.keyboard.press('Escape');
}
