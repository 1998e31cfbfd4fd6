import type { Settings } from '../host/profile.ts';
import { withVsix } from '../host/vsix.ts';
import type { InstalledEditor } from '../host/vsix.ts';
import { themes, themeSetting } from '../host/workbench.ts';
import type { Theme } from '../host/workbench.ts';
import { callFromPalette } from './callScenes.ts';
import { seePages } from './pageScenes.ts';
import { withRemoteService } from './remoteService.ts';
import { runTests } from './testScenes.ts';
import { useWorkspace } from './workspaceScenes.ts';

/** Plays with the packed extension, and keeps pictures. */
type Scene = (vsix: string, name: string) => Promise<void>;

/** A scene in a fresh editor of its own. What the window showed when it failed is kept too. */
const inEditor = (play: (editor: InstalledEditor) => Promise<void>, settings: Settings = {}): Scene => (vsix, name) => withVsix(vsix, async (editor) => {
  try {
    await play(editor);
  } catch (error) {
    await editor.workbench.screenshot(`failed-${name}`);
    throw error;
  }
}, { settings });

/** A newcomer whose editor knows the address of a remote service, and no more. */
const onRemote = (theme: Theme): Scene => (vsix, name) => withRemoteService((service) => inEditor((editor) => useWorkspace(editor, service, theme),
  { 'dialtree.service.mode': 'remote', 'dialtree.service.url': service.baseUrl, ...themeSetting(theme) })(vsix, name));

/** What a person does. */
export const scenes: Record<string, Scene> = {
  'first minute': inEditor(async ({ workbench }) => {
    const { page } = workbench;
    await workbench.openTab('Dialtree');
    const welcome = page.getByRole('button', { name: 'Map the Practice Bank' });
    await welcome.waitFor();
    await workbench.screenshot('first-minute-1-welcome');
    await welcome.click();

    // The tree grows before the run ends: the first menu comes while calls are still made.
    const job = workbench.treeItem(/^Harbour Bank, running/);
    await job.waitFor({ timeout: 60_000 });
    await job.click();
    await page.keyboard.press('ArrowRight');
    await workbench.treeItem(/^1 · accounts/).waitFor({ timeout: 60_000 });
    await workbench.treeItem(/^Harbour Bank, running/).waitFor();
    await workbench.notification(/Mapping Harbour Bank/).waitFor();
    await workbench.screenshot('first-minute-2-growing');

    await workbench.treeItem(/^Harbour Bank, completed/).waitFor({ timeout: 180_000 });
    const end = workbench.notification(/Harbour Bank is mapped/);
    await end.waitFor();
    await workbench.screenshot('first-minute-3-mapped');
    await end.getByRole('button', { name: 'Open Tree' }).click();

    const card = workbench.webview().locator('.card .title', { hasText: /^accounts$/ });
    await card.waitFor();
    for (const theme of themes) {
      await workbench.setTheme(theme);
      await card.waitFor();
      await workbench.screenshot(`first-minute-4-tree-${theme.toLowerCase().replaceAll(' ', '-')}`);
    }

    // What one step said, beside the tree; then the whole run as text.
    await card.click();
    await workbench.webview().getByRole('heading', { name: 'accounts' }).waitFor();
    for (const theme of themes) {
      await workbench.setTheme(theme);
      await workbench.screenshot(`first-minute-5-step-${theme.toLowerCase().replaceAll(' ', '-')}`);
    }
    await workbench.runCommand('Dialtree: Open Transcript');
    await workbench.quickPick('Harbour Bank').click();
    await page.locator('.editor-instance .view-line').first().waitFor();
    await workbench.screenshot('first-minute-6-transcript');
    await page.keyboard.press('Control+F4');

    // A panel comes back with its window.
    await workbench.reload();
    await workbench.webview().getByText('accounts').first().waitFor({ timeout: 60_000 });
    await workbench.screenshot('first-minute-7-reloaded');
  }),
  'remote service without a key': inEditor(async ({ workbench }) => {
    await workbench.changeSettings({ 'dialtree.service.mode': 'remote', 'dialtree.service.url': 'http://127.0.0.1:9' });
    await workbench.openTab('Dialtree');
    const setKey = workbench.page.getByRole('button', { name: 'Set API Key' });
    // The web workbench reads a settings file that was written beside it at its next start only.
    await setKey.waitFor({ timeout: 20_000 }).catch(async () => {
      await workbench.reload();
      await workbench.openTab('Dialtree');
      await setKey.waitFor();
    });
    await workbench.screenshot('remote-1-no-key');
    await setKey.click();
    await workbench.answer('dt_00000000_none');
    // Nothing listens at the discard port.
    await workbench.page.getByRole('button', { name: 'Try Again' }).first().waitFor({ timeout: 60_000 });
    await workbench.screenshot('remote-2-unreachable');
  }),
  'side bar under all themes': inEditor(async ({ workbench }) => {
    await workbench.openTab('Dialtree');
    await workbench.page.getByRole('button', { name: 'Map the Practice Bank' }).waitFor();
    for (const theme of themes) {
      await workbench.setTheme(theme);
      await workbench.screenshot(`side-bar-${theme.toLowerCase().replaceAll(' ', '-')}`);
    }
  }),
  'workspace, dark': onRemote('Default Dark Modern'),
  'workspace, light': onRemote('Default Light Modern'),
  'workspace, high contrast': onRemote('Default High Contrast'),
  'tests, dark': runTests('Default Dark Modern'),
  'tests, light': runTests('Default Light Modern'),
  'tests, high contrast': runTests('Default High Contrast'),
  'calls, dark': inEditor((editor) => callFromPalette(editor, 'Default Dark Modern'), themeSetting('Default Dark Modern')),
  'calls, light': inEditor((editor) => callFromPalette(editor, 'Default Light Modern'), themeSetting('Default Light Modern')),
  'calls, high contrast': inEditor((editor) => callFromPalette(editor, 'Default High Contrast'), themeSetting('Default High Contrast')),
  'pages of the service': () => seePages(),
};
