import { startEcho } from '../../src/practice/echo.ts';
import type { InstalledEditor } from '../host/vsix.ts';
import { lookOf } from '../host/workbench.ts';
import type { Theme } from '../host/workbench.ts';

const password = 'scene-line-pw';

/**
 * Connects an exchange on this machine that requires a login: fills in the form, goes back in it, opens its options,
 * reads the result of the check, and hears an echo.
 */
export async function connectLine({ workbench }: InstalledEditor, theme: Theme): Promise<void> {
  const { page, quickInput } = workbench;
  const look = lookOf(theme);
  const keep = (step: string): Promise<string> => workbench.screenshot(`line-${step}-${look}`);
  const echo = await startEcho({
    port: 0,
    challenge: { realm: 'lab', passwordOf: (user) => (user === 'ann' ? password : undefined) },
  });
  try {
    await workbench.wears(theme);
    await workbench.openTab('Dialtree');
    await workbench.runCommand('Dialtree: Add Line…');
    await workbench.quickPick('Lab PBX').waitFor({ timeout: 30_000 });
    await keep('1-kind');
    await workbench.quickPick('Lab PBX').click();
    await workbench.asked('Host name or IP address');
    await workbench.answer('no host');
    await workbench.asked('Enter a host name or an IP address');
    await keep('2-refused');
    await workbench.answer(`127.0.0.1:${String(echo.port)};transport=tcp`);
    await workbench.asked('User name for the login');
    const button = (name: RegExp) => workbench.box.locator('.quick-input-titlebar').getByRole('button', { name });
    await button(/^Back/).click();
    await workbench.asked('Host name or IP address');
    await quickInput.press('Enter');
    await workbench.asked('User name for the login');
    await quickInput.fill('ann');
    await button(/^More options/).click();
    await workbench.quickPick('Name').click();
    await workbench.asked('A name for this line');
    await workbench.answer('lab');
    await workbench.quickPick('Caller ID').click();
    await workbench.asked('that calls come from');
    await workbench.answer('600');
    await workbench.quickPick('Done').waitFor();
    await keep('3-options');
    await page.keyboard.press('Escape');
    // What was typed is still there.
    await workbench.asked('User name for the login');
    await quickInput.press('Enter');
    await workbench.asked('secret storage');
    await quickInput.fill(password);
    await keep('4-password');
    await quickInput.press('Enter');
    await workbench.notification(/lab: .*The called side accepts the login\./).waitFor({ timeout: 60_000 });
    await page.getByRole('button', { name: 'Lines Section' }).click();
    await workbench.treeItem(/^lab, Lab PBX, 127\.0\.0\.1:\d+ · TCP · .* ms, works/).waitFor({ timeout: 30_000 });
    await keep('5-works');
    await workbench
      .notification(/The called side accepts the login/)
      .getByRole('button', { name: 'Call Echo…' })
      .click();
    await workbench.asked('sends back what it hears');
    await workbench.answer('600');
    await workbench.notification(/Echo heard after \d+ ms/).waitFor({ timeout: 60_000 });
    await keep('6-echo');
  } finally {
    await echo.close();
  }
}
