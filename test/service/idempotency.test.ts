import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { serverLimits } from '../../src/contract/limits.ts';
import { returnsSecret } from '../../src/contract/operation.ts';
import type { Operation } from '../../src/contract/operation.ts';
import { operations } from '../../src/contract/operations.ts';
import { ServiceFixture } from '../support/serviceFixture.ts';
import { postJson } from '../support/postJson.ts';

describe('service: repeated requests', function () {
  const fixture = new ServiceFixture();
  let service: Awaited<ReturnType<ServiceFixture['start']>>;
  let now = new Date();

  before(async () => {
    service = await fixture.start({ parts: { now: () => now } });
  });
  after(() => fixture.close());

  async function post(
    path: string,
    body: object,
    idempotencyKey?: string,
    apiKey = service.apiKey,
  ): Promise<{ readonly status: number; readonly body: Record<string, unknown> }> {
    const response = await postJson(`${service.baseUrl}${path}`, body, {
      'x-api-key': apiKey,
      ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
    });
    return { status: response.status, body: (await response.json()) as Record<string, unknown> };
  }
  const create = (name: string, key?: string, apiKey?: string) =>
    post('/mapping', { phoneNumber: '+12025550101', name }, key, apiKey);
  const named = async (name: string): Promise<number> =>
    (await service.client.call('listMappings', { name })).items.length;

  it('performs a repeated request once, and returns the first answer again @engine', async () => {
    const key = randomUUID();
    const first = await create('twice', key);
    assert.equal(first.status, 201);
    assert.deepEqual(await create('twice', key), first);
    assert.equal(await named('twice'), 1);
    const other = await create('another', key);
    assert.deepEqual([other.status, other.body['code']], [409, 'idempotency_mismatch']);
    assert.equal((await create('twice')).status, 201, 'without the header it is done again');
    assert.equal(await named('twice'), 2);
  });

  it('performs a request once that is sent many times simultaneously @engine', async () => {
    const key = randomUUID();
    const answers = await Promise.all(Array.from({ length: 20 }, () => create('at once', key)));
    for (const { status, body } of answers)
      assert.ok(status === 201 || (status === 409 && body['code'] === 'idempotency_unfinished'), String(status));
    assert.equal(await named('at once'), 1);
    assert.equal((await create('at once', key)).status, 201);
  });

  it("describes a call's arguments over MCP, and rejects deep nesting", async () => {
    const ask = async (text: string): Promise<{ error?: { code: number; message: string } }> => {
      const response = await fetch(service.mcpUrl, {
        method: 'POST',
        body: text,
        headers: {
          'x-api-key': service.apiKey,
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
        },
      });
      return (await response.json()) as { error?: { code: number; message: string } };
    };
    for (const params of [undefined, {}, { name: 7 }, { name: 'listMappings', arguments: [1] }]) {
      const { error } = await ask(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }));
      assert.deepEqual(
        [error?.code, error?.message],
        [
          -32602,
          'A tools/call request needs params with the name of a tool, and with its arguments as an object. Use tools/list to see both.',
        ],
      );
    }
    const { error } = await ask(
      `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"listMappings","arguments":${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}}}`,
    );
    assert.equal(error?.code, -32700);
  });

  it('rejects deeply nested JSON, with a key and without', async () => {
    const body = `{"phoneNumber":"+12025550101","config":${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}}`;
    for (const headers of [{}, { 'idempotency-key': randomUUID() }]) {
      const response = await fetch(`${service.baseUrl}/mapping`, {
        method: 'POST',
        body,
        headers: { 'x-api-key': service.apiKey, 'content-type': 'application/json', ...headers },
      });
      assert.equal(response.status, 400);
      assert.match(((await response.json()) as { message: string }).message, /nested more than 100 levels deep/);
    }
  });

  it('allows a refused request to be sent again @engine', async () => {
    const key = randomUUID();
    assert.equal((await create('', key)).status, 400);
    const job = await service.client.call('createMapping', { phoneNumber: '+12025550101' });
    const start = () => post(`/mapping/${job.id}/start`, {}, key);
    assert.equal((await start()).status, 202);
    assert.deepEqual(
      (await start()).body['currentRun'],
      (await start()).body['currentRun'],
      'not refused as running already',
    );
    await service.client.call('cancelMapping', { id: job.id });
  });

  it('keeps the keys of workspaces apart, and answers only those with permission @engine', async () => {
    const key = randomUUID();
    const first = await create('mine', key);
    const stranger = await service.client.call('registerWorkspace', {});
    const theirs = await create('mine', key, stranger.apiKey);
    assert.equal(theirs.status, 201);
    assert.notEqual(theirs.body['id'], first.body['id']);
    for (const apiKey of [stranger.apiKey, service.apiKey])
      assert.equal(
        (await create('mine', key, apiKey)).body['id'],
        (apiKey === stranger.apiKey ? theirs : first).body['id'],
        'each its own answer',
      );
    const reader = await service.client.call('createApiKey', { name: 'reads', scopes: ['mapping:read'] });
    assert.equal((await create('mine', key, reader.apiKey)).body['code'], 'missing_scope');
  });

  it('says what is wrong with a key', async () => {
    for (const wrong of ['', 'with space', 'x'.repeat(256)])
      assert.deepEqual(
        [(await create('w', wrong)).status, (await create('w', wrong)).body['code']],
        [400, 'idempotency_key'],
        wrong,
      );
  });

  it('rejects a key for any request whose answer contains a secret', async () => {
    const named = Object.entries<Operation>(operations).filter(([, operation]) => returnsSecret(operation));
    assert.deepEqual(named.map(([name]) => name).sort(), [
      'createApiKey',
      'getAccountLink',
      'getClaimLink',
      'registerWorkspace',
    ]);
    for (const [, { rest }] of named) {
      const { status, body } = await post(rest.path, {}, randomUUID());
      assert.deepEqual([status, body['code']], [400, 'idempotency_key'], rest.path);
      assert.match(String(body['message']), /Send the request without Idempotency-Key/);
    }
    const open = await fetch(`${service.baseUrl}/workspace/register`, {
      method: 'POST',
      headers: { 'idempotency-key': randomUUID() },
    });
    assert.equal(open.status, 400, 'also without an API key');
  });

  it('forgets a request after a day @engine', async () => {
    const key = randomUUID();
    await create('daily', key);
    now = new Date(now.getTime() + serverLimits.idempotencySeconds * 1000);
    assert.equal((await create('daily', key)).status, 201);
    assert.equal(await named('daily'), 2);
  });
});
