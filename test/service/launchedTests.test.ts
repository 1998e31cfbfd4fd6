import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import type { DialtreeClient } from '../../src/client/client.ts';
import { defaultCaller } from '../../src/contract/profiles.ts';
import { limits, tiers } from '../../src/contract/limits.ts';
import { createTestConfigSchema } from '../../src/contract/testConfigs.ts';
import type { OperationInput } from '../../src/contract/operations.ts';
import { missionInput, scriptInput } from '../support/savedInputs.ts';
import { ScriptedCalls } from '../support/scriptedCalls.ts';
import { ServiceFixture } from '../support/serviceFixture.ts';
import { onPostgres, openTestStore } from '../support/testStore.ts';
import { skipFor } from '../support/skipFor.ts';
import type { Store } from '../../src/service/store/store.ts';
import { lockWorkspace } from '../../src/service/workspaces/keys.ts';
import { registerWorkspace } from '../../src/service/workspaces/registration.ts';
import { Signer } from '../../src/service/basics/signing.ts';
import { SavedTests, type TestKinds } from '../../src/service/testing/savedTests.ts';
import { Profiles } from '../../src/service/workspaces/profiles.ts';

type Script = OperationInput<'createTestConfig'>;
type Saved = TestKinds['script']['input'];
const lab = '+12025550101';
const open = '+12125550123';

