import { withVsix } from '../host/vsix.ts';
import type { InstalledEditor } from '../host/vsix.ts';
import type { Settings } from '../host/profile.ts';
import { themeSetting } from '../host/workbench.ts';
import type { Theme } from '../host/workbench.ts';
import { firstMinute, stillWalkthrough, walkThrough } from './firstMinuteScenes.ts';

/** Uses the packed extension, and takes pictures. */
type Scene = (vsix: string, name: string) => Promise<void>;

/** Plays a scene in a new editor. If it fails, a picture of the window is kept too. */
const inEditor =
  (play: (editor: InstalledEditor) => Promise<void>, settings: Settings = {}): Scene =>
  (vsix, name) =>
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
      { settings },
    );

const looks = {
  dark: 'Default Dark Modern',
  light: 'Default Light Modern',
  'high contrast': 'Default High Contrast',
} as const;

/** A user's actions in a new editor, in each theme: `NAME, dark` and the others. */
const playIn = (
  name: string,
  play: (editor: InstalledEditor, theme: Theme) => Promise<void>,
  settings: Settings = {},
): Record<string, Scene> =>
  Object.fromEntries(
    Object.entries(looks).map(([look, theme]) => [
      `${name}, ${look}`,
      inEditor((editor) => play(editor, theme), { ...settings, ...themeSetting(theme) }),
    ]),
  );

/** A user's actions. */
export const scenes: Record<string, Scene> = {
  ...playIn('first minute', firstMinute),
  ...playIn('walkthrough', walkThrough, stillWalkthrough),
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
};
