import type { Locator } from 'playwright-core';
import type { InstalledEditor } from '../host/vsix.ts';
import { lookOf, themes } from '../host/workbench.ts';
import type { Theme } from '../host/workbench.ts';
import { testFiles } from './testScenes.ts';
import type { Files } from './workspaceFiles.ts';

const name = 'Balance by keypad';
export const loadFiles: Files = Object.fromEntries(
  Object.entries(testFiles).filter(([file]) => /bank\.ivr|balance\.calltest/.test(file)),
);

/** Carries out a test on several calls from the Test Explorer, with a criterion and a stage, and reads the report. */
export async function runUnderLoad({ workbench }: InstalledEditor, theme: Theme): Promise<void> {
  const { page, box } = workbench;
  const keep = (step: string): Promise<string> => workbench.screenshot(`load-${step}-${lookOf(theme)}`);
  const choice = (text: string): Locator => box.locator('.monaco-list-row').filter({ hasText: text }).first();
  const row = page.locator('.test-explorer .monaco-list-row');
  await workbench.wears(theme);

  await workbench.openTab('Testing');
  await row.filter({ hasText: name }).click({ button: 'right', timeout: 60_000 });
  await page.getByRole('menuitem', { name: /Using Profile/ }).click();
  await choice('Run Under Load').click();
  await workbench.asked('Simultaneous calls');
  await workbench.answer('4');
  await workbench.asked('Ramp:');
  await workbench.answer('1');
  await workbench.asked('Hold:');
  await workbench.quickInput.fill('90');
  await keep('1-hold');
  await box.getByRole('button', { name: 'More options…' }).click();
  await choice('Criteria').click();
  await choice('Back to the options').waitFor();
  await keep('2-criteria');
  await choice('Set-up success').click();
  await workbench.asked('Set-up success, %: lowest allowed value');
  await workbench.answer('95');
  await choice('≥ 95 %').waitFor();
  await choice('Back to the options').click();
  await choice('Further stages').click();
  await workbench.asked('the number of calls changes in stages');
  await workbench.answer('2:1:20');
  await choice('Set-up success ≥ 95 %').waitFor();
  await keep('3-options');
  await choice('Start Load Test').click();

  const report = workbench.webview();
  await report.getByRole('heading', { name }).waitFor({ timeout: 60_000 });
  const ended = report.locator('.load-status', { hasNotText: /Running|Reference call/ });
  await ended.waitFor({ timeout: 240_000 });
  await keep('4-ended');
  await ended.filter({ hasText: 'Passed' }).waitFor({ timeout: 5_000 });
  await row
    .filter({ hasText: name })
    .filter({ has: page.locator('.computed-state[class*="passed"]') })
    .first()
    .waitFor({ timeout: 30_000 });
  await report.getByRole('region', { name: 'Criteria' }).getByText('Set-up success is 100 %').waitFor();
  if (theme !== themes[0]) return;
  for (const other of themes) {
    await workbench.setTheme(other);
    await workbench.screenshot(`load-report-${lookOf(other)}`);
  }
}
