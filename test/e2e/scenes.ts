import type { InstalledEditor } from '../host/vsix.ts';
import { themes } from '../host/workbench.ts';

/** What a person does in a fresh editor with the packed extension; each scene has an editor of its own. */
export const scenes: Record<string, (editor: InstalledEditor) => Promise<void>> = {
  'side bar under all themes': async ({ workbench }) => {
    await workbench.openTab('Dialtree');
    await workbench.page.locator('.part.sidebar .title-label', { hasText: /^Dialtree/i }).waitFor();
    for (const theme of themes) {
      await workbench.setTheme(theme);
      await workbench.screenshot(`side-bar-${theme.toLowerCase().replaceAll(' ', '-')}`);
    }
  },
};
