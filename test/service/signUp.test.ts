import assert from 'node:assert/strict';
import { HumanError } from '../../src/contract/errors.ts';
import { freeGrant, serverLimits } from '../../src/contract/limits.ts';
import { FormBrowser } from '../support/formBrowser.ts';
import { MailInbox } from '../support/mailInbox.ts';
import { ServiceFixture } from '../support/serviceFixture.ts';
import { SmsInbox } from '../support/smsInbox.ts';

const password = 'correct horse battery';
const { codeSeconds, wrongTries, codesAnHour, codesAnHourPerNetwork, codesADay } = serverLimits.signUp;
const wrongCode = (right: string): string => (right === '00000000' ? '00000001' : '00000000');

describe('service: signing up', function () {
  const fixture = new ServiceFixture();
  const mail = new MailInbox();
  const sms = new SmsInbox();
  let time = new Date('2026-03-01T12:00:00.000Z');
  let service: Awaited<ReturnType<ServiceFixture['start']>>;
  let people = 0;

  /** The header that a proxy sets, so that a test can send requests from several networks. */
  const from = (network: string): { readonly 'x-forwarded-for': string } => ({ 'x-forwarded-for': network });
  const visitor = (): FormBrowser => new FormBrowser(service.baseUrl);
  const newEmail = (): string => `ann${String((people += 1))}@example.com`;
  const later = (ms: number): void => {
    time = new Date(time.getTime() + ms);
  };

  before(async () => {
    service = await fixture.start({
      mail,
      sms,
      contact: 'ops@example.com',
      publicUrl: 'https://dial.example.com',
      parts: { now: () => time },
    });
  });
  after(() => fixture.close());
  /** Each kind is limited per hour and day. */
  beforeEach(() => later(25 * 3_600_000));
  afterEach(() => {
    mail.failure = undefined;
  });

  /** Returns the address of the form for the code. */
  async function begin(browser: FormBrowser, email: string): Promise<string> {
    const answer = await browser.post('/signup', { email });
    assert.equal(answer.status, 303, answer.text);
    const path = answer.headers.get('location') ?? '';
    assert.match(path, /^\/signup\/[\w-]{43}$/);
    return path;
  }
  async function signedUp() {
    const browser = visitor();
    const email = newEmail();
    const path = await begin(browser, email);
    const done = await browser.post(path, { code: mail.codeFor(email), password });
    assert.deepEqual([done.status, done.headers.get('location')], [303, '/account']);
    return { browser, email, path };
  }

  it('creates a person and their workspace, in which they make a key that works', async () => {
    const browser = visitor();
    assert.match((await browser.get('/signin')).text, /href="\/signup"/);
    const page = await browser.get('/signup');
    assert.equal(page.status, 200);
    assert.ok(page.text.includes('<label for="email">') && !page.text.includes('<script'));
    const path = await begin(browser, ' Ann@Example.com ');
    const form = await browser.get(path);
    assert.ok(
      form.text.includes('ann@example.com') &&
        form.text.includes('<label for="code">') &&
        form.text.includes('<label for="password">') &&
        !form.text.includes('<script'),
    );
    const code = mail.codeFor('ann@example.com');
    const done = await browser.post(path, { code: `${code.slice(0, 4)} ${code.slice(4)}`, password });
    assert.deepEqual([done.status, done.headers.get('location')], [303, '/account']);
    const [cookie = ''] = done.headers.getSetCookie();
    for (const flag of ['HttpOnly', 'SameSite=Strict', 'Secure', '__Host-dialtree_session='])
      assert.ok(cookie.includes(flag), flag);

    const account = await browser.get('/account');
    assert.ok(
      account.text.includes('ann@example.com') &&
        account.text.includes('Tier: free') &&
        account.text.includes('You have no keys yet') &&
        account.text.includes('can grant more minutes: ops@example.com'),
    );
    const shown = await browser.post('/account/keys', [
      ['csrf', await browser.formToken()],
      ['name', 'First'],
      ['scope', 'mapping:write'],
      ['scope', 'mapping:read'],
      ['scope', 'workspace:read'],
    ]);
    const apiKey = /dt_\w{8}_\w{43}/.exec(shown.text)?.[0] ?? '';
    assert.ok(!(await browser.get('/account')).text.includes(apiKey), 'shown once');
    const client = service.clientOf(apiKey);
    const usage = await client.call('getWorkspaceUsage', {});
    assert.deepEqual(
      [usage.tier, usage.capacity, usage.claimed, usage.contact, usage.freeMinutes.mapping.remaining],
      ['free', 'metered', true, 'ops@example.com', 0],
    );
    const job = await client.call('createMapping', { phoneNumber: '+12025550101' });
    await assert.rejects(
      client.call('startMapping', { id: job.id }),
      (error: Error & { status?: number; claim?: unknown }) =>
        error.status === 402 && error.claim === undefined && /requestAnchorCode.*ops@example\.com/.test(error.message),
    );

    const other = visitor();
    assert.equal(
      (await other.post('/signin', { email: 'ann@example.com', password })).status,
      303,
      'the password signs in',
    );
  });

  it('verifies a mobile on the account page, with the free minutes that every workspace gets', async () => {
    const { browser } = await signedUp();
    const csrf = await browser.formToken();
    const refused = await browser.post('/account/people/code', { csrf, phoneNumber: '+442079460958' });
    assert.equal(refused.status, 400);
    assert.match(refused.text, /id="phoneNumber-error">Error: This isn.+t a mobile number/);
    const [, example = ''] = /such as (\+\d+)/.exec(refused.text) ?? [];
    assert.match(
      (await browser.post('/account/people/code', { csrf, phoneNumber: example })).text,
      /<label for="code">/,
      'the example of the field is accepted',
    );
    assert.match(
      (await browser.post('/account/people/code', { csrf, phoneNumber: '+447400123456' })).text,
      /<label for="code">/,
    );
    const wrong = await browser.post('/account/people', {
      csrf,
      phoneNumber: '+447400123456',
      code: wrongCode(sms.codeFor('+447400123456')).slice(0, 6),
    });
    assert.deepEqual([wrong.status, /id="code-error"/.test(wrong.text)], [400, true]);
    const right = await browser.post('/account/people', {
      csrf,
      phoneNumber: '+447400123456',
      code: sms.codeFor('+447400123456'),
    });
    assert.match(right.text, /The workspace got its free minutes/);
    assert.match(
      (await browser.get('/account')).text,
      new RegExp(`>Mapping</th><td>${String(freeGrant.minutes.mapping)}</td>`),
    );
    assert.equal(
      (await browser.post('/account/people/code', { csrf: 'x', phoneNumber: '+447400123456' })).status,
      403,
      'a form of another site',
    );

    const removal = await browser.post('/account/people/remove', { csrf, phoneNumber: '+447400123456' });
    assert.equal(removal.status, 401, 'there is no such page: a verified person can only be replaced');
    for (const last of [7, 8]) {
      await browser.post('/account/people/code', { csrf, phoneNumber: `+44740012345${String(last)}`, replaces: '' });
      await browser.post('/account/people', {
        csrf,
        phoneNumber: `+44740012345${String(last)}`,
        replaces: '',
        code: sms.codeFor(`+44740012345${String(last)}`),
      });
    }
    assert.equal(
      [...(await browser.get('/account')).text.matchAll(/type="radio" name="replaces"/g)].length,
      3,
      'a fourth one takes the place of another',
    );
    await browser.post('/account/people/code', { csrf, phoneNumber: '+447400123459', replaces: '+447400123456' });
    await browser.post('/account/people', {
      csrf,
      phoneNumber: '+447400123459',
      replaces: '+447400123456',
      code: sms.codeFor('+447400123459'),
    });
    const { text } = await browser.get('/account');
    assert.deepEqual(
      ['6', '7', '8', '9'].filter((last) => text.includes(`<strong>+44740012345${last}</strong>`)),
      ['7', '8', '9'],
    );
  });

  it('answers the same for an address that has an account, and gives that account away to no one', async () => {
    const { email } = await signedUp();
    const stranger = visitor();
    const newcomer = newEmail();
    const [known, unknown] = [await begin(stranger, email), await begin(stranger, newcomer)];
    const [pageOfKnown, pageOfUnknown] = await Promise.all(
      [known, unknown].map(async (path) => (await stranger.get(path)).text),
    );
    assert.equal(pageOfKnown?.replaceAll(email, '…'), pageOfUnknown?.replaceAll(newcomer, '…'));
    assert.match(mail.lastFor(email).text, /already has an account\. Sign in at https:\/\/dial\.example\.com\/signin/);
    assert.throws(() => mail.codeFor(email), /no code/);
    for (let tries = 1; tries < wrongTries; tries += 1) {
      const answers = await Promise.all(
        [known, unknown].map((path) => stranger.post(path, { code: '00000000', password })),
      );
      assert.deepEqual(
        answers.map(({ status }) => status),
        [400, 400],
      );
    }
    const last = await Promise.all([known, unknown].map((path) => stranger.post(path, { code: '00000000', password })));
    assert.deepEqual(
      last.map(({ status }) => status),
      [410, 410],
    );
    assert.equal((await visitor().post('/signin', { email, password })).status, 303, 'the account is as it was');
  });

  it('accepts each code once, for a limited time, and after few wrong ones', async () => {
    const browser = visitor();
    const { path, email } = await signedUp();
    assert.equal((await browser.post(path, { code: mail.codeFor(email), password })).status, 410, 'used');
    assert.equal((await browser.get(`/signup/${'x'.repeat(43)}`)).status, 410);

    const late = newEmail();
    const latePath = await begin(browser, late);
    later(codeSeconds * 1000);
    assert.equal((await browser.get(latePath)).status, 410);
    assert.equal((await browser.post(latePath, { code: mail.codeFor(late), password })).status, 410);

    const tried = newEmail();
    const triedPath = await begin(browser, tried);
    const code = mail.codeFor(tried);
    const half = await browser.post(triedPath, { code: '123', password: 'short' });
    assert.equal(half.status, 400);
    assert.match(half.text, /id="code-error"/);
    assert.match(half.text, /id="password-error"/);
    for (let tries = 1; tries < wrongTries; tries += 1)
      assert.match(
        (await browser.post(triedPath, { code: wrongCode(code), password })).text,
        /id="code-error">Error: The code is wrong/,
      );
    await browser.post(triedPath, { code: wrongCode(code), password });
    assert.equal((await browser.post(triedPath, { code, password })).status, 410, 'wrong tries end a sign-up');
    assert.equal((await visitor().post('/signin', { email: tried, password })).status, 403, 'and make no account');
  });

  it('creates one account for two sign-ups with one address, even simultaneous ones', async () => {
    const email = newEmail();
    const browser = visitor();
    const paths = [await begin(browser, email)];
    const codes = [mail.codeFor(email)];
    paths.push(await begin(browser, email));
    codes.push(mail.codeFor(email));
    const [first = '', second = ''] = paths;
    assert.equal(
      (
        await browser.post(first, {
          code: codes[1] === codes[0] ? wrongCode(codes[0] ?? '') : (codes[1] ?? ''),
          password,
        })
      ).status,
      400,
      'a code is of its own sign-up',
    );
    const answers = await Promise.all(
      [first, second].map((path, index) => visitor().post(path, { code: codes[index] ?? '', password })),
    );
    assert.deepEqual(answers.map(({ status }) => status).sort(), [303, 409]);
  });

  it('limits the codes sent to an address, for a network and from a server', async () => {
    const ask = (email: string, network: string): Promise<Response> =>
      fetch(new URL('/signup', service.baseUrl), {
        method: 'POST',
        redirect: 'manual',
        headers: from(network),
        body: new URLSearchParams({ email }),
      });
    const statusOf = async (email: string, network: string): Promise<number> => (await ask(email, network)).status;
    const bothered = newEmail();
    for (let count = 0; count < codesAnHour; count += 1)
      assert.equal(await statusOf(bothered, `192.0.2.${String(count)}`), 303);
    const refused = await ask(bothered, '192.0.2.100');
    assert.deepEqual([refused.status, Number(refused.headers.get('retry-after'))], [429, 3600]);

    for (let count = 0; count < codesAnHourPerNetwork; count += 1)
      assert.equal(await statusOf(newEmail(), '2001:db8::1'), 303);
    assert.equal(await statusOf(newEmail(), '2001:db8::2'), 429, 'the same household');
    later(3_600_000);
    assert.equal(await statusOf(bothered, '2001:db8::1'), 303, 'an hour later');

    const sent = mail.mails.length;
    for (let count = codesAnHour + codesAnHourPerNetwork + 1; count < codesADay; count += 1)
      assert.equal(await statusOf(newEmail(), `198.51.100.${String(count % 250)}`), 303);
    assert.equal(await statusOf(newEmail(), '203.0.113.1'), 429);
    assert.equal(
      mail.mails.length - sent,
      codesADay - codesAnHour - codesAnHourPerNetwork - 1,
      'what is refused sends nothing',
    );
    later(24 * 3_600_000);
    assert.equal(await statusOf(newEmail(), '203.0.113.1'), 303);
  });

  it('counts like the registrations of a network', async () => {
    for (let count = 0; count < serverLimits.registrations.networkAnHour; count += 1) await signedUp();
    assert.equal((await fetch(`${service.baseUrl}/workspace/register`, { method: 'POST' })).status, 429);
    const refused = await visitor().post('/signup', { email: newEmail() });
    assert.equal(refused.status, 429);
    assert.match(refused.text, /Too many workspaces were registered from your network/);
  });

  it('rejects an invalid address, a form from another site, and an address that the mail server rejects', async () => {
    const browser = visitor();
    const wrong = await browser.post('/signup', { email: 'ann' });
    assert.equal(wrong.status, 400);
    assert.match(
      wrong.text,
      /<input id="email"[^>]*aria-describedby="email-error email-hint" aria-invalid="true" autofocus>/,
    );
    assert.equal(
      (
        await fetch(new URL('/signup', service.baseUrl), {
          method: 'POST',
          headers: { origin: 'https://evil.example' },
          body: new URLSearchParams({ email: newEmail() }),
        })
      ).status,
      403,
    );
    mail.failure = new HumanError('The mail server did not take the mail.', { status: 502, code: 'mail_failed' });
    assert.equal((await browser.post('/signup', { email: newEmail() })).status, 502);
  });

  it("uses up none of the hour's codes if the mail server fails", async () => {
    const browser = visitor();
    const email = newEmail();
    mail.failure = new HumanError('The mail server did not take the mail.', { status: 502, code: 'mail_failed' });
    for (let count = 0; count < Math.max(codesAnHour, codesAnHourPerNetwork) + 1; count += 1)
      assert.equal((await browser.post('/signup', { email })).status, 502);
    mail.failure = undefined;
    for (let count = 0; count < codesAnHour; count += 1) await begin(browser, email);
    assert.equal((await browser.post('/signup', { email })).status, 429, 'those that were sent count');
  });

  it('stays off on a server that sends no mail', async () => {
    const silent = await fixture.start({ contact: 'ops@example.com' });
    const browser = new FormBrowser(silent.baseUrl);
    for (const page of [await browser.get('/signup'), await browser.post('/signup', { email: newEmail() })]) {
      assert.equal(page.status, 503);
      assert.ok(page.text.includes('Sign-up is off on this server') && page.text.includes('ops@example.com'));
    }
    assert.doesNotMatch((await browser.get('/signin')).text, /signup/);
    assert.equal(
      (await silent.client.call('getWorkspaceUsage', {})).contact,
      undefined,
      'an unlimited workspace needs nobody',
    );
  });
});
