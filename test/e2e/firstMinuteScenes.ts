import assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import type { Settings } from '../host/profile.ts';
import type { InstalledEditor } from '../host/vsix.ts';
import { lookOf } from '../host/workbench.ts';
import type { Theme, Workbench } from '../host/workbench.ts';

/** The promised time from the first click to the whole tree, in wall-clock time. */
const promisedSeconds = 60;

function keepPromise(took: number): void {
  assert.ok(
    took < promisedSeconds,
    `The first tree took ${took.toFixed(1)} s; ${String(promisedSeconds)} s are promised.`,
  );
}

/** The menus of the practice bank, as its tree shows them: labels are what was heard. */
const bankMenus = [
  /^accounts$/,
  /^cards$/,
  /^loans and mortgages$/,
  /^your balance$/,
  /recent transactions$/,
  /^lost or stolen card/,
  /^activate a new card$/,
  /other questions$/,
  /^new loan$/,
  /^existing mortgage$/,
  /^repeat these options$/,
];

/** From the activity bar to the whole tree of the practice bank, in a new profile and without changing a setting. */
export async function firstMinute({ workbench }: InstalledEditor, theme: Theme): Promise<void> {
  const { page } = workbench;
  const keep = (step: string, look = lookOf(theme)): Promise<string> =>
    workbench.screenshot(`first-minute-${step}-${look}`);
  await workbench.wears(theme);

  const began = performance.now();
  const seconds = (): string => ((performance.now() - began) / 1000).toFixed(1);
  await workbench.openTab('Dialtree');
  const welcome = page.getByRole('button', { name: 'Map the Practice Bank' });
  await welcome.waitFor();
  console.log(`    welcome after ${seconds()} s`);
  await keep('1-welcome');
  await welcome.click();

  // The tree grows before the run ends: the first menus appear while calls are active.
  const card = (title: RegExp): Locator => workbench.webview().locator('.card .title').filter({ hasText: title });
  await card(/^accounts$/).waitFor({ timeout: 60_000 });
  await workbench.treeItem(/^Harbour Bank, running/).waitFor();
  console.log(`    first menu after ${seconds()} s`);
  await keep('2-growing');

  const end = workbench.notification(/Mapped Harbour Bank/);
  await end.waitFor({ timeout: 120_000 });
  for (const title of bankMenus) await card(title).waitFor();
  const took = (performance.now() - began) / 1000;
  console.log(`    whole tree after ${seconds()} s`);
  await keep('3-mapped');
  await workbench.treeItem(/^Harbour Bank, completed/).waitFor();

  // The words of one menu, beside the tree; then the whole run as text.
  await end.getByRole('button', { name: 'Open Tree' }).click();
  await card(/^accounts$/).click();
  await workbench.webview().getByRole('heading', { name: 'accounts' }).waitFor();
  await keep('4-step');
  if (theme === 'Default High Contrast') {
    await workbench.setTheme('Default High Contrast Light');
    await keep('4-step', lookOf('Default High Contrast Light'));
  }
  await workbench.treeItem(/^Harbour Bank, completed/).click({ button: 'right' });
  await page.getByRole('menuitem', { name: 'Open Transcript' }).click();
  await page.locator('.editor-instance .view-line').first().waitFor();
  await keep('5-transcript');
  await page.keyboard.press('Control+F4');

  if (theme === 'Default Dark Modern') {
    // A panel is restored with its window.
    await workbench.reload();
    await workbench.webview().getByText('accounts').first().waitFor({ timeout: 60_000 });
    await keep('6-reloaded');
  }
  keepPromise(took);
}

/**
 * An animated walkthrough takes the focus back shortly after a step is chosen, which closes what its button has opened.
 */
export const stillWalkthrough: Settings = { 'workbench.reduceMotion': 'on' };

/** "Get Started", by the ids of its steps. */
export class Walkthrough {
  readonly #workbench: Workbench;

  constructor(workbench: Workbench) {
    this.#workbench = workbench;
  }

  step(id: string): Locator {
    return this.#workbench.page.locator(`.getting-started-step[data-step-id="dialtree.dialtree#start#${id}"]`);
  }

  async select(id: string): Promise<void> {
    const step = this.step(id);
    await step.waitFor();
    if ((await step.getAttribute('aria-expanded')) !== 'true') await step.click();
    await step.locator('.step-description-container').waitFor();
  }

