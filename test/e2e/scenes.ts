import type { InstalledEditor } from '../host/vsix.ts';
import { themes } from '../host/workbench.ts';

/** What a person does in a fresh editor with the packed extension; each scene has an editor of its own. */
export const scenes: Record<string, (editor: InstalledEditor) => Promise<void>> = {
  'first minute': async ({ workbench }) => {
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

    const card = workbench.webview().getByText('accounts').first();
    await card.waitFor();
    for (const theme of themes) {
      await workbench.setTheme(theme);
      await card.waitFor();
      await workbench.screenshot(`first-minute-4-tree-${theme.toLowerCase().replaceAll(' ', '-')}`);
    }

    // A panel comes back with its window.
    await workbench.reload();
    await workbench.webview().getByText('accounts').first().waitFor({ timeout: 60_000 });
    await workbench.screenshot('first-minute-5-reloaded');
  },
  'remote service without a key': async ({ workbench }) => {
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
    await workbench.page.getByRole('button', { name: 'Restart Service' }).waitFor({ timeout: 60_000 });
    await workbench.screenshot('remote-2-unreachable');
  },
  'side bar under all themes': async ({ workbench }) => {
    await workbench.openTab('Dialtree');
    await workbench.page.locator('.part.sidebar .title-label', { hasText: /^Dialtree/i }).waitFor();
    for (const theme of themes) {
      await workbench.setTheme(theme);
      await workbench.screenshot(`side-bar-${theme.toLowerCase().replaceAll(' ', '-')}`);
    }
  },
};
