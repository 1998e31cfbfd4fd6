import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';
import { DialtreeClient } from '../../src/client/client.ts';
import { withPage } from '../host/chromiumPage.ts';
import { MailInbox } from '../support/mailInbox.ts';
import { ServiceFixture } from '../support/serviceFixture.ts';
import { SmsInbox } from '../support/smsInbox.ts';

interface Violation {
  id: string;
  impact: string | null;
  nodes: { target: unknown; failureSummary?: string }[];
}

const axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const password = 'correct horse battery';

/** Serious and critical findings of axe-core. */
async function findings(page: Page): Promise<string[]> {
  await page.evaluate(axe);
  const violations = await page.evaluate<Violation[]>(
    'axe.run(document, { resultTypes: ["violations"] }).then(({ violations }) => violations)',
  );
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) =>
      nodes.map(({ target, failureSummary }) => `${id} at ${JSON.stringify(target)}: ${failureSummary ?? ''}`),
    );
}

describe('service: claiming in a browser', function () {
  const fixture = new ServiceFixture();
  const mail = new MailInbox();
  const sms = new SmsInbox();
  let service: Awaited<ReturnType<ServiceFixture['start']>>;
  before(async () => {
    service = await fixture.start({ mail, sms, contact: 'ops@example.com' });
  });
  after(() => fixture.close());

  async function claimUrl(): Promise<string> {
    const { apiKey } = (await (await fetch(`${service.baseUrl}/workspace/register`, { method: 'POST' })).json()) as {
      apiKey: string;
    };
    return (await new DialtreeClient({ baseUrl: service.baseUrl, apiKey }).call('getClaimLink', {})).url;
  }

  for (const colorScheme of ['light', 'dark'] as const) {
    it(`works with the keyboard alone, on a narrow screen, ${colorScheme}`, async () => {
      const url = await claimUrl();
      const email = `ann-${colorScheme}@example.com`;
      await withPage(
        async (page) => {
          const problems: string[] = [];
          page.on('console', (message) => {
            if (message.type() === 'error' && !/status of 4\d\d/.test(message.text())) problems.push(message.text());
          });
          const { keyboard } = page;
          const fits = async (where: string): Promise<void> => {
            assert.deepEqual(await findings(page), [], where);
            assert.ok(
              await page.evaluate<boolean>('document.documentElement.scrollWidth <= innerWidth'),
              `${where} is no wider than the screen`,
            );
          };
          const focused = (): Promise<string> =>
            page.evaluate<string>('document.activeElement.id || document.activeElement.textContent.trim()');
          const tabTo = async (wanted: string): Promise<void> => {
            for (let presses = 0; presses < 40 && (await focused()) !== wanted; presses += 1)
              await keyboard.press('Tab');
            assert.equal(await focused(), wanted);
          };
          const submit = async (): Promise<void> => {
            await Promise.all([page.waitForEvent('load'), keyboard.press('Enter')]);
            // An element with `autofocus` gets the focus with the first frame, which can come after the page has
            // loaded.
            await page.evaluate(
              'new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))',
            );
          };

          await page.goto(url);
          await fits('the form');
          await tabTo('email');
          await keyboard.type('ann@localhost');
          await tabTo('Send code');
          await submit();
          assert.equal(await focused(), 'email', 'the first wrong field has the focus');
          await fits('the form with errors');
          await keyboard.press('Control+A');
          await keyboard.type(email);
          await submit();
          await fits('the form for the code');
          await tabTo('code');
          await keyboard.type(mail.codeFor(email));
          await tabTo('password');
          await keyboard.type(password);
          await submit();
          assert.equal(new URL(page.url()).pathname, '/account');
          await fits('the account');

          await tabTo('name');
          await keyboard.type('<b>Nightly tests</b>');
          await tabTo('Create key');
          await submit();
          assert.match((await page.textContent('.secret')) ?? '', /^dt_\w{8}_\w{43}$/);
          await fits('the new key');
          await tabTo('Back to your account');
          await submit();
          await tabTo('Revoke <b>Nightly tests</b>');
          await submit();
          assert.equal(await page.getByRole('button', { name: 'Revoke' }).count(), 1);

          await tabTo('Sign out');
          await submit();
          await tabTo('email');
          await keyboard.type(email);
          await keyboard.press('Tab');
          await keyboard.type('wrong horse battery');
          await submit();
          assert.equal(await focused(), 'password');
          await fits('the sign-in with an error');
          await keyboard.type(password);
          await submit();
          assert.equal(new URL(page.url()).pathname, '/account');
          await page.goto(url);
          assert.equal(await page.textContent('h1'), 'This link has been used');
          await fits('the used link');
          assert.deepEqual(problems, []);
        },
        { context: { colorScheme, viewport: { width: 320, height: 640 } } },
      );
    });
  }

  it('works without a claim link: a person signs up, verifies a mobile and makes room for another', async () => {
    await withPage(
      async (page) => {
        const origin = new URL(service.baseUrl).origin;
        const fits = async (where: string): Promise<void> => {
          assert.deepEqual(await findings(page), [], where);
          assert.ok(
            await page.evaluate<boolean>('document.documentElement.scrollWidth <= innerWidth'),
            `${where} is no wider than the screen`,
          );
        };
        const press = async (name: string): Promise<void> => {
          await Promise.all([page.waitForEvent('load'), page.getByRole('button', { name, exact: true }).click()]);
        };
        await page.goto(`${origin}/signin`);
        await Promise.all([page.waitForEvent('load'), page.getByRole('link', { name: 'Sign up' }).click()]);
        await fits('the sign-up');
        await page.getByLabel('E-mail address').fill('bea@example.com');
        await press('Send code');
        await fits('the form for the code');
        await page.getByLabel('Code').fill('123');
        await page.getByLabel('New password').fill('short');
        await press('Create account');
        await fits('the form for the code with errors');
        assert.equal(await page.getByText(/^Error: /).count(), 2);
        await page.getByLabel('Code').fill(mail.codeFor('bea@example.com'));
        await page.getByLabel('New password').fill(password);
        await press('Create account');
        assert.equal(new URL(page.url()).pathname, '/account');
        for (const last of [1, 2, 3]) {
          assert.equal(await page.getByRole('radio').count(), last === 1 ? 0 : last);
          await page.getByLabel('Mobile number').fill(`+44740066600${String(last)}`);
          await press('Send code');
          await fits('the form for the code of a mobile');
          await page.getByLabel('Code').fill(sms.codeFor(`+44740066600${String(last)}`));
          await press('Verify number');
          await fits('the verified number');
          await Promise.all([
            page.waitForEvent('load'),
            page.getByRole('link', { name: 'Back to your account' }).click(),
          ]);
        }
        await fits('the account with three people');
        assert.equal(await page.getByRole('radio').count(), 3);
      },
      { context: { viewport: { width: 320, height: 640 } } },
    );
  });
});
