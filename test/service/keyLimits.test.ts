import { ownProbe } from '../support/ownProbe.ts';
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { DialtreeClient } from '../../src/client/client.ts';
import type { KeyLimits } from '../../src/contract/keyLimits.ts';
import type { OperationInput } from '../../src/contract/operations.ts';
import type { Scope } from '../../src/contract/scopes.ts';
import type { PlanEnd } from '../../src/service/testing/testPlan.ts';
import { ScriptedCalls } from '../support/scriptedCalls.ts';
import { practiceAt } from '../support/practicePlaces.ts';
import { EventWatch, ServiceFixture } from '../support/serviceFixture.ts';
import { heldLoad } from '../support/heldLoad.ts';
import { missionInput } from '../support/savedInputs.ts';

const lab = '+12025550101';
const open = '+12125550123';
const practice = 'sip:harbour-bank@127.0.0.1:40112';
/** The longest call with one dial step: its set-up. */
const aCall = 60;
const dial = [{ name: 'call', action: { type: 'dial' as const } }];
const probe = 'ai-disclose-start';
const agentScopes: Scope[] = [
  'mapping:read',
  'mapping:write',
  'testing:read',
  'testing:write',
  'compliance:run',
  'workspace:read',
];

describe('service: limits of an API key', function () {
  const fixture = new ServiceFixture();
  let calls = new ScriptedCalls();
  let now = new Date(0);
  let owner: DialtreeClient;
  let service: Awaited<ReturnType<ServiceFixture['start']>>;

  beforeEach(async () => {
    calls = new ScriptedCalls();
    now = new Date('2026-03-10T12:00:00.000Z');
    service = await fixture.start({
      parts: {
        perform: calls.perform,
        practices: practiceAt('127.0.0.1:5070', '127.0.0.1:40112'),
        now: () => now,
        performLoad: heldLoad(),
      },
    });
    owner = service.client;
  });
  afterEach(() => fixture.close());

  const make = async (limits: KeyLimits, scopes: Scope[] = agentScopes) => {
    const { apiKey, ...key } = await owner.call('createApiKey', { name: 'An agent', scopes, limits });
    return { key, client: service.clientOf(apiKey) };
  };
  const save = async (phoneNumber: string, rows?: Record<string, string>[]): Promise<string> =>
    (await owner.call('createTestConfig', { name: 'test', phoneNumber, steps: dial, ...(rows && { rows }) })).id;
  /** Every way to launch calls to a number. */
  const launches = async (client: DialtreeClient, phoneNumber: string) => {
    const [testConfigId, missionConfigId, mappingId] = [
      await save(phoneNumber),
      (await owner.call('createMissionTestConfig', missionInput(phoneNumber))).id,
      (await owner.call('createMapping', { phoneNumber, config: { maxCalls: 2 } })).id,
    ];
    return [
      [{ testConfigId }, () => client.call('runTest', { configId: testConfigId })],
      [{ missionConfigId }, () => client.call('runMissionTest', { configId: missionConfigId })],
      [
        { catalogueTestId: probe, phoneNumber },
        () => client.call('runComplianceTest', { catalogueTestId: probe, phoneNumber }),
      ],
      [{ probe: ownProbe, phoneNumber }, () => client.call('runComplianceTest', { probe: ownProbe, phoneNumber })],
      [{ mappingId }, () => client.call('startMapping', { id: mappingId })],
      [{ load: { phoneNumber, concurrency: 2 } }, () => client.call('runLoadTest', { phoneNumber, concurrency: 2 })],
    ] as const satisfies readonly (readonly [OperationInput<'planCalls'>, () => Promise<unknown>])[];
  };
  const refusalOf = async (work: Promise<unknown>) => {
    try {
      await work;
    } catch (error) {
      const { status, code, message, details } = error as {
        status: number;
        code: string;
        message: string;
        details?: Record<string, unknown>;
      };
      return { status, code, message, details };
    }
    return undefined;
  };
  async function end(runId: string, ended: Partial<PlanEnd>): Promise<void> {
    const call = await calls.next();
    const watch = new EventWatch(owner);
    await watch.ready;
    call.end(ended);
    await watch.until(async () => (await owner.call('getRunResults', { runId })).status === 'completed');
    await watch.close();
  }

  it('restrict calls to the listed numbers for every kind of launch, as its plan says beforehand', async () => {
    const { client } = await make({ numbers: [lab] });
    for (const [plan, launch] of await launches(client, practice)) {
      const refused = await refusalOf(launch());
      assert.deepEqual(
        [refused?.status, refused?.code, refused?.details],
        [403, 'number_not_allowed', { phoneNumber: practice, numbers: [lab] }],
        JSON.stringify(plan),
      );
      assert.match(refused?.message ?? '', /only \+12025550101, so it can't call sip:harbour-bank.*updateApiKey/);
      assert.deepEqual((await client.call('planCalls', plan)).refusal, refused, JSON.stringify(plan));
      assert.equal((await owner.call('planCalls', plan)).refusal, undefined, 'the workspace may call it');
    }
    assert.deepEqual(
      [(await owner.call('listTestRuns', {})).items, (await owner.call('listLoadTests', {})).items],
      [[], []],
      'nothing was launched',
    );
    for (const [plan, launch] of await launches(client, lab)) {
      assert.equal((await client.call('planCalls', plan)).refusal, undefined);
      await launch();
    }
    assert.equal((await owner.call('listTestRuns', {})).items.length, 4);
  });

  it("don't apply to a probe that waits for an incoming call and dials nothing", async () => {
    const { client } = await make({ numbers: [] });
    assert.equal(
      (await client.call('planCalls', { catalogueTestId: 'ai-voice-adad', phoneNumber: open })).refusal,
      undefined,
    );
  });

  it("count the key's calls of a day, of every kind and under simultaneous launches, but not those of other keys", async () => {
    const { client } = await make({ callsPerDay: 3 });
    const { client: other } = await make({ callsPerDay: 3 });
    const configId = await save(lab);
    const tried = await Promise.allSettled(Array.from({ length: 8 }, () => client.call('runTest', { configId })));
    const taken = tried.flatMap((one) => (one.status === 'fulfilled' ? one.value.items : []));
    assert.equal(taken.length, 3);
    for (const one of tried) {
      if (one.status === 'fulfilled') continue;
      const { status, code, details, message } = one.reason as {
        status: number;
        code: string;
        details: unknown;
        message: string;
      };
      assert.deepEqual(
        [status, code, details],
        [
          402,
          'budget_exceeded',
          {
            of: 'key',
            budget: 'callsPerDay',
            limit: 3,
            used: 0,
            setAside: 3,
            left: 0,
            wanted: 1,
            renewedAt: '2026-03-11T00:00:00.000Z',
          },
        ],
      );
      assert.match(message, /budget callsPerDay of this API key.*ask the person.*updateApiKey/);
    }
    await other.call('runTest', { configId });
    await owner.call('runTest', { configId });
    assert.deepEqual((await client.call('planCalls', { testConfigId: configId })).budget, {
      fits: false,
      left: { callsPerDay: 0 },
    });
    for (const { id } of taken) await owner.call('cancelTestRun', { runId: id });
    now = new Date('2026-03-11T00:00:01.000Z');
    await client.call('runTest', { configId });
    const mappingId = (await owner.call('createMapping', { phoneNumber: lab, config: { maxCalls: 4 } })).id;
    assert.equal(
      (await refusalOf(client.call('startMapping', { id: mappingId })))?.code,
      'budget_exceeded',
      'a mapping may place four',
    );
  });

  it('let the key change and delete only what it made, and never loosen what a mapping may press', async () => {
    const { client, key } = await make({ numbers: ['practice'] });
    const refused = (work: Promise<unknown>) => assert.rejects(work, { status: 403, code: 'limited_key' });
    const mission = {
      name: 'mission',
      phoneNumber: practice,
      mission: 'Ask for the hours.',
      acceptance: 'It is told.',
    };
    const test = { name: 'test', phoneNumber: practice, steps: dial };
    const all = async (of: DialtreeClient) => ({
      job: (await of.call('createMapping', { phoneNumber: practice })).id,
      mission: (await of.call('createMissionTestConfig', mission)).id,
      test: (await of.call('createTestConfig', test)).id,
      profile: (await of.call('createProfile', { name: 'Careful' })).id,
    });
    const theirs = await all(owner);
    const changes = (ids: Awaited<ReturnType<typeof all>>) => [
      () => client.call('updateMapping', { id: ids.job, name: 'changed' }),
      () => client.call('updateMissionTestConfig', { id: ids.mission, mission: 'Pay the bill.' }),
      () => client.call('updateTestConfig', { id: ids.test, name: 'changed' }),
      () => client.call('updateProfile', { id: ids.profile, name: 'Changed' }),
      () => client.call('deleteMapping', { id: ids.job }),
      () => client.call('deleteMissionTestConfig', { id: ids.mission }),
      () => client.call('deleteTestConfig', { id: ids.test }),
      () => client.call('deleteProfile', { id: ids.profile }),
    ];
    for (const change of changes(theirs)) await refused(change());
    await refused(client.call('updateMapping', { id: theirs.job, config: { allowedLabels: ['*pay*'] } }));
    const own = await all(client);
    for (const config of [{ allowedLabels: ['*pay*'] }, { pressUnsure: true }]) {
      await refused(client.call('createMapping', { phoneNumber: practice, config }));
      await refused(client.call('updateMapping', { id: own.job, config }));
    }
    await owner.call('updateMapping', { id: own.job, config: { allowedLabels: ['pay now', 'refills'] } });
    await client.call('updateMapping', { id: own.job, config: { allowedLabels: ['refills'], maxCalls: 3 } });
    await refused(client.call('updateMapping', { id: own.job, config: { allowedLabels: ['refills', 'pay now'] } }));
    await client.call('startMapping', { id: own.job });
    const [run] = (await owner.call('listMappingRuns', { id: own.job })).items;
    assert.equal(run?.guardChangedBy, key.id);
    await client.call('cancelMapping', { id: own.job });
    for (const change of changes(own)) await change();
  });

  it('let the key cancel and delete only the runs that it started', async () => {
    const { client } = await make({ numbers: [lab] });
    const testing = async (of: DialtreeClient) =>
      (await of.call('runTest', { configId: await save(lab, [{ a: '1' }, { a: '2' }]) })).items.map(({ id }) => id);
    const mapping = async (of: DialtreeClient) => {
      const { id } = await owner.call('createMapping', { phoneNumber: lab });
      await of.call('startMapping', { id });
      return id;
    };
    const load = async (of: DialtreeClient) => (await of.call('runLoadTest', { phoneNumber: lab, concurrency: 2 })).id;
    const all = async (of: DialtreeClient) => ({
      job: await mapping(of),
      test: await testing(of),
      load: await load(of),
    });
    const cancels = ({ job, test: [one = '', other = ''], load: id }: Awaited<ReturnType<typeof all>>) => [
      () => client.call('cancelMapping', { id: job }),
      () => client.call('cancelTestRun', { runId: one }),
      () => client.call('cancelTestRun', { runId: other, wholeLaunch: true }),
      () => client.call('cancelLoadTest', { id }),
    ];
    const deletions = ({ test: [one = '', other = ''], load: id }: Awaited<ReturnType<typeof all>>) => [
      () => client.call('deleteTestRun', { runId: one }),
      () => client.call('deleteTestRun', { runId: other }),
      () => client.call('deleteLoadTest', { id }),
    ];
    const refused = (work: Promise<unknown>) => assert.rejects(work, { status: 403, code: 'limited_key' });
    const theirs = await all(owner);
    for (const change of [...cancels(theirs), ...deletions(theirs)]) await refused(change());
    await owner.call('cancelMapping', { id: theirs.job });
    await client.call('cancelMapping', { id: theirs.job });
    await owner.call('cancelTestRun', { runId: theirs.test[0] ?? '', wholeLaunch: true });
    await owner.call('cancelLoadTest', { id: theirs.load });
    for (const change of deletions(theirs)) await refused(change());
    const own = await all(client);
    for (const change of [...cancels(own), ...deletions(own)]) await change();
  });

  it("count the key's seconds, return what a call didn't use, and end its calls when they are used up", async () => {
    const { client, key } = await make({ secondsPerDay: 100 });
    const configId = await save(lab);
    const [first] = (await client.call('runTest', { configId })).items;
    assert.equal((await refusalOf(client.call('runTest', { configId })))?.details?.['left'], 100 - aCall);
    assert.deepEqual((await client.call('getWorkspaceUsage', {})).key, {
      keyPrefix: key.keyPrefix,
      limits: { secondsPerDay: 100 },
      usedToday: { calls: 1, seconds: aCall, tokens: 0 },
    });
    const begun = await calls.next();
    assert.equal(begun.options.budgetSeconds, aCall);
    const watch = new EventWatch(owner);
    await watch.ready;
    begun.end({ callSeconds: 10 });
    await watch.until(
      async () => (await owner.call('getRunResults', { runId: first?.id ?? '' })).status === 'completed',
    );
    await watch.close();
    assert.deepEqual((await client.call('getWorkspaceUsage', {})).key?.usedToday, {
      calls: 1,
      seconds: 10,
      tokens: 0,
    });
    const [second] = (await client.call('runTest', { configId })).items;
    await end(second?.id ?? '', { callSeconds: 60 });
    assert.equal((await refusalOf(client.call('runTest', { configId })))?.details?.['left'], 30);
    assert.equal(
      (await owner.call('getWorkspaceUsage', {})).key,
      undefined,
      'a key without limits has nothing to tell',
    );
  });

  it('can be set, read, changed and removed by an administrator of the workspace', async () => {
    const { key, client } = await make({ numbers: ['practice'], callsPerDay: 20 });
    assert.deepEqual(key.limits, { numbers: ['practice'], callsPerDay: 20 });
    const read = async () => (await owner.call('listApiKeys', {})).items.find(({ id }) => id === key.id);
    assert.deepEqual((await read())?.limits, key.limits);
    assert.equal(
      (await client.call('planCalls', { mapping: { phoneNumber: lab } })).refusal?.code,
      'number_not_allowed',
    );
    const changed = await owner.call('updateApiKey', {
      id: key.id,
      name: 'Another name',
      limits: { numbers: ['practice', lab], secondsPerDay: 600 },
    });
    assert.deepEqual(
      [changed.name, changed.limits],
      ['Another name', { numbers: ['practice', lab], secondsPerDay: 600 }],
    );
    const { refusal } = await client.call('planCalls', { mapping: { phoneNumber: lab, config: { maxCalls: 1 } } });
    assert.equal(refusal, undefined, refusal?.message);
    assert.equal(
      (await owner.call('updateApiKey', { id: key.id, name: 'Once more' })).limits?.secondsPerDay,
      600,
      'what is not given stays',
    );
    await owner.call('updateApiKey', { id: key.id, limits: null });
    assert.equal((await read())?.limits, undefined);
    assert.equal((await client.call('planCalls', { mapping: { phoneNumber: practice } })).refusal, undefined);
    await owner.call('revokeApiKey', { id: key.id });
    await assert.rejects(owner.call('updateApiKey', { id: key.id, limits: {} }), { status: 404 });
    await assert.rejects(owner.call('updateApiKey', { id: 'AAAAAAAA', name: 'x' }), { status: 404 });
  });

  it("can't be removed by a limited key, which administers nothing and consents to nothing", async () => {
    const { key, client } = await make({ numbers: [open] });
    for (const scope of ['workspace:admin', 'billing:write'] as const)
      await assert.rejects(owner.call('createApiKey', { name: 'x', scopes: ['mapping:read', scope], limits: {} }), {
        status: 400,
        code: 'invalid_request',
      });
    assert.deepEqual(
      (await owner.call('createApiKey', { name: 'x', limits: {} })).scopes,
      agentScopes,
      'without scopes it gets those that it may have',
    );
    const admin = await owner.call('createApiKey', { name: 'an administrator' });
    await assert.rejects(owner.call('updateApiKey', { id: admin.id, limits: { callsPerDay: 1 } }), {
      status: 409,
      code: 'admin_key',
    });
    await assert.rejects(client.call('updateApiKey', { id: key.id, limits: null }), {
      status: 403,
      code: 'missing_scope',
    });
    await assert.rejects(client.call('createApiKey', { name: 'x', scopes: ['mapping:read'] }), {
      status: 403,
      code: 'missing_scope',
    });
    assert.equal(
      (await client.call('planCalls', { mapping: { phoneNumber: open } })).refusal?.code,
      'consent_required',
    );
    await assert.rejects(client.call('recordConsent', { phoneNumber: open, statement: 'I may test this number' }), {
      status: 403,
      code: 'missing_scope',
    });
    const { apiKey } = await owner.call('createApiKey', { name: 'agent', scopes: ['mapping:read', 'mapping:write'] });
    await assert.rejects(
      service.clientOf(apiKey).call('recordConsent', { phoneNumber: open, statement: 'I may test this number' }),
      { status: 403, code: 'missing_scope' },
      'a key without limits neither',
    );
    assert.equal((await owner.call('planCalls', { mapping: { phoneNumber: open } })).needsConsent, true);
    await owner.call('recordConsent', { phoneNumber: open, statement: 'I may test this number' });
    assert.equal((await client.call('planCalls', { mapping: { phoneNumber: open } })).refusal, undefined);
  });

  it('give the same plan before anything is saved as afterwards', async () => {
    const { client } = await make({ numbers: ['practice'] });
    const mapping = { phoneNumber: lab, config: { maxCalls: 7 } };
    const test = { name: 'test', phoneNumber: lab, steps: dial, rows: [{ a: '1' }, { a: '2' }] };
    const mission = { name: 'mission', phoneNumber: lab, mission: 'Ask.', acceptance: 'It is told.' };
    for (const [unsaved, saved] of [
      [{ mapping }, { mappingId: (await client.call('createMapping', mapping)).id }],
      [{ test }, { testConfigId: (await client.call('createTestConfig', test)).id }],
      [{ mission }, { missionConfigId: (await client.call('createMissionTestConfig', mission)).id }],
    ] as const) {
      const planned = await client.call('planCalls', unsaved);
      const { updatedAt: _version, ...plannedAfterwards } = await client.call('planCalls', saved);
      assert.deepEqual(planned, plannedAfterwards);
      assert.ok(planned.calls > 0 && planned.refusal?.code === 'number_not_allowed');
    }
    await assert.rejects(client.call('planCalls', { mapping, mappingId: randomUUID() }), { status: 400 });
  });
});