  /** Presses the button of a step, or follows one of its links. */
  async press(id: string, name: string): Promise<void> {
    await this.select(id);
    await this.step(id)
      .getByRole('button', { name, exact: true })
      .or(this.step(id).getByRole('link', { name, exact: true }))
      .click();
  }

  /** Resolves when the editor has completed the step. */
  async ticked(id: string, timeout = 20_000): Promise<void> {
    await this.step(id).locator('.codicon.complete').first().waitFor({ timeout });
  }
}

/** Every step of "Get Started", with its own button; the editor must complete each. */
export async function walkThrough({ workbench }: InstalledEditor, theme: Theme): Promise<void> {
  const { page, box } = workbench;
  let filmed = 0;
  const keep = async (step: string): Promise<void> => {
    const from = performance.now();
    await workbench.screenshot(`walkthrough-${step}-${lookOf(theme)}`);
    filmed += performance.now() - from;
  };
  const walkthrough = new Walkthrough(workbench);
  const back = (): Promise<void> => page.locator('.tab', { hasText: 'Welcome' }).click();
  await workbench.wears(theme);
  const began = performance.now();
  /** A new user's waiting time, without the time for screenshots. */
  const waited = (): number => (performance.now() - began - filmed) / 1000;
  await workbench.openTab('Dialtree');
  await page
    .getByRole('link', { name: 'Get started' })
    .or(page.getByRole('button', { name: 'Get started' }))
    .first()
    .click();
  await walkthrough.select('practice');
  await keep('1-opened');

  await walkthrough.press('practice', 'Start the Practice Bank');
  await walkthrough.ticked('practice');
  await keep('2-practice');
  await walkthrough.press('map', 'Map the Practice Bank');
  await workbench
    .webview()
    .locator('.card .title', { hasText: /^accounts$/ })
    .waitFor({ timeout: 60_000 });
  console.log(`    first menus after ${waited().toFixed(1)} s`);
  await keep('3-growing');
  await workbench.notification(/Mapped Harbour Bank/).waitFor({ timeout: 120_000 });
  for (const title of bankMenus) await workbench.webview().locator('.card .title').filter({ hasText: title }).waitFor();
  const took = waited();
  console.log(`    whole tree after ${took.toFixed(1)} s, from the first click`);
  await back();
  await walkthrough.ticked('map');
  await keep('4-mapped');
  await walkthrough.press('tree', 'Open the Tree');
  await workbench.quickPick('Harbour Bank').click();
  await workbench
    .webview()
    .locator('.card .title', { hasText: /^accounts$/ })
    .waitFor();
  await back();
  await walkthrough.ticked('tree');
  await keep('5-tree');

  await walkthrough.press('mission', 'Run the Sample Mission');
  await page.locator('.tab', { hasText: 'bank.mission.json' }).waitFor({ timeout: 30_000 });
  // Words appear while the call is active.
  await page
    .locator('.part.panel .xterm-rows', { hasText: /Harbour/ })
    .first()
    .waitFor({ state: 'attached', timeout: 60_000 });
  await keep('6-mission-runs');
  await workbench
    .webview()
    .getByRole('heading', { name: 'Harbour Bank: find out the balance' })
    .waitFor({ timeout: 90_000 });
  await workbench.webview().locator('.player[data-phase]').waitFor();
  await keep('7-mission-report');
  await back();
  await walkthrough.ticked('mission');

  await walkthrough.press('line', 'Add a Line');
  await box.waitFor();
  await keep('8-line');
  await workbench.quickPick('One SIP address').click();
  await workbench.asked('The SIP address to call');
  await workbench.answer('sip:lab@127.0.0.1:9');
  await workbench.asked('User name for the login');
  await page.keyboard.press('Enter');
  await walkthrough.ticked('line');
  await walkthrough.press('agent', 'Connect an Agent');
  await box.waitFor();
  await keep('9-agent');
  await page.keyboard.press('Escape');
  await walkthrough.ticked('agent');
  await keep('10-all-done');

  // The samples as a workspace, in which the walkthrough continues.
  await walkthrough.press('mission', 'copy them to a folder');
  await box
    .getByText('Where do you want to put the samples folder?')
    .or(box.getByRole('button', { name: 'Copy Samples Here' }))
    .first()
    .waitFor();
  await keep('11-folder');
  await workbench.quickInput.press('Enter');
  await page
    .locator('.explorer-folders-view .monaco-list-row', { hasText: 'bank.mission.json' })
    .waitFor({ timeout: 60_000 });
  await walkthrough.ticked('mission', 30_000);
  await keep('12-samples');
  keepPromise(took);
}
