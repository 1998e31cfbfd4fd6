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
  // A test of the recorded shop.
  'recorded.calltest.json': `${JSON.stringify(
    {
      name: 'Order by keypad',
      ivr: 'garden-centre.ivr.json',
      steps: [
        {
          name: 'Greeting',
          action: { type: 'dial' },
          expectedTranscript:
            'Welcome to the garden centre. For deliveries, press 1. For plants, press 2. For directions, press 3.',
        },
        {
          name: 'Plants',
          action: { type: 'press', keys: '2' },
          expectedTranscript: 'For a new order, press 1. To change an order, press 2.',
        },
        { name: 'End', action: { type: 'hangUp' } },
      ],
    },
    undefined,
    2,
  )}\n`,
};

/**
 * Saves what a mapping heard as a practice IVR, starts it instead of the first one, tests it, and maps it to the same
 * tree.
 */
export async function recordCassette({ workbench, profile }: InstalledEditor, theme: Theme): Promise<void> {
  const { page } = workbench;
  const keep = (step: string): Promise<string> => workbench.screenshot(`cassette-${step}-${lookOf(theme)}`);
  await workbench.wears(theme);
  await workbench.openTab('Dialtree');
  await openFile(workbench, 'shop.ivr.json');
  await mapShown(workbench, 'Garden Centre');
  await chooseFromMenu(workbench, workbench.treeItem(/^Garden Centre, completed/), 'Save as Practice IVR…');
  await acceptPlace(workbench, 'Save as Practice IVR', 'garden-centre.ivr.json');
  await workbench.notification(/garden-centre\.ivr\.json has 6 states\..*recordings: 6\./).waitFor({ timeout: 60_000 });
  await keep('1-saved');

  const cassette = ivrFileSchema.parse(
    JSON.parse(await readFile(path.join(profile.workspace, 'garden-centre.ivr.json'), 'utf8')),
  );
  const recorded = Object.values(cassette.states)
    .map(({ prompt }) => prompt)
    .filter((prompt) => typeof prompt === 'object' && 'wav' in prompt);
  assert.equal(recorded.length, shopMenus.length + 1, 'every menu is recorded');
  for (const { wav } of recorded) {
    const {
      sampleRate,
      channels: [samples],
    } = readWav(await readFile(path.join(profile.workspace, wav)));
    assert.ok(samples !== undefined && samples.length > sampleRate, `${wav} lasts longer than a second`);
  }
  await workbench.runCommand('Notifications: Clear All Notifications');

  // The mapped IVR is off; the recording answers.
  await openFile(workbench, 'shop.ivr.json');
  await pressLens(workbench, 'Stop');
  await lens(workbench, 'Start').waitFor({ timeout: 30_000 });
  await page.keyboard.press('Control+Shift+E');
  await openFile(workbench, 'garden-centre.ivr.json');
  // The editor requests code lenses only while it has the focus.
  await lens(workbench, 'Start').waitFor({ timeout: 30_000 });
  await page.locator('.explorer-folders-view .monaco-list-row', { hasText: 'garden-centre.prompts' }).click();
  await page.locator('.explorer-folders-view .monaco-list-row', { hasText: '.wav' }).first().waitFor();
  await keep('2-file');
  await pressLens(workbench, 'Start');
  await lens(workbench, 'Stop').waitFor({ timeout: 60_000 });
  await workbench.openTab('Dialtree');
  await page.getByRole('button', { name: 'Practice IVRs Section' }).click();
  const running = workbench.treeItem(/^Garden Centre, sip:garden-centre@127\.0\.0\.1:\d+/);
  const [address = ''] = /sip:[^ ,]+/.exec((await running.getAttribute('aria-label')) ?? '') ?? [];
  await keep('3-running');

  await openFile(workbench, 'recorded.calltest.json');
  await pressLens(workbench, 'Run');
  const told = page.locator('.editor-instance .codelens-decoration', { hasText: /passed|failed|error/i });
  await told.waitFor({ timeout: 120_000 });
  assert.match(await told.innerText(), /passed/i);
  await keep('4-tested');
  await page.keyboard.press('Control+F4');

  await openFile(workbench, 'garden-centre.ivr.json');
  await workbench.runCommand('Notifications: Clear All Notifications');
  await mapShown(workbench, 'Garden Centre');
  assert.notEqual(address, '');
  await workbench.webview().getByText(address, { exact: true }).first().waitFor();
  for (const title of shopMenus) await card(workbench, title).waitFor();
  assert.equal(
    await workbench.webview().locator('.card').count(),
    shopMenus.length + 1,
    'the recording has the menus of what was recorded',
  );
  await keep('5-mapped');
}
