import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import type { Locator } from 'playwright-core';
import type { InstalledEditor } from '../host/vsix.ts';
import { lookOf } from '../host/workbench.ts';
import type { Theme } from '../host/workbench.ts';
import { acceptPlace, chooseItem, chooseOnly, openFile, pressLens } from './treeSteps.ts';
import { sampleText } from './workspaceFiles.ts';
import type { Files } from './workspaceFiles.ts';

/** The practice bank, and its tree as saved after a mapping. */
export const coverageFiles: Files = {
  'bank.ivr.json': sampleText('bank.ivr.json'),
  'bank.calltree.json': sampleText('bank.calltree.json').replace('+12025550101', 'sip:harbour-bank@127.0.0.1:40112'),
};

/**
 * Generates tests from a saved tree, runs them with coverage, shows which branches no call took, and generates a test
 * for one of them.
 */
export async function coverTree({ workbench, profile }: InstalledEditor, theme: Theme): Promise<void> {
  const { page, box } = workbench;
  const keep = (step: string): Promise<string> => workbench.screenshot(`coverage-${step}-${lookOf(theme)}`);
  const tests = (state: string): Locator =>
    page
      .locator('.test-explorer .monaco-list-row')
      .filter({ hasText: 'harbour-bank-' })
      .filter({ has: page.locator(`.computed-state[class*="${state}"]`) });
  const testFiles = async (): Promise<string[]> =>
    (await readdir(profile.workspace)).filter((name) => name.endsWith('.calltest.json')).sort();
  await workbench.wears(theme);

  await openFile(workbench, 'bank.calltree.json');
  await workbench
    .webview()
    .locator('.card .title', { hasText: /^accounts$/ })
    .waitFor({ timeout: 30_000 });
  await page.locator('.editor-actions').getByRole('button', { name: 'More Actions...' }).click();
  await chooseItem(page, 'Generate Tests from Tree…');
  await box
    .getByText('Which paths do you want tests for?')
    .or(box.locator('.monaco-list-row').first())
    .first()
    .waitFor();
  await keep('1-paths');
  await chooseOnly(workbench, 'accounts > 2', 'cards > 2');
  await acceptPlace(workbench, 'Generate Tests from Tree', '/workspace/');
  await workbench.notification('Wrote 2 tests to workspace.').waitFor({ timeout: 20_000 });
  assert.equal((await testFiles()).length, 2);
  await keep('2-written');

  await workbench.openTab('Testing');
  await page
    .locator('.test-explorer .monaco-list-row', { hasText: 'harbour-bank-' })
    .nth(1)
    .waitFor({ timeout: 60_000 });
  await workbench.runCommand('Notifications: Clear All Notifications');
  await workbench.runCommand('Test: Run All Tests with Coverage');
  await tests('passed')
    .nth(1)
    .or(tests('errored').first())
    .or(tests('failed').first())
    .first()
    .waitFor({ timeout: 180_000 });
  assert.equal(await tests('passed').count(), 2);
  const covered = page
    .locator('.test-coverage-view .monaco-list-row, .monaco-list[aria-label*="Coverage"] .monaco-list-row')
    .filter({ hasText: 'bank.calltree.json' });
  await covered.waitFor({ timeout: 30_000 });
  await covered.hover();
  await keep('3-coverage');

  await covered.click();
  const drawn = workbench.webview();
  await drawn.getByText(/^The last run with coverage reached/).waitFor({ timeout: 30_000 });
  assert.ok((await drawn.locator('.card.is-covered').count()) > 3);
  await drawn.getByRole('button', { name: /^Next uncovered step/ }).click();
  await drawn.getByText(/^1 of \d+: .*No call reached this step\.$/).waitFor();
  await keep('4-opened');
  await workbench.runCommand('View: Reopen Editor With...');
  await box.locator('.monaco-list-row', { hasText: 'Text Editor' }).first().click();
  await workbench.runCommand('View: Toggle Panel Visibility');
  // A covered branch beside an uncovered one.
  const uncovered =
    coverageFiles['bank.calltree.json']?.split('\n').findIndex((line) => line.includes('"stepId": "1 > 2"')) ?? 0;
  await page.keyboard.press('Control+P');
  await workbench.answer(`:${String(uncovered)}`);
  await page.locator('.editor-instance .coverage-deco-gutter.coverage-deco-hit').first().waitFor({ timeout: 30_000 });
  await page.locator('.editor-instance .coverage-deco-gutter.coverage-deco-miss').first().waitFor();
  await keep('5-lines');
  await workbench.runCommand('Test: Toggle Inline Coverage');
  await page.locator('.editor-instance .coverage-deco-inline').first().waitFor();
  await keep('5-inline');

  const open = async (): Promise<[number, number]> => {
    await page.keyboard.press('Control+Home');
    await pressLens(workbench, 'Coverage…');
    await box.locator('.monaco-list-row').first().waitFor({ timeout: 30_000 });
    const [, done = '', all = ''] =
      /(\d+) of (\d+) branches are covered/.exec((await workbench.quickInput.getAttribute('placeholder')) ?? '') ?? [];
    return [Number(done), Number(all)];
  };
  const [before, all] = await open();
  assert.ok(before > 0 && before < all, `${String(before)} of ${String(all)} branches`);
  await keep('6-uncovered');
  await chooseOnly(workbench, 'loans and mortgages > 2');
  await acceptPlace(workbench, 'Generate Tests for Uncovered Branches', '/workspace/');
  await workbench.notification('Wrote 1 test to workspace.').waitFor({ timeout: 20_000 });
  const [after] = await open();
  assert.ok(after > before, `${String(before)}, then ${String(after)} branches`);
  await keep('7-fewer');
  await page.keyboard.press('Escape');
}
