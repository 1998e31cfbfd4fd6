import assert from 'node:assert/strict';
import type { DialtreeClient } from '../../src/client/client.ts';
import type { KeyLimits } from '../../src/contract/keyLimits.ts';
import type { Budgets } from '../../src/contract/workspaceSettings.ts';
import { askingModel } from '../../src/language/model/askingModel.ts';
import { connectAgent } from '../support/connectAgent.ts';
import { heldLoad } from '../support/heldLoad.ts';
import { missionInput, scriptInput } from '../support/savedInputs.ts';
import { ScriptedCalls } from '../support/scriptedCalls.ts';
import { ServiceFixture } from '../support/serviceFixture.ts';

const lab = '+12025550101';
const dial = [{ name: 'call', action: { type: 'dial' as const } }];
const listen = [...dial, { name: 'hours', action: { type: 'expect' as const } }];
const load = { phoneNumber: lab, concurrency: 8, holdSeconds: 10 };
const probe = { phoneNumber: lab, catalogueTestId: 'ai-disclose-start' };

/** A launch with its plan. The test of `call` has one dial step, which takes up to 60 s. */
const launches = {
  call: async (owner: DialtreeClient) => {
    const { id } = await owner.call('createTestConfig', scriptInput(lab, { steps: dial }));
    return { name: 'runTest' as const, input: { configId: id }, plan: { testConfigId: id } };
  },
  listening: async (owner: DialtreeClient) => {
    const { id } = await owner.call('createTestConfig', scriptInput(lab, { steps: listen }));
    return { name: 'runTest' as const, input: { configId: id }, plan: { testConfigId: id } };
  },
  mission: async (owner: DialtreeClient) => {
    const { id } = await owner.call('createMissionTestConfig', missionInput(lab));
    return { name: 'runMissionTest' as const, input: { configId: id }, plan: { missionConfigId: id } };
  },
  mapping: async (owner: DialtreeClient) => {
    const { id } = await owner.call('createMapping', { phoneNumber: lab, config: { maxCalls: 2 } });
    return { name: 'startMapping' as const, input: { id }, plan: { mappingId: id } };
  },
  probe: () => Promise.resolve({ name: 'runComplianceTest' as const, input: probe, plan: probe }),
  load: () => Promise.resolve({ name: 'runLoadTest' as const, input: load, plan: { load } }),
} as const;

interface Row {
  readonly budgets?: Budgets;
  readonly key?: KeyLimits;
  /** Calls that are in progress before the budgets are set. */
  readonly active?: number;
  readonly launch: keyof typeof launches;
  readonly of?: 'key' | 'workspace';
  readonly budget: keyof Budgets;
  readonly wanted: number;
  readonly left: number;
  /** The sentences end like this. */
  readonly sentence?: string;
}

