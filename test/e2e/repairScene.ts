import assert from 'node:assert/strict';
import { copyFile, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { repositoryRoot } from '../host/cache.ts';
import type { InstalledEditor } from '../host/vsix.ts';
import { lookOf, type Theme } from '../host/workbench.ts';
import { runTest } from './pictures.ts';

const name = 'Harbour Bank: balance by keypad';

/** Moves the key of a menu after its test has passed, and repairs the test with the keyboard. */
export async function repairTest({ workbench, profile }: InstalledEditor, theme: Theme): Promise<void> {
  const { page } = workbench;
  const file = (called: string): string => path.join(profile.workspace, called);
  const keep = (step: string): Promise<string> => workbench.screenshot(`repair-${step}-${lookOf(theme)}`);
  for (const sample of ['bank.ivr.json', 'bank.calltest.json'])
    await copyFile(path.join(repositoryRoot, 'media/samples', sample), file(sample));
  await workbench.wears(theme);
  await workbench.openTab('Testing');
  await runTest(workbench, name, 'passed');
  const ivr = await readFile(file('bank.ivr.json'), 'utf8');
  const moved = ivr
    .replace('For accounts, press 1.', 'For accounts, press 5.')
    .replace('"1": "accounts"', '"5": "accounts"');
  await writeFile(file('bank.ivr.json'), moved);
  await runTest(workbench, name, 'failed');
  await workbench.runCommand('Dialtree: Repair Test…');
  await workbench.quickPick(name).first().waitFor();
  await keep('1-which-run');
  await page.keyboard.press('Enter');
  // The call takes longer than a question.
  await workbench.quickPick('Accept').waitFor({ timeout: 180_000 });
  await keep('2-proposal');
  await page.keyboard.press('Enter');
  for (let text = ''; !text.includes('"keys": "5"');) text = await readFile(file('bank.calltest.json'), 'utf8');
  assert.match(
    await readFile(file('bank.calltest.json'), 'utf8'),
    /press 5\. For cards[^]*\/\/ Never shown in reports/,
  );
  await runTest(workbench, name, 'passed');
  await keep('3-passed');
}
