import assert from 'node:assert/strict';
import { HumanError } from '../../src/contract/errors.ts';
import { limits, serverLimits } from '../../src/contract/limits.ts';
import { describeFailure } from '../../src/service/http/errors.ts';
import { silentLog } from '../../src/service/basics/log.ts';
import { LazyStore } from '../../src/service/store/lazyStore.ts';
import { sendHttp } from '../support/sendHttp.ts';
import { ServiceFixture } from '../support/serviceFixture.ts';
import { SmsInbox } from '../support/smsInbox.ts';
import { onPostgres } from '../support/testStore.ts';
import { refused } from '../support/refused.ts';

const lab = '+12025550101';
const mobile = (last: number): string => `+4474001234${String(last).padStart(2, '0')}`;

async function codeOf(url: string, method: string, headers: Record<string, string>, body?: string): Promise<string> {
  const answer = await sendHttp(url, { method, headers, body });
  const { code = '', message = '', requestId } = JSON.parse(answer.text) as Record<string, string | undefined>;
  assert.ok(message !== '' && requestId === answer.headers['x-request-id']);
  return `${String(answer.status)} ${code}`;
}

describe('service: refusals', function () {
  const fixture = new ServiceFixture();
  const sms = new SmsInbox();
  let time = new Date('2026-03-01T12:00:00.000Z');
  let service: Awaited<ReturnType<ServiceFixture['start']>>;

  before(async () => {
    service = await fixture.start({ sms, parts: { now: () => time } });
  });
  after(() => fixture.close());

  it('identify what is wrong with a request by status and code', async () => {
    const key = { 'x-api-key': service.apiKey };
    const json = { ...key, 'content-type': 'application/json' };
    const url = `${service.baseUrl}/mapping`;
    for (const [expected, ...asked] of [
      ['400 invalid_request', url, 'POST', json, '{"phoneNumber":"1"}'],
      ['400 invalid_request', url, 'POST', json, `{"phoneNumber":"${lab}","surprise":1}`],
      ['400 invalid_request', `${url}/11111111-1111-4111-8111-111111111111?version=0`, 'GET', key],
      ['400 invalid_request', `${url}/11111111-1111-4111-8111-111111111111/tree?format=round`, 'GET', key],
      ['400 invalid_json', url, 'POST', json, '[]'],
      ['400 invalid_cursor', `${url}?cursor=x.y`, 'GET', key],
      ['401 unauthorized', url, 'GET', {}],
      ['403 wrong_origin', url, 'GET', { ...key, origin: 'https://evil.example' }],
      ['403 address_expired', `${service.baseUrl}/recordings/a/b.wav?expires=1&signature=x`, 'GET', {}],
      ['404 not_found', `${service.baseUrl}/nothing`, 'GET', key],
      ['405 method_not_allowed', url, 'PUT', key],
      ['413 body_too_large', url, 'POST', json, JSON.stringify({ phoneNumber: 'x'.repeat(serverLimits.bodyBytes) })],
      ['415 not_json', url, 'POST', { ...key, 'content-type': 'text/plain' }, '{}'],
      ['421 wrong_host', url, 'GET', { ...key, host: 'evil.example' }],
    ] as const satisfies readonly (readonly [string, string, string, Record<string, string>, string?])[])
      assert.equal(await codeOf(...(asked as Parameters<typeof codeOf>)), expected);
  });

  it("name a version that a job doesn't have", async () => {
    const { id } = await service.client.call('createMapping', { phoneNumber: lab });
    await assert.rejects(service.client.call('getMapping', { id, version: 3 }), {
      status: 404,
      code: 'version_not_found',
      details: { availableVersions: [] },
    });
  });

  it('limit a workspace to three verified people, and to fifty codes in total @engine', async () => {
    const { client } = service;
    const ask = async (last: number): Promise<void> => {
      time = new Date(time.getTime() + 86_400_000 / serverLimits.textMessages.numberADay);
      await client.call('requestAnchorCode', { phoneNumber: mobile(last) });
    };
    const verify = (last: number, replaces?: number) =>
      client.call('verifyAnchorCode', {
        phoneNumber: mobile(last),
        code: sms.codeFor(mobile(last)),
        ...(replaces !== undefined && { replaces: mobile(replaces) }),
      });
    for (let last = 0; last < limits.anchors.max; last += 1) {
      await ask(last);
      assert.deepEqual(
        await verify(last),
        { anchored: true, freeGrantOutcome: 'not-owed' },
        'this workspace is unlimited and has an owner',
      );
    }
    await assert.rejects(ask(9), { status: 403, reason: 'anchor_limit_reached' });
    for (let count = sms.count; count < limits.anchors.codesEver; count += 1) await ask(0);
    await assert.rejects(ask(0), { status: 403, code: 'too_many_codes' });
  });

  it('send no codes if the server has no sender', async () => {
    const silent = await fixture.start();
    await refused(silent.client.call('requestAnchorCode', { phoneNumber: mobile(1) }), 503, 'sms_unavailable');
  });

  it("protect the service's own key from being revoked", async function () {
    // For the embedded store only.
    if (onPostgres()) this.skip();
    await refused(service.client.call('revokeApiKey', { id: service.apiKey.slice(3, 11) }), 409, 'local_key');
    await service.client.call('listMappings', {});
  });

  it('require the scope mapping:read for events', async () => {
    const { apiKey } = await service.client.call('createApiKey', { name: 'tests', scopes: ['testing:read'] });
    assert.equal(await codeOf(`${service.baseUrl}/events`, 'GET', { 'x-api-key': apiKey }), '403 missing_scope');
    await service.clientOf(apiKey).call('listTestConfigs', {});
    await assert.rejects(service.clientOf(apiKey).call('getWorkspaceUsage', {}), {
      status: 403,
      code: 'missing_scope',
      details: { scope: 'workspace:read' },
    });
  });

  it('say that the service is stopping while it stops', async () => {
    const store = new LazyStore(() => Promise.reject(new Error('never opened')));
    await store.close();
    await assert.rejects(store.get(), { status: 503, code: 'stopping' });
  });

  it('reveal no internal details', () => {
    const { status, body } = describeFailure(new Error('password=secret'), 'r1', silentLog);
    assert.deepEqual(
      [status, body.code, body.requestId, JSON.stringify(body).includes('secret')],
      [500, 'internal', 'r1', false],
    );
    const told = describeFailure(
      new HumanError('m', { status: 402, code: 'c', reason: 'r', details: 1, retryAfterSeconds: 2 }),
      'r2',
      silentLog,
    );
    assert.deepEqual(told, {
      status: 402,
      body: { message: 'm', code: 'c', reason: 'r', details: 1, retryAfterSeconds: 2, requestId: 'r2' },
    });
  });
});
