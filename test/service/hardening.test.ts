import assert from 'node:assert/strict';
import { serverLimits } from '../../src/contract/limits.ts';
import { MailInbox } from '../support/mailInbox.ts';
import { RawConnection } from '../support/rawConnection.ts';
import { sendHttp } from '../support/sendHttp.ts';
import type { HttpAnswer } from '../support/sendHttp.ts';
import { EventWatch, ServiceFixture } from '../support/serviceFixture.ts';
import { JsonProcess } from '../support/serviceProcess.ts';
import { rootNode } from '../support/serviceScript.ts';
import { eventually } from '../support/eventually.ts';

/** This many bytes of headers, including those that every request needs. */
const filler = (bytes: number): string =>
  Array.from({ length: Math.ceil(bytes / 1000) }, (_, index) => `x-${String(index)}: ${'x'.repeat(990)}\r\n`).join('');
const statusOf = (answer: string): string =>
  /^HTTP\/1\.1 (\d{3})/.exec(answer)?.[1] ?? `nothing: ${answer.slice(0, 100)}`;

describe('service: hostile connections', function () {
  const fixture = new ServiceFixture();
  const connections: RawConnection[] = [];
  type Service = Awaited<ReturnType<ServiceFixture['start']>>;
  let service: Service;
  /** A service with short time limits. */
  let impatient: Service;

  const stillServes = async (asked = service): Promise<void> => {
    assert.ok(Array.isArray((await asked.client.call('listMappings', {})).items));
  };
  before(async () => {
    service = await fixture.start();
    impatient = await fixture.start({ parts: { connection: { headersSeconds: 0.5, requestSeconds: 1 } } });
    // While a store is being opened, this thread reads nothing and would find itself late.
    for (const started of [service, impatient]) await stillServes(started);
  });
  afterEach(() => {
    for (const connection of connections.splice(0)) connection.close();
  });
  after(() => fixture.close());

  function connection(to = service): RawConnection {
    const made = new RawConnection(Number(new URL(to.baseUrl).port));
    connections.push(made);
    return made;
  }
  async function say(text: string, to = service): Promise<string> {
    const made = connection(to);
    made.send(text);
    return statusOf(await made.ended());
  }
  const hostOf = (to: Service): string => new URL(to.baseUrl).host;
  const head = (line: string, more = '', to = service): string =>
    `${line} HTTP/1.1\r\nhost: ${hostOf(to)}\r\nx-api-key: ${to.apiKey}\r\nconnection: close\r\n${more}`;

  it('rejects oversized or excessive headers', async () => {
    const { headerBytes, headers } = serverLimits.connection;
    assert.equal(await say(`${head('GET /v1/mapping', filler(headerBytes - 2000))}\r\n`), '200');
    assert.equal(await say(`${head('GET /v1/mapping', filler(headerBytes))}\r\n`), '431');
    assert.equal(await say(`GET /${'x'.repeat(headerBytes)} HTTP/1.1\r\n`), '431');
    const short = (count: number): string =>
      Array.from({ length: count }, (_, index) => `y-${String(index)}: 1\r\n`).join('');
    assert.equal(await say(`${head('GET /v1/mapping', short(headers - 3))}\r\n`), '200');
    assert.equal(await say(`${head('GET /v1/mapping', short(headers - 2))}\r\n`), '431');
    assert.equal(
      await say(`${head('GET /v1/mapping', short(headers))}origin: https://evil.example\r\n\r\n`),
      '431',
      'no Origin hides behind others',
    );
    await stillServes();
  });

  it("doesn't wait for headers that trickle in, or never come", async () => {
    const silent = connection(impatient);
    const slow = connection(impatient);
    slow.send('GET /v1/mapping HTTP/1.1\r\nx-slow: ');
    let listening = true;
    const answer = slow.ended().finally(() => {
      listening = false;
    });
    // A byte now and then, as long as the peer listens: their total time is what counts.
    while (listening) {
      slow.send('z');
      await stillServes();
    }
    // A peer that keeps sending gets a reset, which can overtake the answer.
    assert.match(statusOf(await answer), /^408|nothing/);
    assert.equal(statusOf(await silent.ended()), '408');
    await stillServes(impatient);
  });

  it("doesn't wait for a body that never ends, with a length or in chunks, over REST, MCP and forms", async () => {
    const host = hostOf(impatient);
    const json = 'content-type: application/json\r\naccept: application/json, text/event-stream\r\n';
    const unfinished = [
      `${head('POST /v1/mapping', json, impatient)}content-length: 100\r\n\r\n{"phoneNumber"`,
      `${head('POST /v1/mapping', json, impatient)}transfer-encoding: chunked\r\n\r\n5\r\n{"a":\r\n`,
      `${head('POST /mcp', json, impatient)}content-length: 100\r\n\r\n{"jsonrpc"`,
      `POST /mcp HTTP/1.1\r\nhost: ${host}\r\n${json}content-length: 100\r\n\r\n{"jsonrpc"`,
      `POST /signin HTTP/1.1\r\nhost: ${host}\r\ncontent-type: application/x-www-form-urlencoded\r\ncontent-length: 100\r\n\r\nemail=a`,
    ];
    assert.deepEqual(
      await Promise.all(unfinished.map((text) => say(text, impatient))),
      unfinished.map(() => '408'),
    );
    await stillServes(impatient);
  });

  it('stops reading an oversized chunked body, over REST and MCP, with and without a key', async () => {
    const host = hostOf(service);
    const json =
      'content-type: application/json\r\naccept: application/json, text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n';
    const chunk = `10000\r\n${'x'.repeat(65_536)}\r\n`;
    for (const start of [
      head('POST /v1/mapping', json),
      head('POST /mcp', json),
      `POST /mcp HTTP/1.1\r\nhost: ${host}\r\n${json}`,
      `POST /v1/workspace/register HTTP/1.1\r\nhost: ${host}\r\n${json}`,
    ]) {
      const sender = connection();
      sender.send(start);
      // Sixty-four times the limit, if the service lets it get that far.
      for (let sent = 0; sent < 64 * serverLimits.bodyBytes && (await sender.push(chunk));) sent += 65_536;
      assert.equal(statusOf(await sender.until(/\r\n\r\n/)), '413', start.split('\r\n')[0]);
    }
    const getter = connection();
    getter.send(`GET /healthz HTTP/1.1\r\nhost: ${host}\r\ntransfer-encoding: chunked\r\n\r\n${chunk}`);
    assert.equal(statusOf(await getter.ended()), '200', 'answered and closed, though nobody reads the body');
    await stillServes();
  });

  it("answers data that isn't HTTP with 400, and accepts no request inside another", async () => {
    const host = hostOf(service);
    const length = 'content-length: 5\r\n';
    for (const text of [
      '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03',
      'GET / HTTP/1.1\r\n\r\n',
      `GET /healthz HTTP/1.1\r\nhost: ${host}\r\nbad header: 1\r\n\r\n`,
      `POST /mcp HTTP/1.1\r\nhost: ${host}\r\n${length}transfer-encoding: chunked\r\n\r\n0\r\n\r\n`,
      `POST /mcp HTTP/1.1\r\nhost: ${host}\r\n${length}content-length: 6\r\n\r\n{}`,
      `GET /healthz HTTP/1.1\r\nhost: ${host}\r\nx: a\nb: c\r\n\r\n`,
    ])
      assert.equal(await say(text), '400', JSON.stringify(text));
    await stillServes();
  });

  it('keeps an event stream open while late requests around it are ended', async () => {
    const watch = new EventWatch(impatient.client);
    try {
      await watch.ready;
      // It begins after the stream and is ended for its age, although the stream is older.
      assert.equal(await say(`${head('POST /v1/mapping', 'content-length: 9\r\n', impatient)}\r\n`, impatient), '408');
      const { id } = await impatient.client.call('createMapping', { phoneNumber: '+12025550101' });
      await watch.until(async () => watch.seen.some((event) => 'jobId' in event && event.jobId === id));
      await impatient.client.call('deleteMapping', { id });
    } finally {
      await watch.close();
    }
  });

  it('closes connections over the limit, and keeps serving the others', async () => {
    const small = await fixture.start({ parts: { connection: { connections: 2 } } });
    const ask = `GET /healthz HTTP/1.1\r\nhost: ${hostOf(small)}\r\n\r\n`;
    const kept = [connection(small), connection(small)];
    for (const one of kept) {
      one.send(ask);
      assert.equal(statusOf(await one.until(/ok"}/)), '200');
    }
    assert.equal(await connection(small).ended(), '');
    kept[1]?.close();
    kept[0]?.send(ask);
    assert.match(await (kept[0] as RawConnection).until(/ok"}[^]*ok"}/), /ok"}[^]*ok"}/);
  });
});

describe('service: behind a TLS proxy', function () {
  const fixture = new ServiceFixture();
  const mail = new MailInbox();
  const publicUrl = 'https://dialtree.example.com';
  const password = 'correct horse battery';
  let service: Awaited<ReturnType<ServiceFixture['start']>>;
  let time = new Date('2026-03-01T12:00:00.000Z');
  before(async () => {
    service = await fixture.start({ publicUrl, mail, parts: { now: () => time } });
  });
  after(() => fixture.close());
  beforeEach(() => {
    time = new Date(time.getTime() + 2 * 3_600_000);
  });

  interface Asked {
    readonly method?: string;
    readonly headers?: Record<string, string>;
    readonly form?: Record<string, string>;
    readonly json?: object;
  }
  /** Sends a request like a proxy that passes the Host on; `fetch` sets its own. */
  function ask(path: string, { method = 'GET', headers = {}, form, json }: Asked = {}): Promise<HttpAnswer> {
    const body = form ? new URLSearchParams(form).toString() : json && JSON.stringify(json);
    const kind: Record<string, string> = form
      ? { 'content-type': 'application/x-www-form-urlencoded', origin: publicUrl }
      : json
        ? { 'content-type': 'application/json' }
        : {};
    return sendHttp(new URL(path, service.baseUrl), {
      method,
      headers: { host: 'dialtree.example.com', 'x-forwarded-proto': 'https', ...kind, ...headers },
      body,
    });
  }
  const register = (hops?: string, headers: Record<string, string> = {}) =>
    ask('/v1/workspace/register', {
      method: 'POST',
      headers: { ...(hops !== undefined && { 'x-forwarded-for': hops }), ...headers },
    });

  it('answers under both addresses, and prints the one that it listens on', async () => {
    assert.match(service.baseUrl, /^http:\/\/127\.0\.0\.1:\d+\/v1$/);
    assert.match(service.mcpUrl, /^http:\/\/127\.0\.0\.1:\d+\/mcp$/);
    const key = { 'x-api-key': service.apiKey };
    assert.equal((await ask('/v1/mapping', { headers: key })).status, 200);
    await service.client.call('listMappings', {});
    for (const [headers, status] of [
      [{ origin: publicUrl }, 200],
      [{ origin: 'http://dialtree.example.com' }, 403],
      [{ origin: 'https://evil.example' }, 403],
      [{ host: 'evil.example' }, 421],
      [{ host: 'evil.example', 'x-forwarded-host': 'dialtree.example.com' }, 421],
    ] as const)
      assert.equal(
        (await ask('/v1/mapping', { headers: { ...key, ...headers } })).status,
        status,
        JSON.stringify(headers),
      );
  });

  it('uses its public address everywhere', async () => {
    const openApi = JSON.parse((await ask('/v1/openapi.json')).text) as { servers: unknown };
    assert.deepEqual(openApi.servers, [{ url: `${publicUrl}/v1` }]);
    const docs = (await ask('/v1/docs')).text;
    assert.ok(docs.includes(`${publicUrl}/v1`) && docs.includes(`${publicUrl}/mcp`));
    const { apiKey } = JSON.parse((await register()).text) as { apiKey: string };
    const { url } = JSON.parse((await ask('/v1/claim', { method: 'POST', headers: { 'x-api-key': apiKey } })).text) as {
      url: string;
    };
    assert.ok(url.startsWith(`${publicUrl}/claim/`));
    const { id } = await service.client.call('createMapping', { phoneNumber: '+12025550101' });
    await service.client.call('startMapping', { id });
    const run = await fixture.crawl.next();
    run.found(rootNode());
    run.events.push({ type: 'audio', nodeId: 'root', pcm: new Int16Array(800) });
    run.end();
    await eventually(service.client, async () => (await service.client.call('getMapping', { id })).status === 'idle');
    const { tree } = await service.client.call('getMappingTree', { id });
    assert.ok(tree?.audioUrl?.startsWith(`${publicUrl}/v1/recordings/`), tree?.audioUrl);
    const { pathname, search } = new URL(tree?.audioUrl ?? '');
    assert.equal((await ask(pathname + search)).status, 200);
    const local = new URL(service.baseUrl).host;
    for (const text of [docs, JSON.stringify(openApi), url, JSON.stringify(tree)])
      assert.ok(!text.includes(local), 'the address behind the proxy stays there');
  });

  it('claims, signs in and changes keys through forms of pages served over https, with a cookie restricted to https', async () => {
    const { apiKey } = JSON.parse((await register()).text) as { apiKey: string };
    const { url } = JSON.parse((await ask('/v1/claim', { method: 'POST', headers: { 'x-api-key': apiKey } })).text) as {
      url: string;
    };
    const { pathname } = new URL(url);
    assert.equal((await ask(pathname)).status, 200);
    for (const origin of ['https://evil.example', 'http://dialtree.example.com', 'null'])
      assert.equal(
        (await ask(pathname, { method: 'POST', form: { email: 'ann@example.com', password }, headers: { origin } }))
          .status,
        403,
        origin,
      );
    const begun = await ask(pathname, { method: 'POST', form: { email: 'ann@example.com' } });
    const filled = { code: mail.codeFor('ann@example.com'), password };
    const done = await ask(String(begun.headers['location']), { method: 'POST', form: filled });
    assert.equal(done.status, 303);
    assert.equal(done.headers['location'], '/account', 'wherever the page came from');
    const [line = ''] = done.headers['set-cookie'] as string[];
    assert.match(line, /^__Host-dialtree_session=[\w-]{43};/);
    for (const flag of ['Secure', 'HttpOnly', 'SameSite=Strict', 'Path=/']) assert.ok(line.includes(flag), flag);
    assert.ok(!/domain/i.test(line));
    const cookie = line.split(';')[0] ?? '';
    const account = await ask('/account', { headers: { cookie } });
    assert.equal(account.status, 200);
    assert.equal(
      (await ask('/account', { headers: { cookie: cookie.replace('__Host-', '') } })).status,
      303,
      'one that was planted over http',
    );
    const csrf = /name="csrf" value="([^"]+)"/.exec(account.text)?.[1] ?? '';
    const form = { csrf, name: 'Second', scope: 'workspace:read' };
    assert.equal(
      (await ask('/account/keys', { method: 'POST', form, headers: { cookie, origin: 'https://evil.example' } }))
        .status,
      403,
    );
    assert.equal((await ask('/account/keys', { method: 'POST', form, headers: { cookie } })).status, 201);
    const out = await ask('/signout', { method: 'POST', form: { csrf }, headers: { cookie } });
    assert.match((out.headers['set-cookie'] as string[])[0] ?? '', /^__Host-dialtree_session=;.*Max-Age=0.*Secure/);
    assert.equal((await ask('/signin', { method: 'POST', form: { email: 'ann@example.com', password } })).status, 303);
  });

  it('restricts browsers to https if they came through the public address', async () => {
    for (const path of ['/healthz', '/signin', '/v1/mapping', '/v1/nothing'])
      assert.match(String((await ask(path)).headers['strict-transport-security']), /^max-age=\d{7,}$/, path);
    const { host } = new URL(service.baseUrl);
    assert.equal(
      (await ask('/signin', { headers: { host } })).headers['strict-transport-security'],
      undefined,
      'a browser would lock out other services of this machine',
    );
    const plain = await fixture.start();
    assert.equal(
      (await fetch(plain.baseUrl.replace('/v1', '/healthz'))).headers.get('strict-transport-security'),
      null,
    );
  });

  it('counts registrations by the address that the proxy saw, not by a forged one', async () => {
    const statuses = async (hops: readonly (string | undefined)[]) =>
      await Promise.all(hops.map(async (hop) => (await register(hop)).status));
    assert.deepEqual(
      (
        await statuses(['203.0.113.1', '198.51.100.7, 203.0.113.1', '10.0.0.1,203.0.113.1', '127.0.0.1, 203.0.113.1'])
      ).toSorted(),
      [201, 201, 201, 429],
    );
    assert.deepEqual(await statuses(['203.0.113.1, 198.51.100.7']), [201], 'another network');
    assert.deepEqual(
      (await statuses(['2001:db8::1', '2001:db8::2', '2001:db8::3', '2001:db8:0:0:9::'])).toSorted(),
      [201, 201, 201, 429],
      'one household',
    );
    const plain = await fixture.start();
    const direct = await Promise.all(
      ['203.0.113.1', '203.0.113.2', '203.0.113.3', '203.0.113.4'].map(
        async (hop) =>
          (await fetch(`${plain.baseUrl}/workspace/register`, { method: 'POST', headers: { 'x-forwarded-for': hop } }))
            .status,
      ),
    );
    assert.deepEqual(direct.toSorted(), [201, 201, 201, 429], 'without a public address nobody is believed');
  });

  it('rejects an invalid public address', async () => {
    for (const wrong of ['http://dialtree.example.com', 'dialtree.example.com', 'https://dialtree.example.com/path'])
      await assert.rejects(fixture.start({ publicUrl: wrong }), { code: 'public_url' });
    const serve = new JsonProcess(new URL('../../src/cli/serviceProcess.ts', import.meta.url), [
      '--data',
      await fixture.folder(),
      '--public-url',
      'http://dialtree.example.com',
    ]);
    try {
      assert.equal(await Promise.race([serve.exited, serve.line('ready').catch(() => serve.exited)]), 2);
      assert.match(serve.errors, /--public-url takes https:\/\//);
    } finally {
      await serve.kill();
    }
  });
});
