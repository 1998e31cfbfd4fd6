import path from 'node:path';
import { mkdir } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { DialtreeClient } from '../../src/client/client.ts';
import { withPage } from '../host/chromiumPage.ts';
import { screenshotFolder } from '../host/workbench.ts';
import { withRemoteService } from './remoteService.ts';
import type { RemoteService } from './remoteService.ts';

const looks = {
  light: { colorScheme: 'light', viewport: { width: 1280, height: 800 } },
  dark: { colorScheme: 'dark', viewport: { width: 1280, height: 800 } },
  'light-phone': { colorScheme: 'light', viewport: { width: 360, height: 740 }, deviceScaleFactor: 2 },
  'dark-phone': { colorScheme: 'dark', viewport: { width: 360, height: 740 }, deviceScaleFactor: 2 },
} as const;

const email = 'ann@example.com';
const password = 'correct horse battery';

/** What a person with a claim link sees, in their own browser. */
export async function seePages(): Promise<void> {
  await mkdir(screenshotFolder, { recursive: true });
  await withRemoteService(async (service) => {
    const { apiKey } = (await (await fetch(`${service.baseUrl}/workspace/register`, { method: 'POST' })).json()) as {
      apiKey: string;
    };
    const client = new DialtreeClient({ baseUrl: service.baseUrl, apiKey });
    const { url } = await client.call('getClaimLink', {});
    for (const [look, context] of Object.entries(looks))
      await withPage((page) => seeClaim(page, look, url), { context });
    await withPage((page) => claim(page, service, url));
    for (const [look, context] of Object.entries(looks))
      await withPage((page) => seeAccount(page, look, service, url), { context });
  });
}

async function seeClaim(page: Page, look: string, url: string): Promise<void> {
  const keep = picturesOf(page, look);
  await page.goto(url);
  await keep('1-claim');
  await page.getByLabel('E-mail address').fill('ann@localhost');
  await page.getByRole('button', { name: 'Send code' }).click();
  await page.getByText('Error:').first().waitFor();
  await keep('2-claim-wrong');
}

async function claim(page: Page, service: RemoteService, url: string): Promise<void> {
  await page.goto(url);
  await page.getByLabel('E-mail address').fill(email);
  await page.getByRole('button', { name: 'Send code' }).click();
  await page.getByLabel('Code').fill(await service.mailedCode(email));
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Claim' }).click();
  await page.waitForURL('**/account');
}

async function seeAccount(page: Page, look: string, { origin, baseUrl }: RemoteService, url: string): Promise<void> {
  const keep = picturesOf(page, look);
  await page.goto(`${origin}/signin`);
  await keep('3-sign-in');
  await fill(page, email, 'wrong horse battery');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByText('Error:').waitFor();
  await keep('4-sign-in-wrong');
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.waitForURL('**/account');
  await keep('5-account');
  await page.getByLabel('Name of the key').fill('  ');
  await page.getByRole('button', { name: 'Create key' }).click();
  await page.getByText('Error:').waitFor();
  await keep('6-account-wrong');
  await page.getByLabel('Name of the key').fill(`Nightly tests, ${look}`);
  await page.getByRole('button', { name: 'Create key' }).click();
  await page.locator('.secret').waitFor();
  await keep('7-new-key');
  await page.goto(`${origin}/claim/nonsense`);
  await keep('8-no-such-link');
  await page.goto(url);
  await keep('9-used-link');
  await page.goto(`${baseUrl}/docs`);
  await keep('10-docs');
  await page.locator('summary').first().click();
  await keep('11-docs-open');
}

async function fill(page: Page, address: string, word: string): Promise<void> {
  await page.getByLabel('E-mail address').fill(address);
  await page.getByLabel('Password').fill(word);
}

function picturesOf(page: Page, look: string): (name: string) => Promise<void> {
  return async (name) => {
    await page.screenshot({
      path: path.join(screenshotFolder, `page-${name}-${look}.png`),
      fullPage: name !== '11-docs-open',
      animations: 'disabled',
    });
  };
}
