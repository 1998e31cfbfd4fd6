import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createLog } from '../../src/service/basics/log.ts';
import type { Crawl } from '../../src/service/mapping/mappingRuns.ts';
import type { SmsSender } from '../../src/service/people/sms.ts';
import { FormBrowser } from '../support/formBrowser.ts';
import { MailInbox } from '../support/mailInbox.ts';
import { revealedSecrets } from '../support/secretSearch.ts';
import { EventWatch, ServiceFixture } from '../support/serviceFixture.ts';
import { leafNode, rootNode } from '../support/serviceScript.ts';
import { refused } from '../support/refused.ts';
import { postJson } from '../support/postJson.ts';

/** What people and programs give a service, each distinguishable by its form. */
const given = {
  mobile: '+447400778899',
  landline: '+442071838750',
  called: '+12125557788',
  wrongCode: '918273',
  email: 'ann.secretive@example.com',
  password: 'correct horse battery',
  wrongPassword: 'wrong zebra staple 77',
  sipPassword: 'trunk-s3cret-pw',
  smsToken: 'sms-auth-t0ken',
  pin: '73918264',
  card: '4929123456781234',
  spoken: 'my voice is my passport',
  heard: 'your balance is nine hundred pounds',
  note: 'call-me-never-note',
  wrongKey: `dt_wrongkey_${'W'.repeat(43)}`,
  shortKey: 'dt_wrongkey_Shortened',
  claimToken: 'c'.repeat(43),
  signature: 's'.repeat(43),
  cursor: 'Y3Vyc29y.secretcursor',
} as const;
const { mobile, called, email, password } = given;

