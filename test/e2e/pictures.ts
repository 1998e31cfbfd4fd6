import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { calltreeFileSchema } from '../../src/contract/calltreeFile.ts';
import type { CalltreeFile, CalltreeNode } from '../../src/contract/calltreeFile.ts';
import { loadIvr } from '../../src/practice/ivrSource.ts';
import { SampleCopies } from '../../src/editor/host/sampleCopies.ts';
import { unsaidWords } from '../support/unsaidWords.ts';
import { repositoryRoot } from '../host/cache.ts';
import { withVsix } from '../host/vsix.ts';
import type { InstalledEditor } from '../host/vsix.ts';
import { themeSetting } from '../host/workbench.ts';
import type { Theme, Workbench } from '../host/workbench.ts';
import { stillWalkthrough, Walkthrough } from './firstMinuteScenes.ts';

/** Pictures that ship: those of the walkthrough's steps, dark and light, and those of the README. */

const samples = path.join(repositoryRoot, 'media/samples');
const readmeFolder = path.join(repositoryRoot, 'docs/images');
const walkthroughFolder = path.join(repositoryRoot, 'media/walkthrough');
/** Progress notifications would cover the picture. */
const withoutToasts = '.notifications-toasts { visibility: hidden !important; }';
const missionName = 'Harbour Bank: find out the balance';
/** How often a test runs until its result can be shown. A busy machine hears late. */
const attempts = 5;
const maxBytes = { readme: 150_000, walkthrough: 120_000 };
const widest = { width: 1440, height: 800 };
const wide = { width: 1280, height: 800 };
const narrow = { width: 960, height: 680 };

/** Takes all pictures again with the packed extension. */
export async function takePictures(vsix: string): Promise<void> {
  await mkdir(readmeFolder, { recursive: true });
  await mkdir(walkthroughFolder, { recursive: true });
  for (const [theme, look] of [
    ['Default Dark Modern', 'dark'],
    ['Default Light Modern', 'light'],
  ] as const) {
    await withFolder((workspace) =>
      withVsix(vsix, (editor) => play(editor, look, theme), {
        workspace,
        settings: { ...themeSetting(theme), ...stillWalkthrough },
        viewport: wide,
      }),
    );
  }
}

/**
 * A bank with a script that passes, one that fails and a mission, its tree, and the tree of a release in which some
 * menus differ.
 */
async function withFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const root = await mkdtemp(path.join(tmpdir(), 'dialtree-pictures-'));
  try {
    const folder = path.join(root, 'harbour-bank');
    await new SampleCopies(samples, '').copyTo(folder);
    for (const name of await readdir(folder)) if (!name.startsWith('bank.')) await rm(path.join(folder, name));
    const script = await readFile(path.join(folder, 'bank.calltest.json'), 'utf8');
    await writeFile(
      path.join(folder, 'moved.calltest.json'),
      script
        .replace('balance by keypad', 'transfers')
        .replace('For your balance, press 1.', 'To transfer money, press 1.'),
    );
    const tree = calltreeFileSchema.parse(JSON.parse(await readFile(path.join(folder, 'bank.calltree.json'), 'utf8')));
    await writeFile(
      path.join(folder, 'release-2.calltree.json'),
      `${JSON.stringify(nextRelease(tree), undefined, 2)}\n`,
    );
    return await work(folder);
  } finally {
    await rm(root, { recursive: true, force: true });
  }
}

/**
 * In the cards menu, one option has moved to another key and one is replaced by a new one; a prompt has another
 * wording.
 */
function nextRelease({ tree, ...file }: CalltreeFile): CalltreeFile {
  const change = (node: CalltreeNode): CalltreeNode[] => {
    const children = node.children?.flatMap(change);
    const kept = { ...node, ...(children && { children }) };
    switch (node.path) {
      case '2':
        return [
          {
            ...kept,
            transcript:
              'For a lost or stolen card, press one. To freeze a card, press three. To activate a new card, press four.',
            options: [
              { key: '1', label: 'lost or stolen card' },
              { key: '3', label: 'freeze a card' },
              { key: '4', label: 'activate a new card' },
            ],
          },
        ];
      case '2 > 2':
        return [{ ...kept, stepId: '2 > 4', path: '2 > 4', digit: '4' }];
      case '2 > 3':
        return [
          {
            ...kept,
            label: 'freeze a card',
            transcript: 'Your card is frozen until you call us again. Goodbye.',
            end: 'hangup',
          },
        ];
      case '3 > 1':
        return [
          {
            ...kept,
            transcript:
              'Apply for a loan in our mobile app at any hour of the day, or leave your name and number after the tone.',
          },
        ];
      default:
        return [kept];
    }
  };
  const [changed = tree] = change(tree);
  return { ...file, name: 'Harbour Bank, release 2', tree: changed };
}

