import type { Settings } from '../host/profile.ts';
import { withVsix } from '../host/vsix.ts';
import type { InstalledEditor } from '../host/vsix.ts';
import { lookOf, themes, themeSetting } from '../host/workbench.ts';
import type { Theme } from '../host/workbench.ts';
import { letAgents, routeTo, withAgent, withShop } from './agentScenes.ts';
import { callFromPalette } from './callScenes.ts';
import { cassetteFiles, recordCassette } from './cassetteScenes.ts';
import { compareFiles, compareTrees } from './compareScenes.ts';
import { coverageFiles, coverTree } from './coverageScenes.ts';
import { firstMinute, stillWalkthrough, walkThrough } from './firstMinuteScenes.ts';
import { connectLine } from './lineScenes.ts';
import { seePages } from './pageScenes.ts';
import { loadFiles, runUnderLoad } from './loadScenes.ts';
import { sayHowToCall } from './profileScenes.ts';
import { withRemoteService } from './remoteService.ts';
import { runTests, testFiles } from './testScenes.ts';
import { withFiles } from './workspaceFiles.ts';
import type { Files } from './workspaceFiles.ts';
import { useWorkspace } from './workspaceScenes.ts';

/** Uses the packed extension, and takes pictures. */
type Scene = (vsix: string, name: string) => Promise<void>;

interface Setting {
  readonly settings?: Settings;
  /** Files of the workspace. */
  readonly files?: Files;
  /** Other packed extensions. */
  readonly others?: readonly string[];
}

/** Plays a scene in a new editor. If it fails, a picture of the window is kept too. */
const inEditor =
  (play: (editor: InstalledEditor) => Promise<void>, { files = {}, ...options }: Setting = {}): Scene =>
  (vsix, name) =>
    withFiles(files, (workspace) =>
      withVsix(
        vsix,
        async (editor) => {
          try {
            await play(editor);
          } catch (error) {
            await editor.workbench.screenshot(`failed-${name}`);
            throw error;
          }
        },
        { ...options, workspace },
      ),
    );

const looks = {
  dark: 'Default Dark Modern',
  light: 'Default Light Modern',
  'high contrast': 'Default High Contrast',
} as const;

/** A scene in each theme: `NAME, dark` and the others. */
const inLooks = (name: string, sceneIn: (theme: Theme) => Scene): Record<string, Scene> =>
  Object.fromEntries(Object.entries(looks).map(([look, theme]) => [`${name}, ${look}`, sceneIn(theme)]));

/** A user's actions in a new editor, in each theme. */
const playIn = (
  name: string,
  play: (editor: InstalledEditor, theme: Theme) => Promise<void>,
  { settings, ...setting }: Setting = {},
): Record<string, Scene> =>
  inLooks(name, (theme) =>
    inEditor((editor) => play(editor, theme), { ...setting, settings: { ...settings, ...themeSetting(theme) } }),
  );

/** A new user whose editor only has the address of a remote service. */
const onRemote =
  (theme: Theme): Scene =>
  (vsix, name) =>
    withRemoteService((service) =>
      inEditor((editor) => useWorkspace(editor, service, theme), {
        settings: {
          'dialtree.service.mode': 'remote',
          'dialtree.service.url': service.baseUrl,
          ...themeSetting(theme),
        },
      })(vsix, name),
    );

/** Another agent, and a number that leads to this machine. */
const withAgents =
  (theme: Theme): Scene =>
  (vsix, name) =>
    withShop((shop) =>
      withAgent((agent) =>
        inEditor((editor) => letAgents(editor, theme), {
          settings: { ...routeTo(shop), ...themeSetting(theme) },
          others: [agent],
        })(vsix, name),
      ),
    );

/** A user's actions. */
export const scenes: Record<string, Scene> = {
  ...playIn('first minute', firstMinute),
  ...playIn('walkthrough', walkThrough, { settings: stillWalkthrough }),
  'remote service without a key': inEditor(async ({ workbench }) => {
    await workbench.changeSettings({ 'dialtree.service.mode': 'remote', 'dialtree.service.url': 'http://127.0.0.1:9' });
    await workbench.openTab('Dialtree');
    const setKey = workbench.page.getByRole('button', { name: 'Set API Key' });
    // The web workbench reads a settings file that another program wrote only at its next start.
    await setKey.waitFor({ timeout: 20_000 }).catch(async () => {
      await workbench.reload();
      await workbench.openTab('Dialtree');
      await setKey.waitFor();
    });
    await workbench.screenshot('remote-1-no-key');
    await setKey.click();
    await workbench.answer('dt_00000000_none');
    // Nothing listens on the discard port.
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
  ...inLooks('workspace', onRemote),
  ...playIn('tests', runTests, { files: testFiles }),
  ...playIn('load', runUnderLoad, { files: loadFiles }),
  ...playIn('compare', compareTrees, { files: compareFiles }),
  ...playIn('cassette', recordCassette, { files: cassetteFiles }),
  ...playIn('coverage', coverTree, { files: coverageFiles }),
  ...inLooks('agents', withAgents),
  ...playIn('calls', callFromPalette),
  ...playIn('line', connectLine),
  ...playIn('profile', sayHowToCall),
  'pages of the service': () => seePages(),
};
