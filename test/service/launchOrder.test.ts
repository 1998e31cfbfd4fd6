import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { ErrorBody } from '../../src/contract/errors.ts';
import { ServiceFixture } from '../support/serviceFixture.ts';

const steps = [{ name: 'dial', action: { type: 'dial' as const } }];

describe('service: the order of checks at a launch', function () {
  const fixture = new ServiceFixture();
  afterEach(() => fixture.close());

  it('shows a new workspace the claim block for any number, over MCP and REST, and in the plan', async () => {
    const rateLimit = { take: () => Promise.resolve(0), takeVisit: () => Promise.resolve(0) };
    const service = await fixture.start({ parts: { rateLimit } });
    const { apiKey } = await service.client.call('registerWorkspace', {});
    const client = service.clientOf(apiKey);
    const headers = { 'x-api-key': apiKey, 'content-type': 'application/json' };
    const claim = { method: 'POST', path: '/claim', tool: 'getClaimLink' };
    const assertClaim = async (tool: string, path: string, input: Record<string, unknown>, body = input) => {
      const rest = await fetch(`${service.baseUrl}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
      const refused = (await rest.json()) as ErrorBody;
      assert.deepEqual([rest.status, refused.code, refused.claim], [402, 'capacity_exhausted', claim], tool);
      const answer = await fetch(service.mcpUrl, {
        method: 'POST',
        headers: { ...headers, accept: 'application/json, text/event-stream' },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: tool, arguments: input } }),
      });
      const { result } = (await answer.json()) as { result: { structuredContent: ErrorBody & { status: number } } };
      assert.deepEqual([result.structuredContent.status, result.structuredContent.claim], [402, claim], tool);
    };
    for (const phoneNumber of ['+12025550101', '+4930901820', '+14155550100', '+112', 'sip:bank@127.0.0.1:5070']) {
      const probe = { phoneNumber, catalogueTestId: 'gdpr-notice' };
      if (phoneNumber !== '+112') {
        const job = await client.call('createMapping', { phoneNumber });
        await assertClaim('startMapping', `/mapping/${job.id}/start`, { id: job.id }, {});
        const test = await client.call('createTestConfig', { name: 't', phoneNumber, steps });
        const old = { expectedUpdatedAt: '2020-01-01T00:00:00Z' };
        const run = { configId: test.id, ...old };
        await assertClaim('runTest', `/testing/test-configs/${test.id}/runs`, run, old);
        await assertClaim('runLoadTest', '/testing/load-tests', { phoneNumber, concurrency: 1 });
        await assertClaim('runComplianceTest', '/compliance/runs', probe);
        const plan = await client.call('planCalls', { mappingId: job.id });
        assert.equal(plan.refusal?.code, 'capacity_exhausted', phoneNumber);
      }
    }
    await assertClaim('callLineEcho', '/lines/echo', { name: 'none' });
  });

  it('checks scope, arguments and existence before capacity', async () => {
    const service = await fixture.start();
    const { apiKey } = await service.client.call('registerWorkspace', {});
    const client = service.clientOf(apiKey);
    await assert.rejects(client.call('startMapping', { id: 'x' }), { status: 400 });
    await assert.rejects(client.call('startMapping', { id: randomUUID() }), { status: 404 });
    await assert.rejects(client.call('runTest', { configId: randomUUID() }), { status: 404 });
    const probe = { phoneNumber: '+12025550101', catalogueTestId: 'none' };
    await assert.rejects(client.call('runComplianceTest', probe), { status: 404 });
    const reader = await client.call('createApiKey', { name: 'reader', scopes: ['mapping:read'] });
    await assert.rejects(service.clientOf(reader.apiKey).call('startMapping', { id: randomUUID() }), { status: 403 });
  });

  it('checks target and consent before the version of a saved test', async () => {
    const { client } = await fixture.start();
    const expectedUpdatedAt = '2020-01-01T00:00:00Z';
    const launch = async (phoneNumber: string): Promise<unknown> => {
      const { id } = await client.call('createTestConfig', { name: 't', phoneNumber, steps });
      return client.call('runTest', { configId: id, expectedUpdatedAt });
    };
    await assert.rejects(launch('+4930901820'), { status: 400, code: 'no_route' });
    await assert.rejects(launch('sip:bank@127.0.0.1:1'), { status: 403, code: 'consent_required' });
    const number = { phoneNumber: '+14155550100' };
    for (const work of [
      client.call('runComplianceTest', { ...number, catalogueTestId: 'ai-disclose-start' }),
      client.call('runLoadTest', { ...number, concurrency: 1 }),
    ])
      await assert.rejects(work, { status: 403, code: 'consent_required' });
    await assert.rejects(client.call('runLoadTest', { phoneNumber: '+911', concurrency: 1 }), { status: 400 });
    assert.equal((await client.call('listTestRuns', {})).items.length, 0);
  });
});
