import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { DialtreeClient } from '../../src/client/client.ts';
import type { OperationInput } from '../../src/contract/operations.ts';
import type { PlanEnd } from '../../src/service/testing/testPlan.ts';
import { admit, grantSeconds, settleUsage } from '../../src/service/workspaces/admission.ts';
import { Account } from '../../src/service/workspaces/account.ts';
import { readWorkspace } from '../../src/service/workspaces/keys.ts';
import { ScriptedCalls } from '../support/scriptedCalls.ts';
import { EventWatch, ServiceFixture } from '../support/serviceFixture.ts';
import { statsOf } from '../support/serviceScript.ts';
import { openTestStore } from '../support/testStore.ts';
import { heldLoad } from '../support/heldLoad.ts';
import { missionInput } from '../support/savedInputs.ts';
import { insertWorkspace } from '../support/storedRows.ts';
import { connectAgent } from '../support/connectAgent.ts';
import { postJson } from '../support/postJson.ts';

const lab = '+12025550101';
const open = '+12125550123';
/** The longest call with one dial step: its set-up. */
const aCall = 60;
const dial = [{ name: 'call', action: { type: 'dial' as const } }];
const probe = 'ai-disclose-start';

describe('service: budgets of a workspace', function () {
  const fixture = new ServiceFixture();
  let calls = new ScriptedCalls();
  let now = new Date(0);
  let client: DialtreeClient;
  let mcpUrl = '';
  let apiKey = '';

  beforeEach(async () => {
    calls = new ScriptedCalls();
    now = new Date('2026-03-10T23:59:50.000Z');
    const service = await fixture.start({
      parts: {
        perform: calls.perform,
        now: () => now,
        performLoad: heldLoad(({ budgetSeconds }) => {
          loadBudgets.push(budgetSeconds);
          loadBegan();
        }),
      },
      routes: {
        [lab]: { uri: 'sip:practice@127.0.0.1:5070', costPerMinute: 0.5 },
        '+1*': 'sip:{number}@trunk.example.com',
      },
    });
    ({ client, mcpUrl, apiKey } = service);
  });
  afterEach(() => fixture.close());
  const loadBudgets: (number | undefined)[] = [];
  let loadBegan = (): void => undefined;

  const settings = (input: OperationInput<'updateWorkspaceSettings'>) => client.call('updateWorkspaceSettings', input);
  const save = async (
    rows?: Record<string, string>[],
    steps: OperationInput<'createTestConfig'>['steps'] = dial,
    phoneNumber = lab,
  ): Promise<string> =>
    (await client.call('createTestConfig', { name: 'test', phoneNumber, steps, ...(rows && { rows }) })).id;
  const map = async (maxCalls: number, phoneNumber = lab): Promise<string> =>
    (await client.call('createMapping', { phoneNumber, config: { maxCalls } })).id;
  const exceeded =
    (budget: string, wanted: number, left: number) =>
    (error: unknown): boolean => {
      const { status, code, details, message } = error as {
        status: number;
        code: string;
        details: { budget: string; wanted: number; left: number };
        message: string;
      };
      assert.deepEqual([status, code, details?.budget], [402, 'budget_exceeded', budget], message);
      assert.ok(
        Math.abs(details.wanted - wanted) < 1e-6 && Math.abs(details.left - left) < 1e-6,
        JSON.stringify(details),
      );
      assert.match(message, /raise the budget/);
      return true;
    };
  async function end(runId: string, ended: Partial<PlanEnd>): Promise<void> {
    const call = await calls.next();
    const watch = new EventWatch(client);
    await watch.ready;
    call.end(ended);
    await watch.until(async () => (await client.call('getRunResults', { runId })).status === 'completed');
    await watch.close();
  }

  it("admits no more than a day's rest allows, even under simultaneous launches, and admits the rest the next day @engine", async () => {
    await settings({ budgets: { secondsPerDay: 3 * aCall } });
    const configId = await save();
    const tried = await Promise.allSettled(Array.from({ length: 8 }, () => client.call('runTest', { configId })));
    const taken = tried.flatMap((one) => (one.status === 'fulfilled' ? one.value.items : []));
    assert.equal(taken.length, 3);
    for (const one of tried) if (one.status === 'rejected') exceeded('secondsPerDay', aCall, 0)(one.reason);
    const [first] = await Promise.all([calls.next(), calls.next(), calls.next()]);
    assert.equal(first.options.budgetSeconds, aCall, 'it ends where its budget ends');
    const watch = new EventWatch(client);
    await watch.ready;
    first.end({ callSeconds: 20 });
    await watch.until(async () => (await client.call('listTestRuns', { outcome: 'PASS' })).items.length === 1);
    await watch.close();
    // 20 used, two calls in flight.
    await assert.rejects(client.call('runTest', { configId }), exceeded('secondsPerDay', aCall, 40));
    // The reservations of runs in flight haven't expired.
    now = new Date('2026-03-11T00:00:00.000Z');
    assert.equal((await client.call('runTest', { configId })).items.length, 1);
    await assert.rejects(client.call('runTest', { configId }), exceeded('secondsPerDay', aCall, 0));
  });

  it('holds tests, missions, probes, load tests and mappings to the budget of a run, and ends them when it is used up @engine', async () => {
    await settings({ budgets: { secondsPerRun: 100 } });
    const mission = (await client.call('createMissionTestConfig', missionInput(lab))).id;
    const planned = await client.call('planCalls', { missionConfigId: mission });
    assert.deepEqual(
      [planned.secondsAtMost, planned.bounded, planned.budget.fits, planned.refusal],
      [100, true, true, undefined],
    );
    for (const launched of [
      await client.call('runMissionTest', { configId: mission }),
      await client.call('runComplianceTest', { phoneNumber: lab, catalogueTestId: probe }),
    ]) {
      assert.equal((await calls.next()).options.budgetSeconds, 100, 'it is ended there');
      await client.call('cancelTestRun', { runId: launched.id });
    }
    const rows = await save([{ a: '1' }, { a: '2' }], [...dial, { name: 'hours', action: { type: 'expect' } }]);
    assert.equal((await client.call('planCalls', { testConfigId: rows })).secondsAtMost, 200);
    const [firstRow, secondRow] = (await client.call('runTest', { configId: rows })).items;
    const firstCall = await calls.next();
    assert.equal(firstCall.options.budgetSeconds, 100, 'each by itself');
    firstCall.end({ callSeconds: 10 });
    assert.equal((await calls.next()).options.budgetSeconds, 100);
    for (const run of [firstRow, secondRow]) await client.call('cancelTestRun', { runId: run!.id });
    await client.call('startMapping', { id: await map(2) });
    const mapping = await fixture.crawl.next();
    assert.equal(mapping.options.budgetSeconds, 100);
    mapping.end();

    // The calls of a param test are separate runs.
    const { items } = await client.call('runTest', { configId: await save([{ a: '1' }, { a: '2' }]) });
    assert.equal((await calls.next()).options.budgetSeconds, aCall);
    for (const { id: runId } of items) await client.call('cancelTestRun', { runId });
    await client.call('startMapping', { id: await map(1) });
    assert.equal((await fixture.crawl.next()).options.budgetSeconds, 60);
    const began = new Promise<void>((resolve) => {
      loadBegan = resolve;
    });
    const { id } = await client.call('runLoadTest', { phoneNumber: lab, concurrency: 2, holdSeconds: 30 });
    await began;
    await client.call('cancelLoadTest', { id });
    assert.deepEqual(loadBudgets.splice(0), [2 * 35 + (0.02 * 3) / 2]);
  });

  it('counts calls and their cost for runs of every kind @engine', async () => {
    await settings({ budgets: { callsPerDay: 5, costPerDay: 3 }, currency: 'EUR' });
    const configId = await save();
    const [run] = (await client.call('runTest', { configId })).items;
    await end(run!.id, { callSeconds: 120 });
    const id = await map(2);
    await client.call('startMapping', { id });
    const crawl = await fixture.crawl.next();
    await assert.rejects(
      client.call('runTest', { configId: await save([{ a: '1' }, { a: '2' }, { a: '3' }]) }),
      exceeded('callsPerDay', 3, 2),
    );
    crawl.end({ stats: statsOf({ callsPlaced: 1, callSeconds: 60 }) });
    await client.waitForRun(id);
    // 2 calls and 1.50 of 3 are used.
    await assert.rejects(client.call('startMapping', { id: await map(4) }), exceeded('callsPerDay', 4, 3));
    await settings({ budgets: { callsPerDay: null } });
    await assert.rejects(
      client.call('startMapping', { id: await map(4) }),
      (error: Error) => exceeded('costPerDay', 2, 1.5)(error) && /2 EUR/.test(error.message),
    );
    assert.deepEqual((await client.call('planCalls', { mappingId: await map(3) })).cost, {
      amount: 1.5,
      currency: 'EUR',
      perMinute: 0.5,
    });
    await client.call('startMapping', { id: await map(3) });
    await assert.rejects(client.call('runTest', { configId }), exceeded('costPerDay', 0.5, 0));
  });

  it('keeps reserved what a launch that ran out of minutes can still use, even after its first run @engine', async () => {
    const store = await openTestStore(() => now);
    try {
      const workspaceId = randomUUID();
      const runId = randomUUID();
      const aRow = { calls: 1, seconds: 600 };
      await store.write(async (transaction) => {
        await insertWorkspace(transaction, { id: workspaceId, created_at: now });
        await transaction
          .insertInto('workspace_settings')
          .values({
            workspace_id: workspaceId,
            settings: JSON.stringify({ budgets: { secondsPerDay: 700, costPerDay: 14 } }),
            updated_at: now,
          })
          .execute();
        await grantSeconds(transaction, workspaceId, 'testing', 'pack', 600, now);
        assert.equal(
          (
            await admit(transaction, {
              workspaceId,
              runId,
              kind: 'tests',
              wanted: { calls: 2, seconds: 1200, secondsOfRun: 600, costPerMinute: 1.2 },
              now,
            })
          ).budgetSeconds,
          600,
        );
      });
      const read = async () => {
        const { used, held } = await new Account(store.db, await readWorkspace(store.db, workspaceId), now).today();
        return [used, held].map(({ secondsPerDay, costPerDay }) => [secondsPerDay, costPerDay]);
      };
      assert.deepEqual(await read(), [
        [0, 0],
        [600, 12],
      ]);
      await store.write((transaction) =>
        settleUsage(transaction, {
          workspaceId,
          runId: randomUUID(),
          slotOf: runId,
          planned: aRow,
          kind: 'tests',
          seconds: 100,
          calls: 1,
          now,
        }),
      );
      assert.deepEqual(await read(), [
        [100, 2],
        [500, 10],
      ]);
      await assert.rejects(
        store.write((transaction) => {
          const wanted = { calls: 1, seconds: 101, secondsOfRun: 101 };
          return grantSeconds(transaction, workspaceId, 'mapping', 'pack', 600, now).then(() =>
            admit(transaction, { workspaceId, runId: randomUUID(), kind: 'mapping', wanted, now }),
          );
        }),
        exceeded('secondsPerDay', 101, 100),
      );
    } finally {
      await store.close();
    }
  });

  it('sets no limit if there is no budget', async () => {
    const configId = await save();
    const [run] = (await client.call('runTest', { configId })).items;
    assert.equal((await calls.next()).options.budgetSeconds, undefined);
    await client.call('cancelTestRun', { runId: run!.id });
  });

  it('reserves what the plan says, for every kind of launch', async () => {
    await client.call('recordConsent', { phoneNumber: open, statement: 'I may test this number' });
    await settings({ budgets: { secondsPerDay: 1e6, callsPerDay: 1e4 } });
    const configId = await save(
      [{ pin: '123' }, { pin: '12345678' }],
      [...dial, { name: 'pin', action: { type: 'press', keys: '{pin}#' }, expectedTranscript: 'Thank you' }],
    );
    const mission = (await client.call('createMissionTestConfig', missionInput(open))).id;
    const mappingId = await map(7);
    const load = { phoneNumber: lab, concurrency: 5, rampSeconds: 4, holdSeconds: 20, callsPerSecond: 10 };
    const probes = { phoneNumber: lab, catalogueTestId: probe };
    for (const [plan, launch, expected] of [
      [
        { testConfigId: configId },
        () => client.call('runTest', { configId }),
        [2, 2 * (60 + 120) + (4 + 9) * 0.5, lab, 'lab'],
      ],
      [
        { testConfigId: configId, rows: [{ pin: '1' }] },
        () => client.call('runTest', { configId, rows: [{ pin: '1' }] }),
        [1, 181, lab, 'lab'],
      ],
      [
        { missionConfigId: mission },
        () => client.call('runMissionTest', { configId: mission }),
        [1, 765, open, 'trunk.example.com'],
      ],
      [probes, () => client.call('runComplianceTest', probes), [1, 765, lab, 'lab']],
      [{ load }, () => client.call('runLoadTest', load), [5, 5 * 25 + 4 * 3, lab, 'lab']],
      [{ mappingId }, () => client.call('startMapping', { id: mappingId }), [7, 420, lab, 'lab']],
    ] as const satisfies readonly (readonly [OperationInput<'planCalls'>, () => Promise<unknown>, unknown])[]) {
      const planned = await client.call('planCalls', plan);
      assert.deepEqual([planned.calls, planned.secondsAtMost, planned.phoneNumber, planned.route], expected);
      assert.deepEqual(
        [planned.bounded, planned.budget.fits, planned.refusal, planned.needsConsent],
        [true, true, undefined, false],
      );
      await launch();
      const { left } = (await client.call('planCalls', plan)).budget;
      assert.equal(left.callsPerDay, (planned.budget.left.callsPerDay ?? 0) - planned.calls);
      assert.ok(
        Math.abs((left.secondsPerDay ?? 0) - (planned.budget.left.secondsPerDay ?? 0) + planned.secondsAtMost) < 1e-6,
        JSON.stringify([plan, left]),
      );
    }
  });

  it('plans a launch that brings a saved test with the profile of the saved one', async () => {
    const caller = { keyToneMs: 1000, keyGapMs: 1000 };
    const { id: profileId } = await client.call('createProfile', { name: 'slow', ...caller });
    const steps = [...dial, { name: 'pin', action: { type: 'press' as const, keys: '1234567890' } }];
    const { id } = await client.call('createTestConfig', { name: 'test', phoneNumber: lab, steps, profileId });
    await settings({ budgets: { secondsPerDay: 1e6 } });
    const test = { id, name: 'test', phoneNumber: lab, steps };
    const seconds = 80;
    for (const plan of [{ testConfigId: id }, { test }] as const) {
      const planned = await client.call('planCalls', plan);
      assert.equal(planned.secondsAtMost, seconds, JSON.stringify(plan));
      assert.ok(Math.abs((planned.cost?.amount ?? 0) - (seconds / 60) * 0.5) < 1e-5);
    }
    const planned = await client.call('planCalls', { test });
    await client.call('runTest', { configId: id, test });
    const { left } = (await client.call('planCalls', { test })).budget;
    assert.equal(left.secondsPerDay, (planned.budget.left.secondsPerDay ?? 0) - planned.secondsAtMost);
    const fresh = { name: 'test', phoneNumber: lab, steps };
    assert.equal((await client.call('planCalls', { test: fresh })).secondsAtMost, 65, 'the default profile');
  });

  it("plans a launch without dialling, and reports its refusal in the launch's own words", async () => {
    const refusalOf = async (work: Promise<unknown>): Promise<unknown> =>
      work.then(
        () => assert.fail('it was launched'),
        (error: unknown) => {
          const { status, code, message, details } = error as {
            status: number;
            code: string;
            message: string;
            details?: unknown;
          };
          return { status, code, message, ...(details !== undefined && { details }) };
        },
      );
    const far = await save(undefined, dial, open);
    const unmapped = await client.call('planCalls', { testConfigId: far });
    assert.deepEqual(
      [unmapped.needsConsent, unmapped.refusal],
      [true, await refusalOf(client.call('runTest', { configId: far }))],
    );
    const nowhere = await save(undefined, dial, '+442071838750');
    const lost = await client.call('planCalls', { testConfigId: nowhere });
    assert.deepEqual(
      [lost.route, lost.needsConsent, lost.refusal],
      [undefined, false, await refusalOf(client.call('runTest', { configId: nowhere }))],
    );
    const mappingId = await map(3);
    assert.equal(
      (await client.call('planCalls', { mappingId })).bounded,
      false,
      'nothing ends it after so many seconds',
    );
    for (const [maxCallSeconds, planned] of [
      [60, { secondsAtMost: 180, bounded: true }],
      [40, { secondsAtMost: 120, bounded: true }],
      [61, { secondsAtMost: 180, bounded: false }],
    ] as const) {
      await client.call('updateMapping', { id: mappingId, config: { maxCallSeconds } });
      const { secondsAtMost, bounded } = await client.call('planCalls', { mappingId });
      assert.deepEqual({ secondsAtMost, bounded }, planned);
    }
    await client.call('startMapping', { id: mappingId });
    assert.deepEqual(
      (await client.call('planCalls', { mappingId })).refusal,
      await refusalOf(client.call('startMapping', { id: mappingId })),
    );
    await client.call('runLoadTest', { phoneNumber: lab, concurrency: 1 });
    assert.deepEqual(
      (await client.call('planCalls', { load: { phoneNumber: lab, concurrency: 1 } })).refusal,
      await refusalOf(client.call('runLoadTest', { phoneNumber: lab, concurrency: 1 })),
    );
    const awaited = await client.call('planCalls', { phoneNumber: open, catalogueTestId: 'ai-voice-adad' });
    assert.deepEqual(
      [awaited.calls, awaited.route, awaited.needsConsent, awaited.refusal],
      [0, 'lab', false, undefined],
      'they call us',
    );
    const absent = '11111111-1111-4111-8111-111111111111';
    for (const input of [
      { testConfigId: absent },
      { missionConfigId: absent },
      { mappingId: absent },
      { phoneNumber: lab, catalogueTestId: 'none' },
      { load: { configId: absent, concurrency: 1 } },
    ])
      await assert.rejects(client.call('planCalls', input), { status: 404 });
    for (const input of [
      {},
      { testConfigId: absent, mappingId: absent },
      { phoneNumber: lab },
      { catalogueTestId: probe },
      { mappingId: absent, rows: [{ a: '1' }] },
      { mappingId: absent, phoneNumber: lab },
    ])
      await assert.rejects(client.call('planCalls', input), { status: 400 });
    assert.equal((await client.call('listTestRuns', {})).items.length, 0);
  });

  it('changes and removes settings one by one, over MCP too, and rejects invalid ones', async () => {
    assert.deepEqual(await client.call('getWorkspaceSettings', {}), {
      budgets: {},
      forbiddenKeys: '',
      currency: 'USD',
    });
    assert.deepEqual(await settings({ recordingDays: 30, budgets: { callsPerDay: 10, costPerDay: 2.5 } }), {
      recordingDays: 30,
      budgets: { callsPerDay: 10, costPerDay: 2.5 },
      forbiddenKeys: '',
      currency: 'USD',
    });
    const mcp = await connectAgent({ mcpUrl, apiKey });
    const changed = await mcp.callTool({
      name: 'updateWorkspaceSettings',
      arguments: { budgets: { callsPerDay: null, secondsPerRun: 600 }, forbiddenKeys: '9*', currency: 'CHF' },
    });
    const after = {
      recordingDays: 30,
      budgets: { secondsPerRun: 600, costPerDay: 2.5 },
      forbiddenKeys: '9*',
      currency: 'CHF',
    };
    assert.deepEqual(changed.structuredContent, after);
    assert.deepEqual((await mcp.callTool({ name: 'getWorkspaceSettings', arguments: {} })).structuredContent, after);
    const plan = await mcp.callTool({ name: 'planCalls', arguments: { mappingId: await map(11) } });
    assert.deepEqual(
      [plan.isError, (plan.structuredContent as { budget: unknown }).budget],
      [undefined, { fits: false, left: { secondsPerRun: 600, costPerDay: 2.5 } }],
    );
    await mcp.close();
    for (const input of [
      { recordingDays: 0 },
      { recordingDays: 3651 },
      { recordingDays: 1.5 },
      { budgets: { callsPerDay: -1 } },
      { budgets: { callsPerDay: 1.5 } },
      { budgets: { secondsPerWeek: 1 } },
      { forbiddenKeys: 'A' },
      { forbiddenKeys: '0123456789*#0' },
      { currency: 'usd' },
      { colour: 'red' },
    ] as OperationInput<'updateWorkspaceSettings'>[])
      await assert.rejects(settings(input), { status: 400 }, JSON.stringify(input));
    assert.deepEqual(await client.call('getWorkspaceSettings', {}), after);
    assert.deepEqual(await settings({ recordingDays: null, budgets: null, forbiddenKeys: null, currency: null }), {
      budgets: {},
      forbiddenKeys: '',
      currency: 'USD',
    });
    const reader = (await client.call('createApiKey', { name: 'reader', scopes: ['workspace:read', 'testing:read'] }))
      .apiKey;
    const { status } = await fetch(`${mcpUrl.replace('/mcp', '/v1')}/workspace/settings`, {
      method: 'PATCH',
      headers: { 'x-api-key': reader, 'content-type': 'application/json' },
      body: '{}',
    });
    assert.equal(status, 403);
    const other = await postJson(
      `${mcpUrl.replace('/mcp', '/v1')}/testing/plan`,
      { mappingId: await map(1) },
      { 'x-api-key': reader },
    );
    assert.deepEqual(
      [other.status, ((await other.json()) as { details: unknown }).details],
      [403, { scope: 'mapping:read' }],
    );
  });
});