describe('service: tests that launches bring', function () {
  const fixture = new ServiceFixture();
  let calls = new ScriptedCalls();
  let client: DialtreeClient;
  let service: Awaited<ReturnType<ServiceFixture['start']>>;
  afterEach(() => fixture.close());

  const start = async (parts: object = {}): Promise<void> => {
    calls = new ScriptedCalls();
    service = await fixture.start({ parts: { perform: calls.perform, ...parts } });
    ({ client } = service);
  };
  const tests = async () => (await client.call('listTestConfigs', {})).items;
  const limited = async (more: object = {}) => {
    const { apiKey } = await client.call('createApiKey', {
      name: 'An agent',
      scopes: ['testing:read', 'testing:write'],
      limits: { numbers: [lab, open], ...more },
    });
    return service.clientOf(apiKey);
  };

  it('belong to the limited key that launches them first, and stay as they are for another', async () => {
    await start();
    const [one, other] = [await limited(), await limited()];
    const id = randomUUID();
    const test = { ...scriptInput(lab), fromFile: true };
    await one.call('runTest', { configId: id, test });
    await other.call('runTest', { configId: id, test });
    const edited = { ...test, name: 'edited' };
    await assert.rejects(other.call('runTest', { configId: id, test: edited }), { status: 403, code: 'limited_key' });
    await assert.rejects(other.call('runLoadTest', { test: { ...edited, id }, concurrency: 1 }), {
      code: 'limited_key',
    });
    assert.deepEqual(
      (await tests()).map(({ name }) => name),
      ['test'],
    );
    const { items: runs } = await one.call('runTest', { configId: id, test: edited });
    const [saved, ...more] = await tests();
    assert.deepEqual([saved?.name, more], ['edited', []]);
    // The run shows the test of its time: it doesn't begin before the test is saved.
    assert.ok(Date.parse(runs[0]?.startedAt ?? '') >= Date.parse(saved?.updatedAt ?? ''));
  });

  it('need the scope that saves tests', async () => {
    await start();
    const { apiKey } = await client.call('createApiKey', { name: 'Reader', scopes: ['testing:read'] });
    const reader = service.clientOf(apiKey);
    const test = scriptInput(lab);
    for (const refused of [
      reader.call('runTest', { configId: randomUUID(), test }),
      reader.call('runLoadTest', { test, concurrency: 1 }),
      reader.call('guideTestRun', { runId: randomUUID(), step: { name: 'a', action: { type: 'hangUp' } } }),
    ])
      await assert.rejects(refused, { status: 403, code: 'missing_scope' });
    assert.deepEqual(await tests(), []);
  });

  it('stay unsaved if the launch is refused', async () => {
    await start();
    await client.call('updateWorkspaceSettings', { budgets: { secondsPerDay: 1 } });
    for (const refused of [
      client.call('runTest', { configId: randomUUID(), test: scriptInput(lab) }),
      client.call('runMissionTest', { configId: randomUUID(), test: missionInput(lab) }),
      client.call('runLoadTest', { test: scriptInput(lab), concurrency: 1 }),
      client.call('runLoadTest', { mission: missionInput(lab), concurrency: 1 }),
    ])
      await assert.rejects(refused, { status: 402, code: 'budget_exceeded' });
    await client.call('updateWorkspaceSettings', { budgets: { secondsPerDay: null }, forbiddenKeys: '9' });
    const pressing: Script = scriptInput(open, { steps: [{ name: 'x', action: { type: 'press', keys: '9' } }] });
    await assert.rejects(client.call('runTest', { test: pressing, configId: randomUUID() }), {
      code: 'consent_required',
    });
    await client.call('recordConsent', { phoneNumber: open, statement: 'I may test this number' });
    await assert.rejects(client.call('runTest', { test: pressing, configId: randomUUID() }), { code: 'forbidden_key' });
    await assert.rejects(client.call('runLoadTest', { test: pressing, concurrency: 1 }), { code: 'forbidden_key' });
    assert.deepEqual(await tests(), []);
    assert.deepEqual((await client.call('listMissionTestConfigs', {})).items, []);
    assert.equal((await client.call('getWorkspaceUsage', {})).runsInFlight, 0);
  });

  it('become one test if two launches bring it at the same moment @engine', async () => {
    await start();
    for (const fromFile of [true, undefined]) {
      const id = randomUUID();
      const launch = (name: string) =>
        client.call('runTest', { configId: id, test: { ...scriptInput(lab, { name }), fromFile } });
      const both = await Promise.allSettled([launch('one'), launch('two'), launch('one'), launch('two')]);
      assert.deepEqual(
        both.map(({ status }) => status),
        Array(4).fill('fulfilled'),
      );
      const saved = (await tests()).filter((test) => test.id === id);
      assert.equal(saved.length, 1);
      assert.ok(['one', 'two'].includes(saved[0]?.name ?? ''));
      const { items } = await client.call('listTestRuns', { testConfigId: id });
      assert.equal(items.length, 4);
    }
    const id = randomUUID();
    const kinds = await Promise.allSettled([
      client.call('runTest', { configId: id, test: scriptInput(lab) }),
      client.call('runMissionTest', { configId: id, test: missionInput(lab) }),
    ]);
    assert.deepEqual(kinds.map(({ status }) => status).sort(), ['fulfilled', 'rejected']);
    const [lost] = kinds.flatMap((one) => (one.status === 'rejected' ? [one.reason as { code: string }] : []));
    assert.equal(lost?.code, 'id_taken');
  });

  it('can be edited while they are launched @engine', async () => {
    await start();
    const { id } = await client.call('createTestConfig', scriptInput(lab));
    const all = Array.from({ length: 12 }, (_, index) =>
      index % 2 === 0
        ? client.call('updateTestConfig', { id, name: `edit ${String(index)}` })
        : client.call('runTest', { configId: id, ...(index % 4 === 1 && { test: scriptInput(lab) }) }),
    );
    for (const one of await Promise.allSettled(all)) assert.equal(one.status, 'fulfilled', JSON.stringify(one));
  });

  it('keep a copy with a valid name', async () => {
    await start();
    for (const name of [
      'x'.repeat(200),
      `${'x'.repeat(175)}😀${'y'.repeat(20)}`,
      '😀'.repeat(100),
      ` ${'x'.repeat(20)}`,
    ]) {
      const id = randomUUID();
      const test = { ...scriptInput(lab, { name }), fromFile: true };
      await client.call('runTest', { configId: id, test });
      await client.call('updateTestConfig', { id, description: 'edited' });
      await client.call('runTest', { configId: id, test });
      const copy = (await tests()).find((one) => one.id !== id && one.description === 'edited');
      assert.match(copy?.name ?? '', /^(?:[^\uFFFD])+ \(edited on the service\)$/u);
      assert.ok(copy!.name.isWellFormed() && copy!.name.length <= limits.name.max, copy?.name);
      await client.call('deleteTestConfig', { id: copy!.id });
      await client.call('updateTestConfig', { id, name: copy!.name });
    }
  });

  it('have plans with the refusals of their launch', async () => {
    await start();
    const { id: scriptId } = await client.call('createTestConfig', scriptInput(lab));
    const { id: missionId } = await client.call('createMissionTestConfig', missionInput(lab));
    const agent = await limited();
    const script = { ...scriptInput(lab, { name: 'edited' }), id: missionId };
    const mission = { ...missionInput(lab, { name: 'edited' }), id: scriptId };
    const planned = async (by: DialtreeClient, input: OperationInput<'planCalls'>): Promise<string | undefined> =>
      (await by.call('planCalls', input)).refusal?.code;
    const load = { concurrency: 1, rampSeconds: 0, holdSeconds: 10, callsPerSecond: 1 };
    for (const [by, input, launch] of [
      [client, { test: script }, () => client.call('runTest', { configId: missionId, test: script })],
      [client, { mission }, () => client.call('runMissionTest', { configId: scriptId, test: mission })],
      [client, { load: { test: script, ...load } }, () => client.call('runLoadTest', { test: script, ...load })],
      [client, { load: { mission, ...load } }, () => client.call('runLoadTest', { mission, ...load })],
    ] as const) {
      await assert.rejects(launch(), { status: 409, code: 'id_taken' });
      assert.equal(await planned(by, input), 'id_taken');
    }
    const [own, ownMission] = [
      { ...script, id: scriptId },
      { ...mission, id: missionId },
    ];
    await assert.rejects(agent.call('runTest', { configId: scriptId, test: own }), { code: 'limited_key' });
    assert.equal(await planned(agent, { test: own }), 'limited_key');
    assert.equal(await planned(agent, { mission: ownMission }), 'limited_key');
    assert.equal(await planned(agent, { load: { test: own, ...load } }), 'limited_key');
    assert.equal(await planned(agent, { test: { ...own, name: 'test' } }), undefined, 'nothing changes');
    for (const input of [{ test: own }, { mission: ownMission }, { load: { test: own, ...load } }])
      assert.equal(await planned(client, input), undefined);
  });

  it("can't use profiles of other workspaces, nor reveal ids of their tests", async () => {
    await start();
    const { apiKey } = await client.call('registerWorkspace', {});
    const stranger = service.clientOf(apiKey);
    const { id: profileId } = await stranger.call('createProfile', { name: 'theirs' });
    const { id } = await stranger.call('createTestConfig', scriptInput(lab, { name: 'theirs' }));
    const none = { status: 404, code: 'profile_not_found' };
    await assert.rejects(client.call('runTest', { configId: id, test: scriptInput(lab, { profileId }) }), none);
    await assert.rejects(client.call('runLoadTest', { test: scriptInput(lab, { profileId }), concurrency: 1 }), none);
    await assert.rejects(client.call('runTest', { configId: id }), { status: 404, code: 'not_found' });
    await client.call('runTest', { configId: id, test: scriptInput(lab, { name: 'ours' }) });
    assert.equal((await stranger.call('getTestConfig', { id })).name, 'theirs');
    assert.equal((await client.call('getTestConfig', { id })).name, 'ours');
  });
});

