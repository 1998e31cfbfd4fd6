import assert from 'node:assert/strict';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import type { OperationName, OperationOutput } from '../../src/contract/operations.ts';
import { promptRecording } from '../../src/model/tree/export/cassette.ts';
import { readWav } from '../../src/speech/wav.ts';
import { ServiceFixture } from '../support/serviceFixture.ts';
import { leafNode, rootNode } from '../support/serviceScript.ts';
import { connectAgent } from '../support/connectAgent.ts';
import { refused } from '../support/refused.ts';

type Call = (name: OperationName, input: Record<string, unknown>) => Promise<object>;
type Made = OperationOutput<'generateTestsFromTree'>;

const lab = '+12025550101';
const recording = Int16Array.from({ length: 8000 }, (_, index) => index + 1);
const absent = '11111111-1111-4111-8111-111111111111';

describe('service: tests of a mapped tree', function () {
  const fixture = new ServiceFixture();
  let service: Awaited<ReturnType<ServiceFixture['start']>>;
  let mcp: Client;
  let id: string;

  before(async () => {
    service = await fixture.start();
    mcp = await connectAgent(service);
    ({ id } = await service.client.call('createMapping', { phoneNumber: lab, name: 'Bank' }));
    await service.client.call('startMapping', { id });
    const run = await fixture.crawl.next();
    run.found(
      rootNode({ promptStartMs: 100, promptEndMs: 300 }),
      leafNode('1', { label: 'sales' }),
      leafNode('2', { end: 'hangup', label: 'billing' }),
      leafNode('9', { status: 'failed', reason: 'It broke off.' }),
    );
    run.events.push({ type: 'audio', nodeId: 'root', pcm: recording });
    run.end();
    await service.client.waitForRun(id);
  });
  after(async () => {
    await mcp.close();
    await fixture.close();
  });

  const rest: Call = async (name, input) => await service.client.call(name, input);
  const tool: Call = async (name, input) => {
    const result = await mcp.callTool({ name, arguments: input });
    if (result.isError === true) throw Object.assign(new Error('tool error'), result.structuredContent as object);
    return result.structuredContent as object;
  };
  const saved = async (): Promise<number> => (await service.client.call('listTestConfigs', {})).items.length;

  for (const [way, call] of [
    ['REST', rest],
    ['MCP', tool],
  ] as const) {
    it(`${way}: generates tests for every path to an end, and for the named steps`, async () => {
      const before = await saved();
      const { tests, skipped } = (await call('generateTestsFromTree', { id })) as Made;
      assert.deepEqual(
        tests.map(({ name, phoneNumber, steps }) => [
          name,
          phoneNumber,
          steps.map(({ action, expectedTranscript, expectedEnd }) => [action.type, expectedTranscript, expectedEnd]),
        ]),
        [
          [
            'Bank: 1 sales',
            lab,
            [
              ['dial', 'for sales press one', undefined],
              ['press', 'you chose 1', 'human'],
            ],
          ],
          [
            'Bank: 2 billing',
            lab,
            [
              ['dial', 'for sales press one', undefined],
              ['press', 'you chose 2', 'hangup'],
            ],
          ],
        ],
      );
      assert.deepEqual(skipped, [{ stepId: 'leaf-9', path: '9', reason: 'It could not be explored: It broke off.' }]);
      const named = (await call('generateTestsFromTree', { id, version: 1, stepIds: ['leaf-2', 'gone'] })) as Made;
      assert.deepEqual(
        [named.tests.map(({ name }) => name), named.skipped.map(({ stepId }) => stepId)],
        [['Bank: 2 billing'], ['gone']],
      );
      assert.equal(await saved(), before, 'nothing is saved unasked');
    });
  }

  it('saves them on request, exactly as shown', async () => {
    const before = await saved();
    const { tests } = await service.client.call('generateTestsFromTree', { id, save: true });
    assert.equal(await saved(), before + 2);
    for (const test of tests) {
      assert.ok(test.id !== undefined);
      const { name, phoneNumber, steps } = await service.client.call('getTestConfig', { id: test.id });
      assert.deepEqual({ id: test.id, name, phoneNumber, steps }, test);
    }
  });

  it('generates no test that chooses a forbidden option on a live number', async () => {
    const phoneNumber = '+12125550123';
    await service.client.call('recordConsent', { phoneNumber, statement: 'I may test this number' });
    const live = await service.client.call('createMapping', {
      phoneNumber,
      name: 'Live',
      config: { allowedLabels: ['close my account'] },
    });
    await service.client.call('startMapping', { id: live.id });
    const run = await fixture.crawl.next();
    run.found(
      rootNode({}),
      leafNode('1', { label: 'sales' }),
      leafNode('2', { label: 'pay your bill' }),
      leafNode('3', { label: 'the gizmo' }),
      leafNode('4', { label: '' }),
      leafNode('5', { label: 'sales', hidden: true }),
      leafNode('6', { label: 'close my account' }),
    );
    run.end();
    await service.client.waitForRun(live.id);
    for (const input of [{}, { stepIds: ['leaf-1', 'leaf-2', 'leaf-3', 'leaf-4', 'leaf-5', 'leaf-6'] }]) {
      const { tests, skipped } = await service.client.call('generateTestsFromTree', { id: live.id, ...input });
      assert.deepEqual(
        [tests.map(({ name }) => name), skipped.map(({ path }) => path)],
        [
          ['Live: 1 sales', 'Live: 6 close my account'],
          ['2', '3', '4', '5'],
        ],
      );
      assert.match(skipped[0]?.reason ?? '', /^It was left out: This option may pay .*allowedLabels/);
    }
  });

  it("gives the prompt's position in its recording, so that it can be played again", async () => {
    const { tree } = await service.client.call('getMappingTree', { id });
    assert.ok(tree?.audioUrl !== undefined);
    const wav = promptRecording(tree, await service.client.fetchAudio(tree.audioUrl));
    assert.ok(wav);
    const {
      channels: [pcm = new Int16Array()],
    } = readWav(wav);
    assert.ok(
      pcm.subarray(0, 300 * 8).every((sample) => sample === 0),
      'it begins with silence',
    );
    assert.deepEqual([...pcm.subarray(300 * 8)], [...recording.subarray(40 * 8, 360 * 8)]);
  });

  it('requires a tree, and a key that may read it', async () => {
    await refused(service.client.call('generateTestsFromTree', { id: absent }), 404, 'not_found');
    await refused(service.client.call('generateTestsFromTree', { id, version: 7 }), 404, 'version_not_found');
    const { id: idle } = await service.client.call('createMapping', { phoneNumber: lab });
    await assert.rejects(service.client.call('generateTestsFromTree', { id: idle }), {
      status: 404,
      code: 'not_found',
      message: /Start it/,
    });
    await assert.rejects(service.client.call('generateTestsFromTree', { id, stepIds: [] }), { status: 400 });
    const { apiKey } = await service.client.call('createApiKey', { name: 'writes tests', scopes: ['testing:write'] });
    await refused(service.clientOf(apiKey).call('generateTestsFromTree', { id }), 403, 'missing_scope');
  });
});
