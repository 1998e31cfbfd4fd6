import type { Locator } from 'playwright-core';
import type { InstalledEditor } from '../host/vsix.ts';
import { lookOf, themes } from '../host/workbench.ts';
import type { Theme } from '../host/workbench.ts';
import { sampleText } from './workspaceFiles.ts';
import type { Files } from './workspaceFiles.ts';

const balance = `{
  // The first call of a new customer.
  "name": "Balance by keypad",
  "ivr": "bank.ivr.json",
  "steps": [
    { "name": "Greeting", "action": { "type": "dial" }, "expectedTranscript": "Welcome to Harbour Bank. For accounts, press 1. For cards, press 2." },
    { "name": "Accounts", "action": { "type": "press", "keys": "1" }, "expectedTranscript": "You have reached accounts. For your balance, press 1." },
    { "name": "End", "action": { "type": "hangUp" } }
  ]
}
`;
const broken = '{\n  "name": "Not ready yet",\n  "ivr": "bank.ivr.json",\n  "step": []\n}\n';

const mission = (name: string, acceptance: string): string => `{
  "name": "${name}",
  "ivr": "bank.ivr.json",
  "mission": "You are a customer of Harbour Bank. Your account number is 12345678. Find out the balance of your account, then hang up.",
  "acceptance": "${acceptance}"
}
`;

/** A practice bank and its tests: a script and a mission that pass, one of each that fails, and a broken one. */
export const testFiles: Files = {
  'calls/bank.ivr.json': sampleText('bank.ivr.json'),
  'calls/balance.calltest.json': balance,
  'calls/cards.calltest.json': balance
    .replace('Balance by keypad', 'Cards by keypad')
    .replace(
      'You have reached accounts. For your balance, press 1.',
      'You have reached cards. For a lost card, press 1.',
    ),
  'calls/draft.calltest.json': broken,
  'calls/amount.mission.json': mission(
    'Hear the balance',
    'The bank says \\"you have two hundred dollars in your account\\".',
  ),
  'calls/account.mission.json': mission('Balance without a number', 'The caller is never asked for an account number.'),
};

/** Finds tests in the Test Explorer, runs them over SIP, and reads their results. */
export async function runTests({ workbench }: InstalledEditor, theme: Theme): Promise<void> {
  const { page } = workbench;
  const look = lookOf(theme);
  const keep = (step: string): Promise<string> => workbench.screenshot(`tests-${step}-${look}`);
  /** A row of the Test Explorer, in a state that its icon shows: `passed`, `failed`, or `loading`. */
  const test = (text: string, state?: string): Locator => {
    const row = page.locator('.test-explorer .monaco-list-row').filter({ hasText: text });
    return (
      state === undefined ? row : row.filter({ has: page.locator(`.computed-state[class*="${state}"]`) })
    ).first();
  };
  await workbench.wears(theme);

  await workbench.openTab('Testing');
  await page.locator('.test-explorer .monaco-list-row').first().waitFor({ timeout: 60_000 });
  for (const name of ['Balance by keypad', 'Cards by keypad', 'Hear the balance', 'Balance without a number'])
    await test(name).waitFor({ timeout: 10_000 });
  await keep('1-found');

  await workbench.runCommand('Test: Run All Tests');
  await test('Balance by keypad', 'loading').waitFor({ timeout: 60_000 });
  await workbench.runCommand('Test: Show Output');
  // Words appear while the calls are active.
  await page
    .locator('.xterm-rows', { hasText: /Harbour/ })
    .first()
    .waitFor({ state: 'attached', timeout: 60_000 });
  await keep('2-running');
  await test('Balance by keypad', 'passed').waitFor({ timeout: 180_000 });
  await test('Cards by keypad', 'failed').waitFor({ timeout: 180_000 });
  await test('Hear the balance', 'passed').waitFor({ timeout: 180_000 });
  await test('Balance without a number', 'failed').waitFor({ timeout: 180_000 });
  await keep('3-ended');

  // The failure at its step, in the file.
  await test('Cards by keypad').dblclick();
  await page.locator('.monaco-editor').first().waitFor();
  await page
    .getByText(/Step 2/)
    .first()
    .waitFor({ timeout: 20_000 });
  await keep('4-failure');
  await page.keyboard.press('Escape');
  await test('Balance without a number').dblclick();
  await page.locator('.tab.active', { hasText: 'account.mission.json' }).waitFor();
  await page
    .getByText(/Not met/)
    .first()
    .waitFor({ timeout: 20_000 });
  await keep('4-mission-failure');
  await page.keyboard.press('Escape');

  await workbench.openTab('Dialtree');
  await workbench.treeItem(/^Cards by keypad, script, failed/).waitFor({ timeout: 30_000 });
  await keep('5-runs');
  await workbench.treeItem(/^Cards by keypad, script, failed/).click();
  await workbench.webview().getByRole('heading', { name: 'Cards by keypad' }).waitFor({ timeout: 30_000 });
  await workbench.runCommand('View: Toggle Panel Visibility');
  await keep('6-report');
  await workbench
    .webview()
    .getByRole('button', { name: /Show what was said/ })
    .nth(1)
    .click();
  await workbench.webview().locator('.turn[aria-current]').waitFor();
  await workbench.webview().locator('.player[data-phase="ready"]').waitFor({ timeout: 20_000 });
  await keep('7-report-at-step');

  // A mission's report shows the verdict with the transcript.
  await workbench.treeItem(/^Hear the balance, mission, passed/).click();
  await workbench.webview().getByRole('heading', { name: 'Hear the balance' }).waitFor({ timeout: 30_000 });
  await workbench.webview().locator('.player[data-phase]').waitFor();
  await keep('7-report-of-mission');
  await workbench.runCommand('Dialtree: Judge Mission Run Again…');
  await workbench.quickPick('Hear the balance').first().click();
  await workbench
    .webview()
    .getByRole('textbox', { name: 'Acceptance criterion' })
    .fill('The bank says "good bye and all the best".');
  await workbench.webview().getByRole('button', { name: 'Judge the call' }).click();
  await workbench.webview().getByRole('region', { name: 'New verdict' }).waitFor({ timeout: 30_000 });
  await keep('7-report-judged-again');
  await page
    .locator('.tab', { hasText: 'Hear the balance' })
    .getByRole('button', { name: /^Close/ })
    .click();
  await page.locator('.tab', { hasText: 'Cards by keypad' }).click();
  await workbench.webview().getByRole('heading', { name: 'Cards by keypad' }).waitFor({ timeout: 30_000 });
  if (theme !== themes[0]) return;

  // A panel is restored with its window; the step's name leads to its line. By the editor's own command, because the
  // editor saves its layout before the page closes.
  const loaded = page.waitForEvent('load');
  await workbench.runCommand('Developer: Reload Window');
  await loaded;
  await workbench.shown();
  await workbench.webview().getByRole('heading', { name: 'Cards by keypad' }).waitFor({ timeout: 60_000 });
  await workbench
    .webview()
    .getByRole('button', { name: /Open step 2 in the file/ })
    .click();
  await page.locator('.tab.active', { hasText: 'cards.calltest.json' }).waitFor();
  await keep('8-file');
}