describe('service: secrets and the log', function () {
  const fixture = new ServiceFixture();
  const used = new Set<string>(Object.values(given));
  const use = <Text extends string | undefined>(secret: Text): Text => {
    if (secret !== undefined) used.add(secret);
    return secret;
  };
  let logFile: string;
  let service: Awaited<ReturnType<ServiceFixture['start']>>;
  let breakSms = false;
  let time = new Date('2026-03-01T12:00:00.000Z');
  const codes: string[] = [];

  /** A provider whose error repeats everything that it was given, as `fetch` and others do. */
  const sms: SmsSender = {
    send(to, text) {
      const code = use(/\b\d{6}\b/.exec(text)?.[0] ?? '');
      codes.push(code);
      const cause = new Error(`connect https://account:${given.smsToken}@sms.example.com/`);
      return breakSms
        ? Promise.reject(
            Object.assign(
              new Error(
                `POST to=${to} body=${text} authorization: Basic ${use(Buffer.from(`account:${given.smsToken}`).toString('base64'))}`,
                { cause },
              ),
              { code: 'EPROTO' },
            ),
          )
        : Promise.resolve();
    },
  };
  /** A crawl that fails with everything that it knows. */
  const crawl: Crawl = async function* ({ target }) {
    yield { type: 'node', node: rootNode({ transcript: given.heard }) };
    yield { type: 'node', node: leafNode('1', { transcript: given.heard }) };
    throw new Error(
      `INVITE ${target}: 407 Proxy Authentication Required, pressed ${given.pin}, card ${given.card.replaceAll(/(\d{4})(?=\d)/g, '$1 ')}`,
    );
  };

  const mail = new MailInbox();
  before(async () => {
    logFile = join(await fixture.folder(), 'service.log');
    service = await fixture.start({
      log: createLog(logFile),
      sms,
      mail,
      publicUrl: 'https://dialtree.example.com',
      routes: {
        '+1212*': `sip:{number}:${given.sipPassword}@trunk.example.com`,
        '+44*': `sip:{number}:${given.sipPassword}@trunk.example.com`,
      },
      parts: { now: () => time, crawl },
    });
    use(service.apiKey);
  });
  after(() => fixture.close());

  const post = async (
    path: string,
    body: string,
    headers: Record<string, string> = {},
  ): Promise<{ status: number; text: string }> => {
    const response = await fetch(`${service.baseUrl}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-api-key': service.apiKey, ...headers },
      body,
    });
    return { status: response.status, text: await response.text() };
  };
  async function register(): Promise<{ readonly apiKey: string; readonly client: typeof service.client }> {
    time = new Date(time.getTime() + 3_600_000);
    const { apiKey } = JSON.parse((await post('/workspace/register', '', { 'x-api-key': '' })).text) as {
      apiKey: string;
    };
    return { apiKey: use(apiKey), client: service.clientOf(apiKey) };
  }
  const lines = async (): Promise<Record<string, unknown>[]> =>
    (await readFile(logFile, 'utf8'))
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>);

  it('keys, valid and invalid, in headers, addresses and bodies', async () => {
    for (const key of [service.apiKey, given.wrongKey, given.shortKey, service.apiKey.slice(0, -1)]) {
      use(key);
      for (const headers of [
        { 'x-api-key': key },
        { authorization: `Bearer ${key}` },
        { authorization: `Basic ${key}` },
        { authorization: key },
      ])
        await (await fetch(`${service.baseUrl}/mapping`, { headers: headers as Record<string, string> })).text();
      for (const path of [
        `/mapping?apiKey=${key}`,
        `/mapping?x-api-key=${key}&limit=x`,
        `/mapping/${key}`,
        `/${key}`,
        `/workspace/keys/${key}`,
      ])
        await (await fetch(`${service.baseUrl}${path}`, { headers: { 'x-api-key': service.apiKey } })).text();
      assert.equal((await post('/mapping', JSON.stringify({ apiKey: key, phoneNumber: key }))).status, 400);
      assert.equal((await post('/mapping', `{"apiKey": "${key}"`)).status, 400);
    }
    await service.client.call('revokeApiKey', {
      id: use((await service.client.call('createApiKey', { name: 'short-lived' })).apiKey).slice(3, 11),
    });
    await (
      await fetch(service.baseUrl.replace('/v1', '/metrics'), {
        headers: { 'x-api-key': given.wrongKey, 'x-forwarded-for': '203.0.113.9' },
      })
    ).text();
  });

  it('numbers and codes of people, even if the provider fails', async () => {
    const { client, apiKey } = await register();
    await client.call('requestAnchorCode', { phoneNumber: mobile });
    await refused(client.call('verifyAnchorCode', { phoneNumber: mobile, code: given.wrongCode }), 400);
    await assert.rejects(client.call('requestAnchorCode', { phoneNumber: given.landline }), { status: 400 });
    await client.call('verifyAnchorCode', { phoneNumber: mobile, code: codes.at(-1) ?? '' });
    breakSms = true;
    const before = (await lines()).length;
    await assert.rejects(client.call('requestAnchorCode', { phoneNumber: mobile }), { status: 500 });
    const asked = {
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'requestAnchorCode', arguments: { phoneNumber: mobile } },
    };
    const answer = await postJson(service.mcpUrl, asked, { 'x-api-key': apiKey });
    assert.match(await answer.text(), /Internal error/);
    breakSms = false;
    const failures = (await lines()).slice(before).filter(({ msg }) => msg === 'request failed');
    assert.ok(failures.length >= 2, 'the log tells that it failed, and why');
    assert.match(JSON.stringify(failures), /"type":"Error","message":"POST to=.*"code":"EPROTO"/);
  });

  it("the trunk's password, the called number and the pressed keys, if a run fails", async () => {
    await service.client.call('recordConsent', { phoneNumber: called, statement: 'I may test this number' });
    const { id } = await service.client.call('createMapping', { phoneNumber: called, name: given.note });
    const watch = new EventWatch(service.client);
    await service.client.call('startMapping', { id });
    await watch.until(async () => (await service.client.call('getMapping', { id })).status === 'idle');
    await watch.close();
    assert.equal((await service.client.call('getMapping', { id })).currentRun?.status, 'failed');
    const failure = (await lines()).find(({ msg }) => msg === 'a run failed');
    assert.match(JSON.stringify(failure), /407 Proxy Authentication Required/, 'the cause is told');
    const { tree } = await service.client.call('getMappingTree', { id });
    use(new URL(tree?.audioUrl ?? 'https://none').searchParams.get('signature') ?? undefined);
    await (
      await fetch(`${service.baseUrl}/recordings/${id}/root.wav?expires=9999999999&signature=${given.signature}`)
    ).text();
    await assert.rejects(service.client.call('listMappings', { cursor: given.cursor }), { status: 400 });
    await refused(
      service.client
        .call('createMapping', { phoneNumber: `sip:ann:${given.sipPassword}@elsewhere.example.com?x=${given.pin}` })
        .then(({ id: other }) => service.client.call('startMapping', { id: other })),
      400,
    );
    for (const number of ['+911', given.landline])
      await service.client
        .call('createMapping', { phoneNumber: number })
        .then(({ id: other }) => service.client.call('startMapping', { id: other }))
        .catch(() => undefined);
  });

  it('what secret steps press and say, saved, rejected and malformed, over REST and MCP', async () => {
    const steps = [
      { name: 'dial', action: { type: 'dial' } },
      { name: 'pin', secret: true, action: { type: 'press', keys: given.pin } },
      { name: 'card', secret: true, action: { type: 'press', keys: `${given.card}#` } },
      { name: 'voice', secret: true, action: { type: 'say', text: given.spoken }, expectedTranscript: given.heard },
    ];
    const config = { name: 'Secret', phoneNumber: called, steps, rows: [{ pin: given.pin, card: given.card }] };
    const saved = await post('/testing/test-configs', JSON.stringify(config));
    assert.equal(saved.status, 201);
    const { id } = JSON.parse(saved.text) as { id: string };
    for (const wrong of [
      { ...config, id },
      { ...config, id: given.card },
      { ...config, steps: [{ name: given.spoken, action: { type: given.pin } }] },
      { ...config, language: given.card },
      { ...config, [given.spoken]: given.pin },
      { ...config, rows: [{ 'not a name': given.card }] },
      { ...config, name: `${given.spoken}\0` },
    ]) {
      assert.ok((await post('/testing/test-configs', JSON.stringify(wrong))).status >= 400);
      const asked = {
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: { name: 'createTestConfig', arguments: wrong },
      };
      await post('/../mcp', JSON.stringify(asked), { accept: 'application/json, text/event-stream' });
    }
    assert.equal((await post('/testing/test-configs', JSON.stringify(config).slice(0, -5))).status, 400);
    assert.equal(
      (await post('/testing/test-configs', JSON.stringify(config), { 'content-type': 'text/plain' })).status,
      415,
    );
    for (const path of [
      `/testing/test-configs/${given.card}`,
      `/testing/runs?configName=${given.spoken}&limit=${given.pin}`,
    ])
      await (await fetch(`${service.baseUrl}${path}`, { headers: { 'x-api-key': service.apiKey } })).text();
  });

  it('claim links, passwords, cookies and form tokens, valid and invalid', async () => {
    const { client } = await register();
    const { url } = await client.call('getClaimLink', {});
    const { pathname } = new URL(url);
    use(pathname.slice('/claim/'.length));
    const browser = new FormBrowser(service.baseUrl);
    for (const path of [
      pathname,
      `/claim/${given.claimToken}`,
      `${pathname}/x`,
      `/account?password=${encodeURIComponent(password)}`,
    ])
      await browser.get(path);
    await browser.post(pathname, { email: `${email} wrong`, password });
    const next = (await browser.post(pathname, { email })).headers.get('location') ?? '';
    use(next.slice('/signup/'.length));
    const code = use(mail.codeFor(email));
    await browser.get(next);
    await browser.post(next, { code: given.wrongCode, password });
    await browser.post(next, { code, password: 'short' });
    await browser.post(next, { code, password: password + 'x'.repeat(20_000) });
    await (await postJson(new URL(pathname, service.baseUrl), { email, password })).text();
    const done = await browser.post(next, { code, password });
    assert.equal(done.status, 303);
    const session = use(/__Host-dialtree_session=([\w-]{43})/.exec(done.headers.getSetCookie()[0] ?? '')?.[1] ?? '');
    assert.equal(session.length, 43);
    const csrf = use(await browser.formToken());
    assert.equal(csrf.length, 43);
    const made = await browser.post('/account/keys', [
      ['csrf', csrf],
      ['name', 'From the page'],
      ['scope', 'workspace:read'],
    ]);
    use(/dt_\w{8}_\w{43}/.exec(made.text)?.[0]);
    for (const wrong of ['', given.signature])
      assert.equal(
        (await browser.post('/account/keys', { csrf: wrong, name: 'x', scope: 'workspace:read' })).status,
        403,
      );
    await (
      await fetch(new URL('/account', service.baseUrl), {
        headers: { cookie: `__Host-dialtree_session=${given.claimToken}` },
        redirect: 'manual',
      })
    ).text();
    assert.equal((await browser.post('/signout', { csrf })).status, 303);
    assert.equal((await browser.post('/signin', { email, password: given.wrongPassword })).status, 403);
    assert.equal((await browser.post('/signin', { email, password })).status, 303);
  });

  it('appear in no line of the log, and the log has lines', async () => {
    await service.close();
    const text = await readFile(logFile, 'utf8');
    assert.ok((await lines()).length >= 8, text);
    for (const message of ['listening', 'run queued', 'run begins', 'a run failed', 'request failed', 'stopped'])
      assert.ok(text.includes(`"msg":"${message}"`), message);
    assert.ok(used.size >= 30, String(used.size));
    assert.deepEqual(revealedSecrets(text, used), []);
    for (const secret of used)
      assert.ok(revealedSecrets(`x ${secret} y`, [secret]).length === 1, 'a search that finds');
  });
});