const raise = (to: string): string => `raise the budget to ${to} or more (updateWorkspaceSettings).`;
const aRun = { budgets: { secondsPerRun: 20 }, budget: 'secondsPerRun', left: 20 } as const;
const rows: readonly Row[] = [
  // No call can finish in so little time.
  { ...aRun, launch: 'listening', wanted: 180 },
  { ...aRun, launch: 'mission', wanted: 765, sentence: `You can ${raise('765 s of call time')}` },
  { ...aRun, launch: 'probe', wanted: 765 },
  { ...aRun, launch: 'mapping', wanted: 120 },
  { ...aRun, budgets: { secondsPerRun: 100 }, left: 100, launch: 'load', wanted: 8 * 15 + 9 * 0.07 },
  {
    budgets: { secondsPerDay: 764 },
    launch: 'mission',
    budget: 'secondsPerDay',
    wanted: 765,
    left: 764,
    sentence: `You can ${raise('765 s of call time')}`,
  },
  {
    budgets: { secondsPerDay: 800 },
    active: 1,
    launch: 'mission',
    budget: 'secondsPerDay',
    wanted: 765,
    left: 740,
    sentence: `You can wait for runs in progress to end, or try again tomorrow, or ${raise('825 s of call time')}`,
  },
  {
    budgets: { callsPerDay: 0 },
    launch: 'call',
    budget: 'callsPerDay',
    wanted: 1,
    left: 0,
    sentence: `This request may use up to 1 call, but the budget callsPerDay of this workspace (0 calls) has only 0 calls left: 0 calls used today (UTC), 0 calls reserved for runs in progress. You can ${raise('1 call')}`,
  },
  {
    // More is in progress than the lowered budget allows.
    budgets: { callsPerDay: 1 },
    active: 2,
    launch: 'call',
    budget: 'callsPerDay',
    wanted: 1,
    left: 0,
    sentence: `has only 0 calls left: 0 calls used today (UTC), 2 calls reserved for runs in progress. You can wait for runs in progress to end, or try again tomorrow, or ${raise('3 calls')}`,
  },
  { budgets: { costPerDay: 0.49 }, launch: 'call', budget: 'costPerDay', wanted: 0.5, left: 0.49 },
  { key: { callsPerDay: 1 }, launch: 'mapping', of: 'key', budget: 'callsPerDay', wanted: 2, left: 1 },
  { key: { secondsPerDay: 59 }, launch: 'call', of: 'key', budget: 'secondsPerDay', wanted: 60, left: 59 },
  {
    key: { callsPerDay: 5 },
    budgets: { callsPerDay: 1 },
    launch: 'mapping',
    budget: 'callsPerDay',
    wanted: 2,
    left: 1,
  },
  { budgets: { tokensPerDay: 0 }, launch: 'mission', budget: 'tokensPerDay', wanted: 1, left: 0 },
  { key: { tokensPerDay: 0 }, launch: 'mission', of: 'key', budget: 'tokensPerDay', wanted: 1, left: 0 },
];

describe('service: a launch beyond a budget', function () {
  const fixture = new ServiceFixture();
  let service: Awaited<ReturnType<ServiceFixture['start']>>;
  let now = new Date('2026-03-10T12:00:00.000Z');
  before(async () => {
    service = await fixture.start({
      model: askingModel({ name: 'silent', complete: () => assert.fail('it was asked') }),
      parts: { now: () => now, perform: new ScriptedCalls().perform, performLoad: heldLoad() },
      routes: { [lab]: { uri: 'sip:practice@127.0.0.1:5070', costPerMinute: 0.5 } },
    });
  });
  // What one row used doesn't count for the next.
  beforeEach(() => {
    now = new Date(now.getTime() + 86_400_000);
  });
  after(() => fixture.close());

  for (const { budgets = {}, key, active = 0, launch, of = 'workspace', budget, wanted, left, sentence = '' } of rows)
    it(`gets the same refusal over REST, over MCP and in its plan: ${key ? 'a key with ' : ''}${JSON.stringify(key ?? budgets)}, ${launch}, ${String(active)} in progress`, async () => {
      const { client: owner, mcpUrl } = service;
      const apiKey = key
        ? (await owner.call('createApiKey', { name: 'An agent', limits: key })).apiKey
        : service.apiKey;
      const client = service.clientOf(apiKey);
      const { name, input, plan } = await launches[launch](owner);
      const running = await launches.call(owner);
      const runs: string[] = [];
      for (let count = 0; count < active; count += 1)
        runs.push((await owner.call('runTest', running.input)).items[0]?.id ?? assert.fail('no run'));
      await owner.call('updateWorkspaceSettings', { budgets });
      const agent = await connectAgent({ mcpUrl, apiKey });
      try {
        const planned = await client.call('planCalls', plan);
        const { refusal = assert.fail('it would be launched') } = planned;
        const told = refusal.details as { of: string; budget: string; wanted: number; left: number };
        assert.deepEqual(
          [refusal.status, refusal.code, told.of, told.budget, told.left, planned.budget.fits],
          [402, 'budget_exceeded', of, budget, left, false],
        );
        assert.ok(Math.abs(told.wanted - wanted) < 1e-6, String(told.wanted));
        assert.ok(refusal.message.endsWith(sentence), refusal.message);
        await assert.rejects(client.call(name, input), refusal);
        const { structuredContent, isError } = await agent.callTool({ name, arguments: input });
        const { requestId: _id, ...answer } = structuredContent as Record<string, unknown>;
        assert.deepEqual([isError, answer], [true, refusal]);
      } finally {
        await agent.close();
        for (const runId of runs) await owner.call('cancelTestRun', { runId });
        await owner.call('updateWorkspaceSettings', { budgets: null });
      }
    });
});
