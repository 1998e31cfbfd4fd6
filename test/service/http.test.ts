import assert from 'node:assert/strict';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { AuthenticationError } from '../../src/client/errors.ts';
import { DialtreeClient } from '../../src/client/client.ts';
import { operations } from '../../src/contract/operations.ts';
import { sendHttp } from '../support/sendHttp.ts';
import { ServiceFixture } from '../support/serviceFixture.ts';
import { ManualClock } from '../support/manualClock.ts';
import { skipFor } from '../support/skipFor.ts';
import { onPostgres } from '../support/testStore.ts';

async function send(url: string, headers: Record<string, string> = {}, method = 'GET', body?: string) {
  const { text, ...answer } = await sendHttp(url, { method, headers, body });
  return { ...answer, body: text === '' ? {} : (JSON.parse(text) as Record<string, unknown>) };
}

describe('service: HTTP', function () {
  const fixture = new ServiceFixture();
  let service: Awaited<ReturnType<ServiceFixture['start']>>;
  let dataDir: string;
  before(async () => {
    dataDir = await fixture.folder();
    service = await fixture.start({ dataDir });
  });
  after(() => fixture.close());
  const key = () => ({ 'x-api-key': service.apiKey });

  it('requires a key for every address except health, readiness, the document and signed audio', async () => {
    for (const path of ['/v1/mapping', '/v1/events', '/v1/nothing']) {
      const answer = await send(service.baseUrl.replace('/v1', path));
      assert.equal(answer.status, 401, path);
      assert.equal(answer.body['code'], 'unauthorized');
      assert.equal(answer.headers['x-request-id'], answer.body['requestId']);
    }
    assert.equal(
      (await send(service.mcpUrl, { 'content-type': 'application/json' }, 'POST', '{}')).status,
      401,
      'a message that needs a key',
    );
    for (const wrong of [
      'dt_',
      service.apiKey.slice(0, -1),
      `${service.apiKey}x`,
      service.apiKey.replace(/_\w/, '_~'),
      `dt_00000000_${'0'.repeat(43)}`,
      service.apiKey.replace(/.$/, (last) => (last === 'a' ? 'b' : 'a')),
    ]) {
      assert.equal((await send(`${service.baseUrl}/mapping`, { 'x-api-key': wrong })).status, 401, wrong);
    }
    assert.equal((await send(`${service.baseUrl}/mapping`, { authorization: `Bearer ${service.apiKey}` })).status, 200);
    assert.equal((await send(service.baseUrl.replace('/v1', '/healthz'))).status, 200);
    assert.equal((await send(service.baseUrl.replace('/v1', '/readyz'))).body['status'], 'ready');
    await assert.rejects(
      new DialtreeClient({ baseUrl: service.baseUrl, apiKey: 'dt_no' }).call('listMappings', {}),
      AuthenticationError,
    );
  });

  it('reports ready only when its store is open, and opens the store when first asked', async function () {
    if (onPostgres()) skipFor(this, 'a service on a database server opens its store before it listens');
    const { baseUrl } = await fixture.start();
    const ready = async (): Promise<[number, unknown]> => {
      const response = await fetch(baseUrl.replace('/v1', '/readyz'));
      return [response.status, await response.json()];
    };
    assert.deepEqual(await ready(), [503, { status: 'unavailable', store: 'closed' }]);
    let answer = await ready();
    while (answer[0] === 503) answer = await ready();
    assert.deepEqual(answer, [200, { status: 'ready', store: 'open' }]);
  });

  it('has no OAuth server at any address where clients look for one, with and without a key', async () => {
    for (const path of [
      '/.well-known/oauth-protected-resource',
      '/.well-known/oauth-protected-resource/mcp',
      '/.well-known/oauth-authorization-server',
      '/.well-known/oauth-authorization-server/mcp',
      '/.well-known/openid-configuration',
      '/.well-known/openid-configuration/mcp',
      '/mcp/.well-known/openid-configuration',
      '/authorize',
      '/token',
      '/register',
    ])
      for (const method of ['GET', 'POST'])
        for (const [headers, said] of [
          [{}, /registerWorkspace/],
          [{ 'x-api-key': 'dt_wrong' }, /The API key isn't valid/],
          [{ authorization: 'Bearer dt_wrong' }, /The API key isn't valid/],
          [key(), /not OAuth/],
        ] as const) {
          const { status, headers: received, body } = await send(new URL(path, service.baseUrl).href, headers, method);
          assert.deepEqual([status, body['code'], received['www-authenticate']], [404, 'not_found', undefined], path);
          assert.match(String(body['message']), said);
          assert.deepEqual([body['error'], body['error_description']], ['invalid_request', body['message']]);
        }
    for (const headers of [{}, { 'x-api-key': 'dt_wrong' }]) {
      const { status, body } = await send(`${service.baseUrl}/mapping`, headers);
      assert.deepEqual([status, body['error'], body['error_description']], [401, 'invalid_token', body['message']]);
    }
  });

  it('reads arguments that are null, or text with what they mean', async () => {
    const phoneNumber = '+12025550101';
    const json = { ...key(), 'content-type': 'application/json' };
    const created = await send(
      `${service.baseUrl}/mapping`,
      json,
      'POST',
      JSON.stringify({ phoneNumber, name: null, tags: '["sales"]', config: '{"maxDepth":"3","pressUnsure":"true"}' }),
    );
    assert.deepEqual(
      [created.status, created.body['tags'], (created.body['config'] as Record<string, unknown>)['maxDepth']],
      [201, ['sales'], 3],
    );
    const unstorable = await send(
      `${service.baseUrl}/testing/test-configs`,
      json,
      'POST',
      JSON.stringify({
        name: 'a',
        phoneNumber,
        steps: '[{"name":"a","action":{"type":"hangUp"}}]',
        rows: String.raw`[{"a":"\u0000"}]`,
      }),
    );
    assert.equal(unstorable.status, 400);
    assert.match(String(unstorable.body['message']), /U\+0000/);
  });

  it('shows the interface to a person, without scripts', async () => {
    const response = await fetch(`${service.baseUrl}/docs`);
    const page = await response.text();
    assert.equal(response.status, 200);
    assert.match(response.headers.get('content-security-policy') ?? '', /default-src 'none'; style-src 'sha256-/);
    assert.ok(!/<script/i.test(page));
    for (const name of Object.keys(operations)) assert.ok(page.includes(`<code>${name}</code>`), name);
  });

  it('keeps the key in a file that only its user can read', async () => {
    assert.match(service.apiKey, /^dt_[0-9A-Za-z]{8}_[0-9A-Za-z]{43}$/);
    const file = join(dataDir, 'api-key');
    assert.equal((await readFile(file, 'utf8')).trim(), service.apiKey);
    if (process.platform !== 'win32') assert.equal((await stat(file)).mode & 0o777, 0o600);
  });

  it('rejects other hosts and web pages before it checks the key', async () => {
    const url = `${service.baseUrl}/mapping`;
    const { port } = new URL(url);
    assert.equal((await send(url, { ...key(), host: `evil.example:${port}` })).status, 421);
    assert.equal((await send(url, { ...key(), host: '127.0.0.1' })).status, 421);
    assert.equal((await send(url, { ...key(), host: `localhost:${port}` })).status, 200);
    assert.equal((await send(url, { ...key(), origin: 'https://evil.example' })).status, 403);
    assert.equal((await send(url, { ...key(), origin: 'null' })).status, 403);
    assert.equal((await send(url, { ...key(), origin: `http://127.0.0.1:${port}` })).status, 200);
    assert.equal(
      (await send(url.replace('/v1/mapping', '/mcp'), { ...key(), origin: 'https://evil.example' }, 'POST', '{}'))
        .status,
      403,
    );
    assert.equal((await send(url.replace('/v1/mapping', '/healthz'), { host: 'evil.example' })).status, 421);
  });

  it('names the methods of an address, rejects broken JSON and a wrong ID, and marks each answer', async () => {
    const json = { ...key(), 'content-type': 'application/json' };
    assert.equal((await send(`${service.baseUrl}/mapping`, key(), 'PUT')).headers['allow'], 'POST, GET');
    assert.equal((await send(`${service.baseUrl}/mapping`, json, 'POST', '{')).body['code'], 'invalid_json');
    assert.equal((await send(`${service.baseUrl}/mapping/not-a-uuid`, key())).status, 400);
    const ok = await send(`${service.baseUrl}/mapping`, key());
    assert.equal(ok.headers['x-content-type-options'], 'nosniff');
    assert.match(String(ok.headers['x-request-id']), /^[0-9a-f-]{36}$/);
  });

  it('says to omit a slash at the end of an address', async () => {
    for (const path of ['/mapping/', '/testing/runs/', '/mapping/3f8e7a52-0c1d-4b6e-9a57-2d8c1e4f6b90/tree/']) {
      const { status, body } = await send(`${service.baseUrl}${path}`, key());
      assert.deepEqual([status, body['code']], [404, 'not_found']);
      assert.match(String(body['message']), /ends with a slash/);
    }
  });

  it('rejects an argument that an address has twice, rather than dropping one', async () => {
    const twice = await send(`${service.baseUrl}/mapping?tag=a&tag=b`, key());
    assert.deepEqual([twice.status, twice.body['code']], [400, 'invalid_request']);
    assert.match(String(twice.body['message']), /^tag: /);
    assert.equal((await send(`${service.baseUrl}/mapping?tag=a&limit=1`, key())).status, 200);
  });

  it('reports a port in use, and rejects addresses that other machines can reach', async () => {
    const port = Number(new URL(service.baseUrl).port);
    await assert.rejects(
      fixture.start({ port }),
      (error: Error) => error.message.includes(`Port ${String(port)}`) && error.message.includes('--port'),
    );
    await assert.rejects(fixture.start({ host: '0.0.0.0' }), /--allow-remote/);
  });

  it('sends heartbeats, and is idle only without listeners', async () => {
    const clock = new ManualClock();
    let idle = 0;
    const quiet = await fixture.start({ idleExitSeconds: 60, onIdle: () => (idle += 1), parts: { clock } });
    const stop = new AbortController();
    const response = await fetch(`${quiet.baseUrl}/events`, {
      headers: { 'x-api-key': quiet.apiKey },
      signal: stop.signal,
    });
    const reader = response.body?.getReader();
    const decoder = new TextDecoder();
    assert.match(decoder.decode((await reader?.read())?.value), /^retry: \d+/);
    clock.advance(15_000);
    assert.equal(decoder.decode((await reader?.read())?.value), ': alive\n\n');
    clock.advance(600_000);
    assert.equal(idle, 0);
    stop.abort();
    assert.ok(await clock.run(() => idle > 0, 100_000_000, 1000), 'idle after the listener left');
  });
});
