import assert from 'node:assert/strict';
import { serverLimits } from '../../src/contract/limits.ts';
import { FormBrowser, throughMail } from '../support/formBrowser.ts';
import type { SeenPage } from '../support/formBrowser.ts';
import { noteSecret } from '../support/secretRegistry.ts';
import { MailInbox } from '../support/mailInbox.ts';
import { ServiceFixture } from '../support/serviceFixture.ts';
import { invitationDays, invite } from '../../src/service/people/invitations.ts';
import { skipFor } from '../support/skipFor.ts';
import { StorePlaces } from '../support/storePlaces.ts';
import { onPostgres } from '../support/testStore.ts';

const password = 'correct horse battery';

describe('service: claiming a workspace', function () {
  const fixture = new ServiceFixture();
  const mail = new MailInbox();
  let time = new Date('2026-03-01T12:00:00.000Z');
  let freeBytes = Number.MAX_SAFE_INTEGER;
  let service: Awaited<ReturnType<ServiceFixture['start']>>;
  let people = 0;

  const start = async (): Promise<void> => {
    service = await fixture.start({ mail, parts: { now: () => time, freeBytes: () => Promise.resolve(freeBytes) } });
  };
  before(start);
  after(() => fixture.close());
  /** Few registrations are allowed per day, so each test runs a day later. */
  beforeEach(() => {
    time = new Date(time.getTime() + 24 * 3_600_000);
  });
  afterEach(() => {
    freeBytes = Number.MAX_SAFE_INTEGER;
  });

  const visitor = (): FormBrowser => new FormBrowser(service.baseUrl);
  const newEmail = (): string => `ann${String((people += 1))}@example.com`;
  async function register() {
    const { workspaceId, apiKey } = (await (
      await fetch(`${service.baseUrl}/workspace/register`, { method: 'POST' })
    ).json()) as { workspaceId: string; apiKey: string };
    const client = service.clientOf(apiKey);
    const link = async (): Promise<string> => new URL((await client.call('getClaimLink', {})).url).pathname;
    return { workspaceId, apiKey, client, link };
  }
  const claim = (browser: FormBrowser, path: string, email = newEmail(), secret = password): Promise<SeenPage> =>
    throughMail(browser, mail, path, { email, password: secret });
  async function claimed(email = newEmail()) {
    const registered = await register();
    const browser = visitor();
    assert.equal((await claim(browser, await registered.link(), email)).status, 303);
    return { ...registered, browser, email };
  }

  it('hands the workspace to a person, and keeps its key valid @engine', async () => {
    const { client, workspaceId, apiKey } = await register();
    const { url, expiresAt } = await client.call('getClaimLink', {});
    assert.equal(new URL(url).origin, new URL(service.baseUrl).origin);
    assert.equal(Date.parse(expiresAt) - time.getTime(), serverLimits.claimLinkSeconds * 1000);
    const browser = visitor();
    const { pathname } = new URL(url);
    const page = await browser.get(pathname);
    assert.equal(page.status, 200);
    assert.ok(
      page.text.includes(workspaceId) && page.text.includes('<html lang="en">') && !page.text.includes('<script'),
    );
    assert.match(
      page.headers.get('content-security-policy') ?? '',
      /^default-src 'none'; style-src 'sha256-[^']+'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'$/,
    );
    assert.equal(page.headers.get('referrer-policy'), 'same-origin');
    assert.equal(page.headers.get('cache-control'), 'no-store');
    assert.equal((await client.call('getWorkspaceUsage', {})).claimed, false, 'looking does not claim');

    const done = await claim(browser, pathname, ' Ann@Example.com ');
    assert.equal(done.status, 303);
    assert.equal(done.headers.get('location'), '/account');
    const [cookie = ''] = done.headers.getSetCookie();
    assert.match(cookie, /^dialtree_session=[\w-]{43};/);
    for (const flag of ['HttpOnly', 'SameSite=Strict', 'Path=/', 'Max-Age=43200'])
      assert.ok(cookie.includes(flag), flag);
    assert.ok(!cookie.includes('Secure'), 'this service is not https');

    const account = await browser.get('/account');
    for (const shown of [workspaceId, 'ann@example.com', 'Tier: free', 'First key', apiKey.slice(0, 11)])
      assert.ok(account.text.includes(shown), shown);
    assert.ok(!account.text.includes(apiKey));
    assert.equal((await client.call('getWorkspaceUsage', {})).claimed, true);
    await assert.rejects(client.call('getClaimLink', {}), {
      status: 409,
      code: 'workspace-claimed',
      reason: 'workspace-claimed',
    });
  });

  it("rejects a used link, and says that the workspace's other links are invalid", async () => {
    const { link } = await register();
    const [first, second] = [await link(), await link()];
    assert.equal((await claim(visitor(), first)).status, 303);
    for (const path of [first, second]) {
      assert.equal((await visitor().get(path)).status, 410, path);
      const again = await visitor().post(path, { email: newEmail(), password });
      assert.equal(again.status, 410);
      const title = path === first ? 'This link has been used' : 'This link is no longer valid.*another link';
      assert.match(again.text, new RegExp(`${title}.*href="/signin"`, 's'));
      assert.deepEqual(again.headers.getSetCookie(), []);
    }
  });

  it('gives a link to one of two people who use it simultaneously @engine', async () => {
    const { link } = await register();
    const [one, other] = [await link(), await link()];
    const answers = await Promise.all([one, one, other].map(async (path) => (await claim(visitor(), path)).status));
    assert.deepEqual(answers.toSorted(), [303, 410, 410]);
  });

  it('rejects an expired link, and one that never existed', async () => {
    const { link, client } = await register();
    const path = await link();
    time = new Date(time.getTime() + serverLimits.claimLinkSeconds * 1000);
    const late = await visitor().post(path, { email: newEmail(), password });
    assert.equal(late.status, 410);
    assert.match(late.text, /has expired.*getClaimLink/s);
    assert.equal((await client.call('getWorkspaceUsage', {})).claimed, false);
    assert.equal((await visitor().get(path)).status, 410);
    for (const unknown of ['/claim/nothing', path.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A'))])
      assert.equal((await visitor().get(unknown)).status, 404);
    assert.equal((await claim(visitor(), await link())).status, 303, 'a new link does');
  });

  it('shows each form error beside its field, and escapes what it repeats', async () => {
    const { link } = await register();
    const path = await link();
    const hostile = '"><script>alert(1)</script>';
    const page = await visitor().post(path, { email: hostile, password: 'short' });
    assert.equal(page.status, 400);
    assert.ok(!page.text.includes('<script'));
    assert.ok(page.text.includes('&lt;script&gt;'));
    assert.match(
      page.text,
      /<p class="wrong" id="email-error">.*<input id="email"[^>]*aria-describedby="email-error email-hint" aria-invalid="true" autofocus>/s,
    );
    assert.ok(!page.text.includes('short'));
    assert.equal((await visitor().post(path, { email: newEmail(), password: 'x'.repeat(20_000) })).status, 413);
    const json = await fetch(new URL(path, service.baseUrl), {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{}',
    });
    assert.equal(json.status, 415);
    assert.equal((await visitor().get(path)).status, 200, 'the link is as good as before');
  });

  it("adds a workspace to an account only with the account's password", async () => {
    const { email, browser, workspaceId } = await claimed();
    const { link, workspaceId: second } = await register();
    const path = await link();
    const wrong = await claim(visitor(), path, email, 'wrong horse battery');
    assert.equal(wrong.status, 400);
    assert.match(wrong.text, /id="password-error">Error: This address already has an account/);
    const oldCookie = browser.cookie ?? '';
    assert.equal((await claim(browser, path, email)).status, 303);
    const ended = await fetch(new URL('/account', service.baseUrl), {
      headers: { cookie: oldCookie },
      redirect: 'manual',
    });
    assert.equal(ended.status, 303, 'the session before ended');
    assert.match((await browser.get('/account')).text, new RegExp(`<p><code>${second}</code></p>`));
    const csrf = await browser.formToken();
    assert.equal((await browser.post('/account/workspace', { csrf, id: workspaceId })).status, 303);
    assert.match((await browser.get('/account')).text, new RegExp(`<p><code>${workspaceId}</code></p>`));
    const { workspaceId: foreign } = await claimed();
    assert.equal((await browser.post('/account/workspace', { csrf, id: foreign })).status, 404);
  });

  it('creates and revokes keys, shown once and escaped @engine', async () => {
    const { browser, apiKey, client } = await claimed();
    const csrf = await browser.formToken();
    const name = '<img src=x onerror=alert(1)>';
    const made = await browser.post('/account/keys', [
      ['csrf', csrf],
      ['name', name],
      ['scope', 'workspace:read'],
    ]);
    assert.equal(made.status, 201);
    const secret = /dt_\w{8}_\w{43}/.exec(made.text)?.[0] ?? '';
    assert.equal((await service.clientOf(secret).call('getWorkspaceUsage', {})).claimed, true);
    await assert.rejects(service.clientOf(secret).call('listMappings', {}), { status: 403 });
    const account = (await browser.get('/account')).text;
    assert.ok(!account.includes(secret) && !account.includes('<img') && account.includes('&lt;img src=x'));
    assert.ok(!made.text.includes('<img'));
    const noScope = await browser.post('/account/keys', { csrf, name: 'none' });
    assert.equal(noScope.status, 400);
    assert.match(noScope.text, /aria-describedby="scopes-error"/);

    assert.equal(
      (await browser.post('/account/keys/revoke', { csrf, id: apiKey.slice(3, 11) })).status,
      409,
      'the last key that administers',
    );
    assert.equal((await browser.post('/account/keys/revoke', { csrf, id: secret.slice(3, 11) })).status, 303);
    await assert.rejects(service.clientOf(secret).call('getWorkspaceUsage', {}), { status: 401 });
    assert.equal((await client.call('getWorkspaceUsage', {})).claimed, true);
    const other = await claimed();
    assert.equal((await browser.post('/account/keys/revoke', { csrf, id: other.apiKey.slice(3, 11) })).status, 404);
  });

  it('keeps the program from giving consent, with its key or one that it made, and allows the owner to', async () => {
    const { browser, client } = await claimed();
    const consent = { phoneNumber: '+12125550123', statement: 'I may test this number' } as const;
    const refused = { status: 403, code: 'program_key' };
    await assert.rejects(client.call('recordConsent', consent), refused);
    const copy = await client.call('createApiKey', { name: 'Copy' });
    await assert.rejects(service.clientOf(copy.apiKey).call('recordConsent', consent), refused);
    const csrf = await browser.formToken();
    const made = await browser.post('/account/keys', { csrf, name: 'Owner', scope: 'workspace:admin' });
    const owner = service.clientOf(/dt_\w{8}_\w{43}/.exec(made.text)?.[0] ?? '');
    const second = await owner.call('createApiKey', { name: 'Second' });
    await service.clientOf(second.apiKey).call('recordConsent', consent);
    await owner.call('recordConsent', { ...consent, phoneNumber: '+12125550124' });
    await client.call('listMappings', {});
  });

  it("rejects a session's form without that session's token", async () => {
    const { browser, client } = await claimed();
    const other = await claimed();
    for (const csrf of ['', 'x'.repeat(43), await other.browser.formToken()]) {
      for (const path of ['/account/keys', '/account/keys/revoke', '/account/workspace', '/signout']) {
        assert.equal(
          (await browser.post(path, { csrf, name: 'Stolen', scope: 'workspace:read', id: 'x' })).status,
          403,
          path,
        );
      }
    }
    assert.equal((await browser.post('/account/keys', { name: 'Stolen', scope: 'workspace:read' })).status, 403);
    assert.equal((await client.call('listApiKeys', {})).items.length, 1);
    assert.equal((await browser.get('/account')).status, 200);
  });

  it('signs out, and ends a session after twelve hours', async () => {
    const { browser, email } = await claimed();
    const cookie = browser.cookie ?? '';
    assert.equal(
      (await browser.post('/signout', { csrf: await browser.formToken() })).headers.get('location'),
      '/signin',
    );
    assert.equal(browser.cookie, undefined);
    const stolen = await fetch(new URL('/account', service.baseUrl), { headers: { cookie }, redirect: 'manual' });
    assert.equal(stolen.headers.get('location'), '/signin');
    assert.equal(
      (await browser.post('/signin', { email: email.toUpperCase(), password })).headers.get('location'),
      '/account',
    );
    assert.equal((await browser.get('/signin')).status, 303);
    time = new Date(time.getTime() + 12 * 3_600_000);
    assert.equal((await browser.get('/account')).headers.get('location'), '/signin');
  });

  it("says that it can't store anything, and changes nothing", async function () {
    // For the embedded store only.
    if (onPostgres()) skipFor(this, 'it is about the embedded store');
    const { link, client } = await register();
    const path = await link();
    freeBytes = 0;
    const page = await visitor().post(path, { email: newEmail(), password });
    assert.equal(page.status, 503);
    assert.ok(!page.text.includes('The disk'), 'no folder of the server is named');
    await assert.rejects(client.call('getClaimLink', {}), { status: 503 });
    freeBytes = Number.MAX_SAFE_INTEGER;
    assert.equal((await claim(visitor(), path)).status, 303);
  });

  it("doesn't give the local workspace away", async () => {
    await assert.rejects(service.client.call('getClaimLink', {}), { status: 409, code: 'workspace-local' });
  });

  describe('of the local workspace', () => {
    // Another service, whose count of visits starts at zero.
    before(start);
    /** The path of the link for the service's own key. */
    const ownLink = async (): Promise<string> =>
      new URL((await service.client.call('getAccountLink', {})).url).pathname;

    it("opens the account of the local workspace with a link for the service's own key", async function () {
      if (onPostgres()) skipFor(this, 'a shared store has no local workspace');
      const { url, expiresAt } = await service.client.call('getAccountLink', {});
      const { linkSeconds, sessionSeconds } = serverLimits.localAccount;
      assert.equal(Date.parse(expiresAt ?? '') - time.getTime(), linkSeconds * 1000);
      const browser = visitor();
      const entered = await browser.get(new URL(url).pathname);
      assert.deepEqual([entered.status, entered.headers.get('location')], [303, '/account']);
      const { text } = await browser.get('/account');
      for (const shown of ['the user of this machine', 'Unlimited', 'Runs in progress: 0 of 100'])
        assert.ok(text.includes(shown), shown);

      const csrf = await browser.formToken();
      const created = await browser.post('/account/keys', { csrf, name: 'Agent', scope: 'mapping:read' });
      const key = /<code class="secret">([^<]+)/.exec(created.text)?.[1] ?? '';
      noteSecret(key);
      await service.clientOf(key).call('listMappings', {});
      assert.match((await browser.get('/account')).text, /Agent.*Allows mapping:read\./s);
      assert.equal((await browser.post('/account/keys/revoke', { csrf, id: key.slice(3, 11) })).status, 303);
      await assert.rejects(service.clientOf(key).call('listMappings', {}), { status: 401 });

      time = new Date(time.getTime() + sessionSeconds * 1000);
      assert.equal((await browser.get('/account')).headers.get('location'), '/signin', 'after an hour');
      const again = visitor();
      await again.get(await ownLink());
      const { cookie } = again;
      assert.equal((await again.post('/signout', { csrf: await again.formToken() })).status, 303);
      const kept = await fetch(new URL('/account', service.baseUrl), {
        redirect: 'manual',
        headers: { cookie: cookie ?? '' },
      });
      assert.equal(kept.headers.get('location'), '/signin', 'after signing out');
    });

    it('gives no such link to another key, through a proxy, for a public address, or twice', async function () {
      if (onPostgres()) skipFor(this, 'a shared store has no local workspace');
      const plain = { url: new URL('/account', service.baseUrl).href };
      const { client } = await register();
      assert.deepEqual(await client.call('getAccountLink', {}), plain);
      const { apiKey } = await service.client.call('createApiKey', { name: 'Administrator' });
      assert.deepEqual(await service.clientOf(apiKey).call('getAccountLink', {}), plain);

      const path = await ownLink();
      const forwarded = await fetch(new URL(path, service.baseUrl), { headers: { 'x-forwarded-for': '192.0.2.1' } });
      assert.deepEqual([forwarded.status, forwarded.headers.getSetCookie()], [410, []]);
      assert.deepEqual([(await visitor().get(path)).status, (await visitor().get(path)).status], [303, 410]);
      const late = await ownLink();
      time = new Date(time.getTime() + serverLimits.localAccount.linkSeconds * 1000);
      assert.equal((await visitor().get(late)).status, 410);

      const offered = await fixture.start({ publicUrl: 'https://dial.example.com' });
      assert.deepEqual(await offered.client.call('getAccountLink', {}), { url: 'https://dial.example.com/account' });
    });
  });

  it('answers an unknown address and a wrong password alike, and limits attempts', async () => {
    const { email } = await claimed();
    const told = async (given: string): Promise<string> => {
      const page = await visitor().post('/signin', { email: given, password: 'wrong horse battery' });
      assert.equal(page.status, 403);
      return page.text.replaceAll(given, '');
    };
    assert.equal(await told(email), await told('nobody@example.com'));
    let page = await visitor().post('/signin', { email, password: 'wrong horse battery' });
    for (let tries = 0; tries < 10 && page.status === 403; tries += 1)
      page = await visitor().post('/signin', { email, password: 'wrong horse battery' });
    assert.equal(page.status, 429);
    assert.ok(Number(page.headers.get('retry-after')) > 0);
    assert.equal((await visitor().post('/signin', { email, password })).status, 429, 'the right one waits too');
  });

  describe('by a code', () => {
    // Another service, whose count of visits starts at zero.
    before(start);

    it('creates no person for an address until the code sent there comes back', async () => {
      const { link, client } = await register();
      const path = await link();
      const [email, stranger] = [newEmail(), visitor()];
      const begun = await stranger.post(path, { email, password });
      assert.equal(begun.status, 303);
      const page = begun.headers.get('location') ?? '';
      assert.match(page, /^\/signup\/[\w-]{43}$/);
      const code = mail.codeFor(email);
      const wrong = code === '00000000' ? '00000001' : '00000000';
      for (let tries = 1; tries < serverLimits.signUp.wrongTries; tries += 1)
        assert.equal((await stranger.post(page, { code: wrong, password })).status, 400);
      assert.equal((await stranger.post(page, { code: wrong, password })).status, 410);
      assert.equal((await stranger.post(page, { code, password })).status, 410, 'wrong tries end the claim');
      assert.equal((await visitor().post('/signin', { email, password })).status, 403, 'there is no account');
      assert.equal((await client.call('getWorkspaceUsage', {})).claimed, false);
      assert.equal((await claim(visitor(), path, email)).status, 303, 'the link is as good as before');
    });

    it('answers the same for an address that has an account, until its code is entered', async () => {
      const { email } = await claimed();
      const newcomer = newEmail();
      const { link } = await register();
      const path = await link();
      const seen = async (given: string): Promise<unknown[]> => {
        const browser = visitor();
        const { status, headers, text } = await browser.post(path, { email: given, password: 'wrong horse battery' });
        const next = headers.get('location') ?? '';
        const pages = [
          await browser.get(next),
          await browser.post(next, { code: mail.codeFor(given) === '00000000' ? '1' : '00000000', password }),
        ];
        return [status, text, ...pages.map((page) => [page.status, page.text.replaceAll(given, '')])];
      };
      assert.deepEqual(await seen(email), await seen(newcomer));
    });

    it('limits wrong passwords, even with a correct code', async () => {
      const { email } = await claimed();
      const { link } = await register();
      const browser = visitor();
      const page = (await browser.post(await link(), { email })).headers.get('location') ?? '';
      const code = mail.codeFor(email);
      const statuses = [];
      for (let tries = 0; tries <= serverLimits.signUp.wrongTries; tries += 1)
        statuses.push((await browser.post(page, { code, password: 'wrong horse battery' })).status);
      assert.deepEqual(statuses, [400, 400, 400, 400, 410, 410]);
      assert.equal((await browser.post(page, { code, password })).status, 410);
    });
  });
});

describe('service: claiming on a server that sends no mail', function () {
  const fixture = new ServiceFixture();
  let time = new Date('2026-03-01T12:00:00.000Z');
  let service: Awaited<ReturnType<ServiceFixture['start']>>;
  const places = new StorePlaces(fixture);
  after(() => fixture.close());

  const visitor = (): FormBrowser => new FormBrowser(service.baseUrl);
  async function claimPath(): Promise<string> {
    time = new Date(time.getTime() + 2 * 3_600_000);
    const { apiKey } = (await (await fetch(`${service.baseUrl}/workspace/register`, { method: 'POST' })).json()) as {
      apiKey: string;
    };
    return new URL((await service.clientOf(apiKey).call('getClaimLink', {})).url).pathname;
  }

  it("creates a person only with the operator's invitation for that address, once and within a week @engine", async () => {
    const place = await places.make();
    const start = async (): Promise<void> => {
      service = await fixture.start({ dataDir: place.path, contact: 'ops@example.com', parts: { now: () => time } });
    };
    const codes = await places.use(place, async (store) => {
      const code = async (email: string): Promise<string> => (await invite(store, email, time)).code;
      return {
        replaced: await code('ann@example.com'),
        ann: await code('ann@example.com'),
        bob: await code('bob@example.com'),
        late: await code('late@example.com'),
      };
    });
    await start();
    const path = await claimPath();
    const form = await visitor().get(path);
    assert.match(
      form.text,
      /doesn't send mail.*ask the operator of this server for an invitation code: ops@example\.com/s,
    );
    const claim = (email: string, invitation: string, at = path, secret = password): Promise<SeenPage> =>
      visitor().post(at, { email, password: secret, invitation });
    for (const [email, invitation] of [
      ['ann@example.com', ''],
      ['ann@example.com', codes.bob],
      ['ann@example.com', codes.replaced],
      ['eve@example.com', codes.ann],
    ] as const)
      assert.equal((await claim(email, invitation)).status, 403, email);
    assert.equal((await claim('ann@example.com', ` ${codes.ann}`)).status, 303);
    const second = await claimPath();
    assert.equal((await claim('ann@example.com', codes.bob, second, 'wrong horse battery')).status, 403);
    assert.equal((await claim('ann@example.com', '', second)).status, 303, 'who has an account needs none');

    const third = await claimPath();
    const told = async (email: string): Promise<unknown[]> => {
      const { status, text } = await claim(email, 'x', third, 'wrong horse battery');
      return [status, text.replaceAll(email, '')];
    };
    assert.deepEqual(await told('ann@example.com'), await told('eve@example.com'));
    time = new Date(time.getTime() + invitationDays * 24 * 3_600_000);
    const fourth = await claimPath();
    assert.equal((await claim('late@example.com', codes.late, fourth)).status, 403, 'after a week');
  });
});
