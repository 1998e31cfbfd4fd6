import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { ivrFileSchema } from '../../src/contract/ivrFile.ts';
import { readWav } from '../../src/speech/wav.ts';
import type { InstalledEditor } from '../host/vsix.ts';
import { lookOf } from '../host/workbench.ts';
import type { Theme } from '../host/workbench.ts';
import { shopMenus, shopNow } from './shop.ts';
import { acceptPlace, card, chooseFromMenu, lens, mapShown, openFile, pressLens } from './treeSteps.ts';
import type { Files } from './workspaceFiles.ts';

export const cassetteFiles: Files = {
  'shop.ivr.json': shopNow,
  // Of the shop as it was recorded.
  'recorded.calltest.json': `${JSON.stringify({
    name: 'Order by keypad', ivr: 'corner-shop.ivr.json',
    steps: [
      { name: 'Greeting', action: { type: 'dial' }, expectedTranscript: 'Welcome to the corner shop. For opening hours, press 1. For orders, press 2. For our address, press 3.' },
      { name: 'Orders', action: { type: 'press', keys: '2' }, expectedTranscript: 'For a new order, press 1. To change an order, press 2.' },
      { name: 'End', action: { type: 'hangUp' } },
    ],
  }, undefined, 2)}\n`,
};

/** Saves what a mapping heard as a practice IVR, starts that in the place of the first, tests against it, and maps it to the same tree. */
export async function recordCassette({ workbench, profile }: InstalledEditor, theme: Theme): Promise<void> {
  const { page } = workbench;
  const keep = (step: string): Promise<string> => workbench.screenshot(`cassette-${step}-${lookOf(theme)}`);
  await workbench.wears(theme);
  await workbench.openTab('Dialtree');
  await openFile(workbench, 'shop.ivr.json');
  await mapShown(workbench, 'Corner Shop');
  await chooseFromMenu(workbench, workbench.treeItem(/^Corner Shop, completed/), 'Save as Practice IVR…');
  await acceptPlace(workbench, 'Save as Practice IVR', 'corner-shop.ivr.json');
  const saved = workbench.notification(/corner-shop\.ivr\.json plays \d+ states, \d+ of them as they were recorded/);
  await saved.waitFor({ timeout: 60_000 });
  await keep('1-saved');

  const cassette = ivrFileSchema.parse(JSON.parse(await readFile(path.join(profile.workspace, 'corner-shop.ivr.json'), 'utf8')));
  const recorded = Object.values(cassette.states).map(({ prompt }) => prompt).filter((prompt) => typeof prompt === 'object');
  assert.equal(recorded.length, shopMenus.length + 1, 'every menu is recorded');
  for (const { wav } of recorded) {
    const { rate, samples } = readWav(await readFile(path.join(profile.workspace, wav)));
    assert.ok(samples.length > rate, `${wav} lasts longer than a second`);
  }
  await page.locator('.notifications-toasts').getByRole('button', { name: /^Clear Notification/ }).first().click();

  // What was mapped is off; the recording answers.
  await openFile(workbench, 'shop.ivr.json');
  await pressLens(workbench, 'Stop');
  await lens(workbench, 'Start').waitFor({ timeout: 30_000 });
  await workbench.openTab('Explorer');
  await openFile(workbench, 'corner-shop.ivr.json');
  await page.locator('.explorer-folders-view .monaco-list-row', { hasText: 'corner-shop.prompts' }).click();
  await page.locator('.explorer-folders-view .monaco-list-row', { hasText: '.wav' }).first().waitFor();
  await keep('2-file');
  await pressLens(workbench, 'Start');
  await lens(workbench, 'Stop').waitFor({ timeout: 60_000 });
  await workbench.openTab('Dialtree');
  await page.getByRole('button', { name: 'Practice IVRs Section' }).click();
  await workbench.treeItem(/^Corner Shop, sip:corner-shop@127\.0\.0\.1:\d+/).waitFor();
  await keep('3-running');

  await openFile(workbench, 'recorded.calltest.json');
  await pressLens(workbench, 'Run');
  await lens(workbench, 'Passed').waitFor({ timeout: 120_000 });
  await keep('4-tested');
  await page.keyboard.press('Control+F4');

  await openFile(workbench, 'corner-shop.ivr.json');
  await workbench.runCommand('Notifications: Clear All Notifications');
  await mapShown(workbench, 'Corner Shop');
  for (const title of shopMenus) await card(workbench, new RegExp(`^${title}$`)).waitFor();
  assert.equal(await workbench.webview().locator('.card').count(), shopMenus.length + 1, 'the recording has the menus of what was recorded');
  await keep('5-mapped');
}
