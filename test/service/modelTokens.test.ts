import assert from 'node:assert/strict';
import type { DialtreeClient } from '../../src/client/client.ts';
import type { KeyLimits } from '../../src/contract/keyLimits.ts';
import { tiers } from '../../src/contract/limits.ts';
import type { Scope } from '../../src/contract/scopes.ts';
import { askingModel } from '../../src/language/model/askingModel.ts';
import { judgeCall } from '../../src/service/testing/performPlan.ts';

import { ScriptedCalls } from '../support/scriptedCalls.ts';
import { EventWatch, ServiceFixture } from '../support/serviceFixture.ts';
import { rootNode } from '../support/serviceScript.ts';
import { eventually } from '../support/eventually.ts';
import { missionInput } from '../support/savedInputs.ts';

const lab = '+12025550101';
const scopes: Scope[] = ['mapping:read', 'mapping:write', 'testing:read', 'testing:write', 'workspace:read'];
const transcript = [{ speaker: 'them' as const, text: 'We are open from nine to five.', startMs: 0, endMs: 900 }];
/** A pass takes a second question, whether its quotes show it. */
const judgement = {
  reasoning: 'It says so.',
  verdict: 'fail',
  evidence: [{ turn: 1, quote: 'open from nine to five' }],
};
const perQuestion = 100;