async function play({ workbench }: InstalledEditor, look: 'dark' | 'light', theme: Theme): Promise<void> {
  const { page, box } = workbench;
  const walkthrough = new Walkthrough(workbench);
  const step = (name: string, what: Locator): Promise<void> =>
    take(what, path.join(walkthroughFolder, `${name}-${look}.png`), maxBytes.walkthrough);
  const readme = async (name: string): Promise<void> => {
    if (look === 'dark') await take(page, path.join(readmeFolder, `${name}.png`), maxBytes.readme);
  };
  const editors = page.locator('.part.editor .editor-group-container').first();
  await workbench.wears(theme);
  await workbench.openTab('Dialtree');

  await workbench.runCommand('Dialtree: Get Started');
  await walkthrough.press('practice', 'Start the Practice Bank');
  await walkthrough.ticked('practice');
  for (const view of ['Mappings', 'Runs', 'Lines']) await fold(workbench, view);
  await unfold(workbench, 'Practice IVRs');
  await workbench.treeItem(/^Harbour Bank/).waitFor();
  await page.setViewportSize({ width: 900, height: 320 });
  await step('practice', page.locator('.part.sidebar'));
  await page.setViewportSize(wide);
  await fold(workbench, 'Practice IVRs');
  await unfold(workbench, 'Mappings');

  const card = (title: RegExp): Locator => workbench.webview().locator('.card .title').filter({ hasText: title });
  await walkthrough.press('map', 'Map the Practice Bank');
  // It takes the focus when it opens.
  await card(/^accounts$/).waitFor({ timeout: 60_000 });
  await workbench.runCommand('View: Close Primary Side Bar');
  await page.setViewportSize(narrow);
  await card(/^your balance$/).waitFor({ timeout: 60_000 });
  await step('map', editors);
  await workbench.webview().getByText('Completed').first().waitFor({ timeout: 180_000 });
  await card(/^accounts$/).click();
  await loadSound(workbench);
  await step('tree', editors);
  await page.setViewportSize(widest);
  await workbench.runCommand('View: Show Dialtree');
  await workbench.treeItem(/^Harbour Bank, completed/).click();
  await page.keyboard.press('ArrowRight');
  await workbench.webview().getByRole('button', { name: /^Fit/ }).click();
  await assertSaid(
    workbench
      .webview()
      .locator('.card .title')
      .filter({ hasNotText: /^Main menu$/ }),
  );
  await readme('tree-dark');
  await page.setViewportSize(wide);

  if (look === 'dark') {
    await compare(workbench);
    await readme('comparison-dark');
  }
  await workbench.runCommand('View: Close All Editors');

  await runTests(workbench);
  await readme('tests-dark');
  await workbench.runCommand('View: Hide Panel');
  await openMission(workbench);
  for (let attempt = 1; (await unsaidIn(workbench.webview().locator('.turn.them p'))).length > 0; attempt += 1) {
    if (attempt === attempts) throw new Error(`The mission's words were wrong in ${String(attempt)} runs.`);
    await workbench.runCommand('View: Close All Editors');
    // The name of its tab contains the number of failed tests now.
    await workbench.runCommand('Testing: Focus on Test Explorer View');
    await runTest(workbench, missionName, 'passed');
    await workbench.runCommand('View: Hide Panel');
    await openMission(workbench);
  }
  await loadSound(workbench);
  await readme('report-dark');
  await workbench.runCommand('View: Close Primary Side Bar');
  await page.setViewportSize(narrow);
  await step('mission', editors);
  await page.setViewportSize(wide);

  await workbench.runCommand('Dialtree: Add Line…');
  await box.locator('.monaco-list-row').first().waitFor();
  await step('line', box);
  await page.keyboard.press('Escape');
  await workbench.runCommand('Dialtree: Let Agents Use Dialtree…');
  await box.getByText('Calls per day').waitFor({ timeout: 60_000 });
  await step('agent', box);
  await page.keyboard.press('Escape');
}

/** The report of the mission's newest run. */
async function openMission(workbench: Workbench): Promise<void> {
  await workbench.openTab('Dialtree');
  await unfold(workbench, 'Runs');
  await workbench
    .treeItem(new RegExp(`^${missionName}, mission, passed`))
    .first()
    .click();
  await workbench.webview().getByRole('heading', { name: missionName }).waitFor({ timeout: 30_000 });
  await workbench.webview().locator('.turn.them p').first().waitFor();
}

