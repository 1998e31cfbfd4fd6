import type { Locator } from 'playwright-core';
import type { InstalledEditor } from '../host/vsix.ts';
import { lookOf } from '../host/workbench.ts';
import type { Theme } from '../host/workbench.ts';
import type { RemoteService } from './remoteService.ts';

const mobile = '+447400123456';

/** A new user of a remote service: their own workspace, its minutes, its keys, and the way back in with a key. */
export async function useWorkspace(
  { workbench }: InstalledEditor,
  service: RemoteService,
  theme: Theme,
): Promise<void> {
  const { page, box } = workbench;
  const look = lookOf(theme);
  const keep = (name: string): Promise<string> => workbench.screenshot(`workspace-${name}-${look}`);
  const toast = (text: RegExp): Locator => workbench.notification(text);
  /** Presses a button of a toast, and waits until it has gone. */
  const press = async (text: RegExp, button: string): Promise<void> => {
    const shown = toast(text);
    await shown.getByRole('button', { name: button, exact: true }).click();
  };
  const said = async (text: RegExp, name: string): Promise<void> => {
    await toast(text).waitFor({ timeout: 30_000 });
    await keep(name);
  };

  await workbench.wears(theme);
  await workbench.openTab('Dialtree');
  await page.getByRole('button', { name: 'Set API Key' }).waitFor();
  await keep('01-no-key');

  await page.getByRole('button', { name: 'Register a Workspace' }).click();
  await said(/Registered a workspace/, '02-registered');

  // Without a verified phone there are no minutes, and the error says what to do.
  await workbench.runCommand('Dialtree: New Mapping…');
  await box.getByText('Enter a number or SIP address…').waitFor();
  await keep('03-new-mapping');
  await box.getByText('Enter a number or SIP address…').click();
  await box.getByText(/international form/).waitFor();
  await workbench.quickInput.fill('020 7946 0123');
  await box.locator('.quick-input-message', { hasText: /country code, such as/ }).waitFor();
  await keep('04-number-wrong');
  await workbench.answer('+44 20 7946 0123');
  await box.getByText(/A name for the mapping/).waitFor();
  await keep('05-name');
  await workbench.answer('Town hall');
  await said(/no minutes left/, '06-no-minutes');

  await press(/no minutes left/, 'Verify a Phone');
  await box.getByText(/mobile number of the person/).waitFor();
  await keep('08-verify-number');
  await workbench.answer('+442079460123');
  await box.getByText(/landline/).waitFor();
  await keep('09-verify-landline');
  await workbench.answer(mobile);
  await box.getByText(/code that was sent/).waitFor();
  await keep('10-verify-code');
  await workbench.quickInput.fill('12');
  await box.getByText(/digits of the code/).waitFor();
  await keep('11-code-too-short');
  const code = await service.code(mobile);
  await workbench.answer(code === '000000' ? '000001' : '000000');
  await box.getByText(/wrong or older/).waitFor();
  await keep('12-code-wrong');
  await workbench.answer(code);
  await said(/Verified \+/, '13-verified');
  await press(/Verified \+/, 'Show Usage');
  await workbench.webview().getByRole('heading', { name: 'Free minutes' }).waitFor({ timeout: 30_000 });
  await keep('14-usage');

  // The operator adds a pack, for which the service stops briefly.
  await service.stop();
  await workbench.runCommand('Dialtree: Refresh Mappings');
  await toast(/Couldn't reach the service|didn't answer/)
    .first()
    .waitFor({ timeout: 60_000 });
  await keep('15-away');
  const [, id] =
    /^(\S+)\s+(?!local)/m.exec(
      (await service.admin('workspaces'))
        .split('\n')
        .filter((line) => !/unlimited/.test(line))
        .join('\n'),
    ) ?? [];
  await service.admin('grant', id ?? '', 'mapping', '60');
  await service.admin('grant', id ?? '', 'testing', '12.5');
  await service.resume();
  await workbench.runCommand('Dialtree: Show Usage');
  await workbench.webview().getByRole('columnheader', { name: 'Added' }).waitFor({ timeout: 30_000 });
  await keep('16-usage-packs');
  await workbench.runCommand('Notifications: Clear All Notifications');

  await workbench.runCommand('Dialtree: Get Claim Link');
  await said(/claim link/i, '17-claim-link');
  await press(/claim link/i, 'Copy');
  await workbench.runCommand('Dialtree: Get Claim Link');
  // The web workbench sends addresses of this machine through a proxy that only the complete code-server has.
  await page.context().route('**/proxy/*/claim/*', (route) =>
    route.fulfill({
      status: 302,
      headers: { location: `${service.origin}${new URL(route.request().url()).pathname.replace(/^\/proxy\/\d+/, '')}` },
    }),
  );
  const browser = page.context().waitForEvent('page', { timeout: 20_000 });
  await press(/claim link/i, 'Open in Browser');
  const claim = await browser;
  await claim.getByRole('heading', { name: 'Claim this workspace' }).waitFor();
  await claim.close();

  await workbench.runCommand('Dialtree: Manage API Keys…');
  await box.getByText('Create a Key…').waitFor();
  await keep('19-keys');
  await box.getByText('Create a Key…').click();
  await box.getByText(/what the key is for/).waitFor();
  await keep('20-key-name');
  await workbench.answer('Nightly tests');
  await box.getByText('mapping:read').first().waitFor();
  await keep('21-key-scopes');
  // The last key that can administer the workspace can't be revoked.
  await box.getByText('workspace:admin').click();
  await box.getByRole('button', { name: 'OK' }).click();
  await said(/Copied the key/, '22-key-created');
  const key = await page.evaluate<string>('navigator.clipboard.readText()');
  await workbench.runCommand('Dialtree: Manage API Keys…');
  await box.getByText('Nightly tests').waitFor();
  await keep('23-keys-two');
  await box.getByText('used by this editor').click();
  await page.locator('.monaco-dialog-box').waitFor();
  await keep('24-revoke-own');
  await workbench.answerDialog('Revoke');
  await said(/Revoked the key/, '25-revoked');

  // Back in with the other key, after a wrong one.
  await press(/Revoked the key/, 'Set API Key');
  await box.getByText(/The API key for/).waitFor();
  await keep('26-set-key');
  await workbench.answer('dt_00000000_wrong');
  await box.getByText(/refused this key/).waitFor();
  await keep('27-wrong-key');
  await workbench.answer(key);
  await page
    .getByRole('button', { name: 'Map the Practice Bank' })
    .or(workbench.treeItem(/Town hall/))
    .first()
    .waitFor({ timeout: 20_000 });
  await keep('28-key-set');

  await workbench.runCommand('Dialtree: Open a Guide…');
  await box.getByText('Which guide').or(box.locator('.monaco-list-row').first()).first().waitFor();
  await box.locator('.monaco-list-row').first().waitFor();
  await keep('29-guides');
  await workbench.quickInput.press('Enter');
  await workbench.webview().locator('h1', { hasNotText: 'Usage' }).waitFor({ timeout: 30_000 });
  await keep('30-guide');

  await page.locator('#dialtree\\.dialtree, .statusbar-item', { hasText: 'Dialtree' }).first().click();
  await box.locator('.monaco-list-row').first().waitFor();
  await keep('31-menu');
  await page.keyboard.press('Escape');
  await workbench.runCommand('Dialtree: Choose Service…');
  await box.getByText('Embedded').waitFor();
  await keep('32-choose-service');
  await page.keyboard.press('Escape');
}
