import assert from 'node:assert/strict';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import type { OperationArguments, OperationName } from '../../src/contract/operations.ts';
import type { TreeComparison } from '../../src/contract/treeDiff.ts';
import type { CrawlNode } from '../../src/engine/crawl/crawlNode.ts';
import { ServiceFixture } from '../support/serviceFixture.ts';
import { leafNode, rootNode } from '../support/serviceScript.ts';
import { connectAgent } from '../support/connectAgent.ts';
import { refused } from '../support/refused.ts';

type Compare = (input: OperationArguments<'compareMappingRuns'>) => Promise<TreeComparison>;

const lab = '+12025550101';
const absent = '11111111-1111-4111-8111-111111111111';
const unchanged = { added: 0, removed: 0, moved: 0, reworded: 0, renumbered: 0, relinked: 0, slower: 0 };

describe('service: comparing the runs of a mapping', function () {
  const fixture = new ServiceFixture();
  let service: Awaited<ReturnType<ServiceFixture['start']>>;
  let mcp: Client;

  before(async () => {
    service = await fixture.start();
    mcp = await connectAgent(service);
  });
  after(async () => {
    await mcp.close();
    await fixture.close();
  });

  const rest: Compare = (input) => service.client.call('compareMappingRuns', input);
  const tool: Compare = async (input) => {
    const name: OperationName = 'compareMappingRuns';
    const result = await mcp.callTool({ name, arguments: input });
    if (result.isError === true) throw Object.assign(new Error('tool error'), result.structuredContent as object);
    return result.structuredContent as TreeComparison;
  };
  const createJob = async (): Promise<string> => (await service.client.call('createMapping', { phoneNumber: lab })).id;
  async function map(id: string, ...nodes: readonly CrawlNode[]): Promise<void> {
    await service.client.call('startMapping', { id });
    const run = await fixture.crawl.next();
    run.found(...nodes);
    run.end();
    await service.client.waitForRun(id);
  }

  for (const [way, compare] of [
    ['REST', rest],
    ['MCP', tool],
  ] as const) {
    it(`${way}: reports what changed between two runs, and if nothing did`, async () => {
      const id = await createJob();
      const sales = leafNode('1', { label: 'sales', transcript: 'You have reached sales.', end: 'hangup' });
      const billing = leafNode('2', {
        label: 'billing',
        transcript: 'You have reached billing. Please hold.',
        end: 'hold-music',
      });
      await map(id, rootNode(), sales, billing);
      await map(
        id,
        rootNode({ id: 'other' }),
        leafNode('1', { ...sales, id: 'a', parentId: 'other', transcript: 'you have reached sales' }),
        leafNode('2', { ...billing, id: 'b', parentId: 'other' }),
      );
      await map(
        id,
        rootNode(),
        { ...sales, end: 'voicemail' },
        leafNode('3', { ...billing, id: 'leaf-3', digit: '3' }),
      );
      assert.deepEqual(await compare({ id, base: 1, version: 2 }), {
        jobId: id,
        base: 1,
        version: 2,
        changes: [],
        counts: unchanged,
        unsure: 0,
      });
      const { changes, counts, ...runs } = await compare({ id, base: 1 });
      assert.deepEqual(runs, { jobId: id, base: 1, version: 3, unsure: 0 });
      assert.deepEqual(counts, { ...unchanged, relinked: 1, renumbered: 1 });
      assert.deepEqual(changes, [
        {
          kind: 'relinked',
          stepId: 'leaf-1',
          baseStepId: 'leaf-1',
          path: '1',
          basePath: '1',
          before: 'hangup',
          after: 'voicemail',
          sentence: '"sales" at 1 now goes to voicemail. Before: hangs up.',
        },
        {
          kind: 'renumbered',
          stepId: 'leaf-3',
          baseStepId: 'leaf-2',
          path: '3',
          basePath: '2',
          before: '2',
          after: '3',
          sentence: '"billing" is now reached by 3 instead of 2, at the first menu.',
        },
      ]);
    });

    it(`${way}: compares runs of two mappings`, async () => {
      const [id, baseId] = [await createJob(), await createJob()];
      await map(baseId, rootNode(), leafNode('1', { end: 'hangup' }));
      await map(id, rootNode(), leafNode('1', { end: 'voicemail' }));
      const { changes, ...runs } = await compare({ id, baseId, base: 1 });
      assert.deepEqual([changes[0]?.before, changes[0]?.after], ['hangup', 'voicemail']);
      assert.deepEqual([runs.jobId, runs.baseId, runs.base, runs.version], [id, baseId, 1, 1]);
      assert.equal((await compare({ id: baseId, baseId: id, base: 1 })).changes[0]?.before, 'voicemail');
      await assert.rejects(compare({ id, baseId: absent, base: 1 }), { status: 404, code: 'not_found' });
    });

    it(`${way}: reports how many unsure steps it doesn't compare`, async () => {
      const id = await createJob();
      await map(id, rootNode(), leafNode('1', { unsure: true, transcript: '' }), leafNode('2'));
      await map(id, rootNode(), leafNode('1', { transcript: 'All of our agents are busy.' }), leafNode('2'));
      const { changes, unsure } = await compare({ id, base: 1 });
      assert.deepEqual([changes, unsure], [[], 1]);
    });

    it(`${way}: names the existing runs, and the one that has no tree yet`, async () => {
      const id = await createJob();
      await assert.rejects(compare({ id, base: 1 }), { status: 404, code: 'version_not_found' });
      await map(id, rootNode(), leafNode('1'));
      await assert.rejects(compare({ id, base: 1, version: 7 }), { status: 404, code: 'version_not_found' });
      await assert.rejects(compare({ id: absent, base: 1 }), { status: 404, code: 'not_found' });
      await assert.rejects(compare({ id, base: 0 }), { status: 400, code: 'invalid_request' });
      await service.client.call('startMapping', { id });
      const run = await fixture.crawl.next();
      await assert.rejects(compare({ id, base: 1 }), {
        status: 409,
        code: 'no_tree',
        message: /in run 2\..*Try again shortly/,
      });
      run.end();
      await service.client.waitForRun(id);
    });
  }

  it('finds no mapping of another workspace', async () => {
    const id = await createJob();
    await map(id, rootNode(), leafNode('1'));
    const { apiKey } = await service.client.call('registerWorkspace', {});
    const stranger = service.clientOf(apiKey);
    await refused(stranger.call('compareMappingRuns', { id, base: 1 }), 404, 'not_found');
    const own = await stranger.call('createMapping', { phoneNumber: lab });
    await refused(stranger.call('compareMappingRuns', { id: own.id, baseId: id, base: 1 }), 404, 'not_found');
  });
});
