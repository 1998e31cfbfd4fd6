import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { InstalledEditor } from '../host/vsix.ts';
import { lookOf } from '../host/workbench.ts';
import type { Theme } from '../host/workbench.ts';
import { shopLater, shopNow } from './shop.ts';
import { acceptPlace, card, chooseFromMenu, lens, mapShown, openFile, pressLens } from './treeSteps.ts';
import type { Files } from './workspaceFiles.ts';

export const compareFiles: Files = { 'shop.ivr.json': shopNow };

/**
 * Saves a mapped tree as a baseline, changes the IVR, maps it again, and shows the differences: as text, and in the
 * tree.
 */
export async function compareTrees({ workbench, profile }: InstalledEditor, theme: Theme): Promise<void> {
  const { page } = workbench;
  const keep = (step: string): Promise<string> => workbench.screenshot(`compare-${step}-${lookOf(theme)}`);
  await workbench.wears(theme);
  await workbench.openTab('Dialtree');
  await openFile(workbench, 'shop.ivr.json');
  await mapShown(workbench, 'Garden Centre');
  await chooseFromMenu(workbench, workbench.treeItem(/^Garden Centre, completed/), 'Save Tree as Baseline…');
  await acceptPlace(workbench, 'Save Tree as Baseline', 'garden-centre.calltree.json');
  await workbench.notification('as garden-centre.calltree.json').waitFor();
  await keep('1-baseline');

  // The next release of the shop.
  await writeFile(path.join(profile.workspace, 'shop.ivr.json'), shopLater);
  await openFile(workbench, 'shop.ivr.json');
  await pressLens(workbench, 'Stop');
  await lens(workbench, 'Start').waitFor({ timeout: 30_000 });
  await mapShown(workbench, 'Garden Centre in Spring');
  await workbench.runCommand('Notifications: Clear All Notifications');

  await chooseFromMenu(workbench, workbench.treeItem(/^Garden Centre in Spring, completed/), 'Compare Trees…');
  await workbench.asked('Which earlier tree do you want to compare with?').catch(() => undefined);
  await keep('2-which');
  await workbench.choose('garden-centre.calltree.json');

  // As text, side by side.
  const diff = page.locator('.monaco-diff-editor');
  await diff.locator('.modified .view-line', { hasText: 'gift cards' }).first().waitFor({ timeout: 30_000 });
  await diff.locator('.modified .line-insert').first().waitFor();
  await diff.locator('.original .line-delete').first().waitFor();
  const texts = async (side: string): Promise<string> =>
    (await diff.locator(`.${side} .view-line`).allInnerTexts()).join('\n').replaceAll('\u00A0', ' ');
  assert.match(await texts('original'), /says We deliver on Monday and Friday/i);
  assert.doesNotMatch(await texts('modified'), /Monday and Friday/i);
  assert.match(await texts('modified'), /^4 directions$/m);
  const sum = workbench.notification(
    /Changes from garden-centre\.calltree\.json to Garden Centre in Spring, run 1: .*1 added/,
  );
  await sum.waitFor();
  await keep('3-text');

  // As a drawing, with a mark and a word at each change.
  await sum.getByRole('button', { name: 'Show in Tree' }).click();
  const shown = workbench.webview();
  await shown
    .locator('.compare .stop-sum', { hasText: /^Compared with garden-centre\.calltree\.json: 1 added.*\.$/ })
    .waitFor({ timeout: 30_000 });
  await card(workbench, /^gift cards$/)
    .locator('.change', { hasText: '+ added' })
    .waitFor();
  await card(workbench, /^deliveries$/)
    .locator('.change', { hasText: '≠ reworded' })
    .waitFor();
  await card(workbench, /^directions$/)
    .locator('.change', { hasText: '# on another key' })
    .waitFor();
  await keep('4-tree');
  const next = shown.getByRole('button', { name: /^Next change/ });
  while (!/deliveries|says/i.test(await shown.locator('.compare .stop-at').innerText())) await next.click();
  await card(workbench, /^deliveries$/).click();
  await shown
    .locator('.pane')
    .getByText(/Monday and Friday/i)
    .first()
    .waitFor();
  await shown
    .locator('.pane')
    .getByText(/delivery comes/i)
    .first()
    .waitFor();
  await keep('5-change');
  await shown.getByRole('button', { name: 'Stop comparing' }).click();
  await shown.locator('.card .change').first().waitFor({ state: 'detached' });
}