describe('service: the tokens of the language model', function () {
  const fixture = new ServiceFixture();
  afterEach(() => fixture.close());

  async function start() {
    const calls = new ScriptedCalls();
    const endpoint = {
      asked: 0,
      /** Awaited before each answer. */
      answering: (): Promise<void> => Promise.resolve(),
      name: 'counting',
      async complete({ name }: { readonly name: string }) {
        endpoint.asked += 1;
        await endpoint.answering();
        return {
          text: JSON.stringify(name === 'prompts' ? { prompts: [] } : judgement),
          ended: 'whole' as const,
          inputTokens: 80,
          outputTokens: 20,
        };
      },
    };
    const service = await fixture.start({ model: askingModel(endpoint), parts: { perform: calls.perform } });
    const { client: owner } = service;
    const { id: configId } = await owner.call('createMissionTestConfig', missionInput(lab));
    const call = async (client: DialtreeClient, judged = false): Promise<string> => {
      const { id } = await client.call('runMissionTest', { configId });
      const placed = await calls.next();
      const { model, signal } = placed.options;
      const acceptance = 'The bank says its hours.';
      const using = { ...(model && { model }), signal };
      const mission = judged
        ? await judgeCall({ turns: transcript }, { acceptance }, using)
        : { verdict: 'pass' as const, judgeReasoning: 'It says so.' };
      placed.end({ transcript, mission });
      await eventually(
        owner,
        async () => (await owner.call('getMissionTestRun', { runId: id })).status === 'completed',
      );
      return id;
    };
    const limited = async (limits: KeyLimits) => {
      const { apiKey } = await owner.call('createApiKey', { name: 'An agent', scopes, limits });
      return service.clientOf(apiKey);
    };
    const usedBy = async (client: DialtreeClient) => {
      const { modelTokens, key } = await client.call('getWorkspaceUsage', {});
      return [modelTokens.usedToday, key?.usedToday.tokens];
    };
    return { owner, endpoint, call, limited, usedBy, configId };
  }
  const short = (of: string) => (error: unknown) => {
    const { status, code, details } = error as { status: number; code: string; details: Record<string, unknown> };
    assert.deepEqual([status, code, details['of'], details['budget']], [402, 'budget_exceeded', of, 'tokensPerDay']);
    return true;
  };

  it("can't be spent by a key that may place no calls, and the model isn't asked", async () => {
    const { owner, endpoint, call, limited, configId } = await start();
    const runId = await call(owner);
    for (const limits of [{ callsPerDay: 0 }, { secondsPerDay: 0 }, { numbers: [] }, { tokensPerDay: 0 }]) {
      const client = await limited(limits);
      await assert.rejects(client.call('rejudgeRun', { runId, votes: 9 }), short('key'), JSON.stringify(limits));
    }
    const client = await limited({ tokensPerDay: 0 });
    await assert.rejects(client.call('runMissionTest', { configId }), short('key'));
    assert.equal(endpoint.asked, 0);
    const judge = await limited({ callsPerDay: 0, tokensPerDay: 100_000 });
    assert.equal((await judge.call('rejudgeRun', { runId })).verdict, 'fail');
  });

  it('count for the key and the workspace, through every operation that uses the model', async () => {
    const { owner, call, limited, usedBy } = await start();
    const client = await limited({});
    const runId = await call(client, true);
    assert.deepEqual(await usedBy(client), [perQuestion, perQuestion], 'a mission run');
    await client.call('rejudgeRun', { runId, votes: 3 });
    assert.deepEqual(await usedBy(client), [4 * perQuestion, 4 * perQuestion], 'each vote of a judge');
    await owner.call('rejudgeRun', { runId });
    assert.deepEqual(await usedBy(client), [5 * perQuestion, 4 * perQuestion], 'another key');
    const map = async (probeMode: 'off' | 'auto') => {
      const { id } = await client.call('createMapping', { phoneNumber: lab, config: { probeMode } });
      const watch = new EventWatch(owner);
      await watch.ready;
      await client.call('startMapping', { id });
      const run = await fixture.crawl.next();
      run.found(rootNode({ transcript: 'We are closed.' }));
      run.end();
      await owner.waitForRun(id);
      if (probeMode === 'auto')
        await watch.until(async () => (await owner.call('getMappingTree', { id })).tree?.probeCategory !== undefined);
      await watch.close();
      const [{ id: ended } = assert.fail('no run')] = (await owner.call('listMappingRuns', { id })).items;
      return { id, runId: ended };
    };
    await map('auto');
    assert.deepEqual(await usedBy(client), [6 * perQuestion, 5 * perQuestion], 'the enrichment after a run');
    await client.call('probeMappingRun', await map('off'));
    assert.deepEqual(await usedBy(client), [7 * perQuestion, 6 * perQuestion], 'an enrichment that was asked for');
  });

  it('never exceed a budget, even with simultaneous requests', async () => {
    const { owner, endpoint, call, usedBy } = await start();
    const runId = await call(owner);
    await owner.call('updateWorkspaceSettings', { budgets: { tokensPerDay: 10_000 } });
    const all = Promise.withResolvers<undefined>();
    let refused = 0;
    const check = (): void => {
      if (endpoint.asked + refused === 8) all.resolve(undefined);
    };
    endpoint.answering = () => {
      check();
      return all.promise;
    };
    await Promise.all(
      Array.from({ length: 8 }, () =>
        owner.call('rejudgeRun', { runId }).catch((error: unknown) => {
          short('workspace')(error);
          refused += 1;
          check();
        }),
      ),
    );
    assert.ok(refused > 0 && refused < 8, `${String(refused)} refused`);
    assert.equal(endpoint.asked, 8 - refused);
    assert.deepEqual((await usedBy(owner))[0], endpoint.asked * perQuestion);
    await owner.call('updateWorkspaceSettings', { budgets: { tokensPerDay: 500 } });
    await assert.rejects(owner.call('rejudgeRun', { runId }), short('workspace'));
    assert.equal((await owner.call('getWorkspaceUsage', {})).modelTokens.perDay, 500);
  });

  it('leave an enrichment to the rules if too few remain', async () => {
    const { owner, endpoint } = await start();
    await owner.call('updateWorkspaceSettings', { budgets: { tokensPerDay: 1 } });
    const { id } = await owner.call('createMapping', { phoneNumber: lab });
    await owner.call('startMapping', { id });
    const run = await fixture.crawl.next();
    run.found(rootNode({ transcript: 'We are closed.' }));
    run.end();
    await owner.waitForRun(id);
    const [{ id: runId } = assert.fail('no run')] = (await owner.call('listMappingRuns', { id })).items;
    assert.deepEqual(await owner.call('probeMappingRun', { id, runId }), { runId, enriched: 1, byModel: 0 });
    assert.equal(endpoint.asked, 0);
  });

  it('increase with each tier', () => {
    const perDay = (['free', 'starter', 'team', 'enterprise'] as const).map((tier) => tiers[tier].modelTokensPerDay);
    assert.deepEqual(
      perDay,
      [...new Set(perDay)].sort((one, other) => one - other),
    );
  });
});
