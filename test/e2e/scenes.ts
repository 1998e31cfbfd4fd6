import type { Settings } from '../host/profile.ts';
import { withVsix } from '../host/vsix.ts';
import type { InstalledEditor } from '../host/vsix.ts';
import { lookOf, themes, themeSetting } from '../host/workbench.ts';
import type { Theme } from '../host/workbench.ts';
import { callFromPalette } from './callScenes.ts';
import { firstMinute, stillWalkthrough, walkThrough } from './firstMinuteScenes.ts';
import { connectLine } from './lineScenes.ts';
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
  'first minute, dark': inEditor((editor) => firstMinute(editor, 'Default Dark Modern'), themeSetting('Default Dark Modern')),
  'first minute, light': inEditor((editor) => firstMinute(editor, 'Default Light Modern'), themeSetting('Default Light Modern')),
  'first minute, high contrast': inEditor((editor) => firstMinute(editor, 'Default High Contrast'), themeSetting('Default High Contrast')),
  'walkthrough, dark': inEditor((editor) => walkThrough(editor, 'Default Dark Modern'), { ...themeSetting('Default Dark Modern'), ...stillWalkthrough }),
  'walkthrough, light': inEditor((editor) => walkThrough(editor, 'Default Light Modern'), { ...themeSetting('Default Light Modern'), ...stillWalkthrough }),
  'walkthrough, high contrast': inEditor((editor) => walkThrough(editor, 'Default High Contrast'), { ...themeSetting('Default High Contrast'), ...stillWalkthrough }),
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
      await workbench.screenshot(`side-bar-${lookOf(theme)}`);
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
  'line, dark': inEditor((editor) => connectLine(editor, 'Default Dark Modern'), themeSetting('Default Dark Modern')),
  'line, light': inEditor((editor) => connectLine(editor, 'Default Light Modern'), themeSetting('Default Light Modern')),
  'pages of the service': () => seePages(),
};
