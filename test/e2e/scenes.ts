import { withVsix } from '../host/vsix.ts';
import type { InstalledEditor } from '../host/vsix.ts';
import type { Settings } from '../host/profile.ts';
import { themeSetting } from '../host/workbench.ts';
import type { Theme } from '../host/workbench.ts';
import { firstMinute, stillWalkthrough, walkThrough } from './firstMinuteScenes.ts';
import { addOfficeExtension } from './lineScene.ts';
import { repairTest } from './repairScene.ts';

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
  ...playIn('line', addOfficeExtension),
  ...playIn('repair', repairTest),
};