/** Fails if a picture shows a word that the sample doesn't say: it would ship a recognition error. */
async function assertSaid(shown: Locator): Promise<void> {
  const wrong = await unsaidIn(shown);
  if (wrong.length > 0)
    throw new Error(`The picture shows words that were not said: ${wrong.join(', ')}. Take the pictures again.`);
}

async function unsaidIn(shown: Locator): Promise<readonly string[]> {
  const { ivr } = await loadIvr(path.join(samples, 'bank.ivr.json'));
  // Long titles are cut within a word.
  const texts = (await shown.allTextContents()).map((text) => text.replace(/\S*…$/, ''));
  if (texts.length === 0) throw new Error('The picture shows no words.');
  return unsaidWords(texts, ivr);
}

/** The wave is drawn after a recording was loaded. */
async function loadSound(workbench: Workbench): Promise<void> {
  const player = workbench.webview().locator('.player').first();
  await player.getByRole('button', { name: 'Play', exact: true }).click();
  await player.and(workbench.webview().locator('[data-phase="ready"]')).waitFor();
  await player.getByRole('button', { name: 'Pause', exact: true }).click();
}

/** Two saved trees, drawn with their differences. */
async function compare(workbench: Workbench): Promise<void> {
  await workbench.runCommand('Dialtree: Compare Trees…');
  await workbench.choose('release-2.calltree.json');
  await workbench.choose('bank.calltree.json');
  await workbench
    .notification(/Changes from .* to /)
    .getByRole('button', { name: 'Show in Tree' })
    .click({ timeout: 30_000 });
  await workbench
    .webview()
    .locator('.compare .stop-sum')
    .filter({ hasText: 'Compared with' })
    .waitFor({ timeout: 30_000 });
}

async function runTests(workbench: Workbench): Promise<void> {
  const { page } = workbench;
  await workbench.openTab('Testing');
  await runTest(workbench, missionName, 'passed');
  await runTest(workbench, 'Harbour Bank: balance by keypad', 'passed');
  await runTest(workbench, 'Harbour Bank: transfers', 'failed');
  await testRow(workbench, 'Harbour Bank: transfers').dblclick();
  await page
    .getByText(/Step 2/)
    .first()
    .waitFor({ timeout: 20_000 });
}

/**
 * Runs one test at a time, so that recognition keeps up with the call. On a busy machine a test is inconclusive instead
 * of failed, and runs again.
 */
export async function runTest(workbench: Workbench, name: string, state: 'passed' | 'failed'): Promise<void> {
  const test = testRow(workbench, name);
  const ended = testRow(workbench, name, state);
  for (let attempt = 1; attempt <= attempts; attempt += 1) {
    await test.hover();
    await test.getByRole('button', { name: 'Run Test', exact: true }).click();
    await testRow(workbench, name, 'loading').waitFor();
    await ended
      .or(testRow(workbench, name, 'error'))
      .first()
      .waitFor({ timeout: 180_000 });
    if (await ended.isVisible()) return;
  }
  throw new Error(`“${name}” was inconclusive in ${String(attempts)} runs.`);
}

/** A row of the Test Explorer, in a state that its icon shows. */
function testRow({ page }: Workbench, text: string, state?: string): Locator {
  const found = page.locator('.test-explorer .monaco-list-row').filter({ hasText: text });
  return (
    state === undefined ? found : found.filter({ has: page.locator(`.computed-state[class*="${state}"]`) })
  ).first();
}

const header = ({ page }: Workbench, view: string): Locator =>
  page.locator('.part.sidebar .pane-header').filter({ has: page.getByRole('heading', { name: view }) });

async function fold(workbench: Workbench, view: string): Promise<void> {
  const found = header(workbench, view);
  if ((await found.getAttribute('aria-expanded')) === 'true') await found.click({ position: { x: 40, y: 10 } });
}

async function unfold(workbench: Workbench, view: string): Promise<void> {
  const found = header(workbench, view);
  if ((await found.getAttribute('aria-expanded')) !== 'true') await found.click({ position: { x: 40, y: 10 } });
}

async function take(what: Page | Locator, file: string, bytes: number): Promise<void> {
  await what.screenshot({ path: file, animations: 'disabled', caret: 'hide', style: withoutToasts });
  const { size } = await stat(file);
  console.log(`    ${path.relative(repositoryRoot, file)} ${(size / 1000).toFixed(0)} kB`);
  if (size > bytes) throw new Error(`That is too large: ${(bytes / 1000).toFixed(0)} kB may ship.`);
}