describe('the saved tests of a launch', () => {
  const key = 'key';
  const input = createTestConfigSchema.parse(scriptInput(lab));
  let store: Store;
  let tests: SavedTests;
  let workspaceId: string;
  beforeEach(async () => {
    store = await openTestStore();
    const now = () => new Date();
    tests = new SavedTests(store, new Signer(store.secret), now);
    ({ workspaceId } = await registerWorkspace(store, '192.0.2.1', now()));
  });
  afterEach(() => store.close());
  const save = async (id: string, test: Saved): Promise<void> => {
    const launched = await tests.launched({ workspaceId, keyId: key }, 'script', { configId: id, test });
    await store.write((transaction) => launched.save(transaction));
  };

  /** Whether a transaction waits for another. */
  const isWaiting = async (): Promise<boolean> =>
    (await sql`SELECT pid FROM pg_locks WHERE NOT granted`.execute(store.db)).rows.length > 0;

  it('stay what they were if no room is left for the copy', async () => {
    const author = { workspaceId, keyId: key };
    const id = randomUUID();
    const test = { ...input, fromFile: true };
    await save(id, test);
    await tests.update(author, 'script', { id, description: 'edited' });
    for (let held = 1; held < tiers.free.stored.tests; held += 1) await tests.create(author, 'script', input);
    const before = await tests.get(workspaceId, 'script', id);
    await assert.rejects(save(id, test), { status: 409, code: 'quota_exceeded' });
    const another = await tests.launched(author, 'script', { test });
    await assert.rejects(another.assertCurrent(), { status: 409, code: 'quota_exceeded' });
    assert.deepEqual(await tests.get(workspaceId, 'script', id), before);
  });

  it("don't refer to a profile that is deleted before the launch is stored", async () => {
    const author = { workspaceId, keyId: key };
    const profiles = new Profiles(store, { assertPresents: () => undefined }, () => new Date());
    const principal = { ...author, tier: 'free', scopes: new Set<never>() } as const;
    const { id: profileId } = await profiles.create(principal, { ...defaultCaller, name: 'short-lived' });
    const { id } = await tests.create(author, 'script', input);
    const test = { ...input, profileId };
    const launched = await tests.launched(author, 'script', { configId: id, test });
    await profiles.remove(principal, profileId);
    await assert.rejects(
      store.write((transaction) => launched.save(transaction)),
      { code: 'profile_not_found' },
    );
    assert.notEqual((await tests.get(workspaceId, 'script', id)).profileId, profileId);
  });

  it("don't block each other when one is launched by its id and another request edits it @engine", async function () {
    if (!onPostgres()) skipFor(this, 'the embedded database runs one transaction at a time');
    const author = { workspaceId, keyId: key };
    const { id } = await tests.create(author, 'script', input);
    const launched = await tests.launched(author, 'script', { configId: id });
    const edits: Promise<unknown>[] = [];
    await store.write(async (transaction) => {
      await launched.save(transaction);
      edits.push(tests.update(author, 'script', { id, name: 'edited' }));
      while (!(await isWaiting())) continue;
      await lockWorkspace(transaction, workspaceId);
    });
    await Promise.all(edits);
    assert.equal((await tests.get(workspaceId, 'script', id)).name, 'edited');
  });
});
