import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { systemClock } from '../../src/base/clock.ts';
import { ivrFileSchema } from '../../src/contract/ivrFile.ts';
import { limits } from '../../src/contract/limits.ts';
import { linesSchema } from '../../src/contract/lines.ts';
import { voiceSchema } from '../../src/contract/profiles.ts';
import type { Profile } from '../../src/contract/profiles.ts';
import { DialError } from '../../src/engine/call/activeCall.ts';
import type { DialOptions } from '../../src/engine/call/activeCall.ts';
import type { PerformLoad } from '../../src/service/load/loadRuns.ts';
import { fliteVoices } from '../../src/speech/flite.ts';
import { ScriptedCalls } from '../support/scriptedCalls.ts';
import { simulatedDialer } from '../support/simulatedDialer.ts';
import { ServiceFixture } from '../support/serviceFixture.ts';
import { fakeDialer } from '../support/fakeDialer.ts';
import { connectAgent } from '../support/connectAgent.ts';
import { missionInput } from '../support/savedInputs.ts';
import { eventually } from '../support/eventually.ts';

const lab = '+12025550101';
const overLine = 'sip:600@127.0.0.1:5099';
const ivr = ivrFileSchema.parse({
  name: 'Hello',
  start: 'main',
  states: { main: { prompt: 'Hello.', end: 'hold-music' } },
});
const steps = [{ name: 'call', action: { type: 'press' as const, keys: '1#' } }];
const values = {
  language: 'en-GB',
  voice: 'slt',
  keyToneMs: 250,
  keyGapMs: 300,
  patienceSeconds: 20,
  callerId: '601',
  line: 'desk',
  concurrency: 2,
} as const;
const probe = 'ai-disclose-start';

describe('service: profiles', function () {
  const fixture = new ServiceFixture();
  const calls = new ScriptedCalls();
  const dialled: (DialOptions | undefined)[] = [];
  const loads: Parameters<PerformLoad>[0][] = [];
  /** The called side answers; otherwise it is busy. */
  let answers = false;
  let service: Awaited<ReturnType<ServiceFixture['start']>>;
  let client: typeof service.client;

  before(async () => {
    service = await fixture.start({
      lines: linesSchema.parse({
        desk: { kind: 'pbx', host: '127.0.0.1:5099', callerId: '600', callerIds: ['601'] },
        other: { kind: 'pbx', host: '127.0.0.1:5098' },
      }),
      parts: {
        perform: calls.perform,
        performLoad: async function* (options) {
          await Promise.resolve();
          loads.push(options);
          yield {
            type: 'ended',
            status: 'completed',
            stats: { callsPlaced: 0, callsAnswered: 0, setupSuccess: 1, outcomes: {}, callSeconds: 0 },
          };
        },
        openDialer: () =>
          fakeDialer({
            dial: (target, signal, options) => {
              dialled.push(options);
              if (answers) return simulatedDialer({ ivr, clock: systemClock }).dial(target, signal, options);
              return Promise.reject(new DialError({ by: 'remote', kind: 'busy', reason: 'busy' }));
            },
          }),
      },
    });
    client = service.client;
  });
  beforeEach(() => {
    dialled.length = loads.length = 0;
  });
  after(() => fixture.close());

  const defaultProfile = async (): Promise<Profile> =>
    (await client.call('listProfiles', {})).items[0] ?? assert.fail();

  it('include a default one that can be changed but not deleted, and others', async () => {
    const first = await defaultProfile();
    const { id, createdAt, updatedAt, ...said } = first;
    assert.deepEqual(said, {
      name: 'Default',
      isDefault: true,
      language: 'en-US',
      voice: 'rms',
      keyToneMs: 100,
      keyGapMs: 100,
    });
    assert.equal(createdAt, updatedAt);
    const careful = await client.call('createProfile', { name: ' Careful ', ...values });
    assert.deepEqual(careful, {
      id: careful.id,
      isDefault: false,
      name: 'Careful',
      ...values,
      createdAt: careful.createdAt,
      updatedAt: careful.createdAt,
    });
    const plain = await client.call('createProfile', { name: 'Alone' });
    assert.deepEqual(await client.call('getProfile', { id: careful.id }), careful);
    assert.deepEqual(
      (await client.call('listProfiles', {})).items.map(({ name }) => name),
      ['Default', 'Alone', 'Careful'],
    );

    const changed = await client.call('updateProfile', {
      id: careful.id,
      keyToneMs: 80,
      patienceSeconds: null,
      callerId: null,
      line: null,
      concurrency: null,
    });
    const { patienceSeconds: _patience, callerId: _callerId, line: _line, concurrency: _most, ...rest } = careful;
    assert.deepEqual(changed, { ...rest, keyToneMs: 80, updatedAt: changed.updatedAt });
    const changedFirst = await client.call('updateProfile', { id, voice: 'kal', name: 'Usual' });
    assert.deepEqual(
      [changedFirst.isDefault, changedFirst.voice, changedFirst.name, changedFirst.createdAt],
      [true, 'kal', 'Usual', createdAt],
    );
    assert.deepEqual(await defaultProfile(), changedFirst);

    await assert.rejects(client.call('deleteProfile', { id }), { status: 409, code: 'profile_default' });
    assert.deepEqual(await client.call('deleteProfile', { id: plain.id }), { deleted: true });
    for (const again of [
      () => client.call('getProfile', { id: plain.id }),
      () => client.call('deleteProfile', { id: plain.id }),
      () => client.call('updateProfile', { id: plain.id, name: 'x' }),
    ])
      await assert.rejects(again(), { status: 404, code: 'profile_not_found' });
  });

  it('appear to agents too', async () => {
    const mcp = await connectAgent(service);
    try {
      const call = async (name: string, args: object) =>
        (await mcp.callTool({ name, arguments: { ...args } })).structuredContent as Record<string, unknown>;
      const made = await client.call('createProfile', { name: 'Careful', ...values });
      assert.deepEqual(
        ((await call('listProfiles', {}))['items'] as Profile[]).find(({ id }) => id === made.id),
        made,
      );
    } finally {
      await mcp.close();
    }
  });

  it('accept values within their bounds, existing voices, and a supported language', async () => {
    assert.deepEqual(voiceSchema.options, fliteVoices);
    const {
      profiles: { most: _most, ...bounds },
    } = limits;
    const { id } = await client.call('createProfile', { name: 'Bounded' });
    for (const [member, { min, max }] of Object.entries(bounds)) {
      for (const value of [min, max]) await client.call('updateProfile', { id, [member]: value });
      for (const value of [min - 1, max + 1])
        await assert.rejects(
          client.call('createProfile', { name: 'p', [member]: value }),
          { status: 400 },
          `${member} ${String(value)}`,
        );
    }
    for (const wrong of [
      { voice: 'nobody' },
      { language: 'de-DE' },
      { callerId: 'sip:600@pbx' },
      { line: 'No Line' },
      { name: '' },
    ] as object[])
      await assert.rejects(
        client.call('createProfile', { name: 'p', ...wrong }),
        { status: 400 },
        JSON.stringify(wrong),
      );
  });

  it("can't be deleted while a mapping or a test uses one; those can be given another", async () => {
    const { id: profileId } = await client.call('createProfile', { name: 'Careful' });
    const absent = randomUUID();
    const make = (id: string) =>
      [
        () => client.call('createMapping', { phoneNumber: lab, name: 'a mapping', profileId: id }),
        () => client.call('createTestConfig', { name: 'a script', phoneNumber: lab, steps, profileId: id }),
        () => client.call('createMissionTestConfig', missionInput(lab, { name: 'a mission', profileId: id })),
      ] as const;
    for (const refused of make(absent)) await assert.rejects(refused(), { status: 404, code: 'profile_not_found' });
    const [mapping, script, mission] = [
      await make(profileId)[0](),
      await make(profileId)[1](),
      await make(profileId)[2](),
    ];
    for (const made of [mapping, script, mission]) assert.equal(made.profileId, profileId);
    assert.deepEqual(
      (await client.call('listMappings', { profileId })).items.map(({ id }) => id),
      [mapping.id],
    );
    await assert.rejects(client.call('deleteProfile', { id: profileId }), {
      status: 409,
      code: 'profile_used',
      message:
        '“a mapping”, “a mission”, “a script” use this profile. Give them another profile (profileId), then delete this one.',
      details: { users: ['a mapping', 'a mission', 'a script'] },
    });
    const { id } = await defaultProfile();
    await assert.rejects(client.call('updateMapping', { id: mapping.id, profileId: absent }), {
      status: 404,
      code: 'profile_not_found',
    });
    assert.equal((await client.call('updateMapping', { id: mapping.id, profileId: id })).profileId, id);
    await client.call('updateTestConfig', { id: script.id, profileId: id });
    await assert.rejects(client.call('deleteProfile', { id: profileId }), {
      message: /^“a mission” uses this profile\. Give it another profile/,
    });
    await client.call('updateMissionTestConfig', { id: mission.id, profileId: id });
    await client.call('deleteProfile', { id: profileId });
  });

  it('belong to their workspace: no other one can see them', async () => {
    const { id } = await client.call('createProfile', { name: 'Careful' });
    const { apiKey } = await client.call('registerWorkspace', {});
    const stranger = service.clientOf(apiKey);
    assert.deepEqual(
      (await stranger.call('listProfiles', {})).items.map(({ name }) => name),
      ['Default'],
    );
    for (const theirs of [id, (await defaultProfile()).id]) {
      const tries = [
        () => stranger.call('getProfile', { id: theirs }),
        () => stranger.call('updateProfile', { id: theirs, name: 'mine' }),
        () => stranger.call('deleteProfile', { id: theirs }),
        () => stranger.call('createMapping', { phoneNumber: lab, profileId: theirs }),
        () => stranger.call('createTestConfig', { name: 'n', phoneNumber: lab, steps, profileId: theirs }),
      ];
      for (const work of tries) await assert.rejects(work(), { status: 404, code: 'profile_not_found' });
    }
    assert.equal((await client.call('getProfile', { id })).name, 'Careful');
  });

  it('name a line and a caller ID only if a person says so, in a workspace that the operator knows, and only those that a line lists', async () => {
    const make = (more: object, by = client) => by.call('createProfile', { name: 'p', ...more });
    await assert.rejects(make({ callerId: '+12025550199' }), {
      status: 403,
      code: 'caller_id_not_allowed',
      message: /no line of this service allows/,
    });
    await assert.rejects(make({ callerId: '601', line: 'other' }), {
      status: 403,
      code: 'caller_id_not_allowed',
      message: /the line other doesn't allow/,
    });
    await assert.rejects(make({ line: 'gone' }), { status: 404, code: 'line_unknown' });
    const { id } = await make({ callerId: '601' });
    await assert.rejects(client.call('updateProfile', { id, line: 'other' }), {
      status: 403,
      code: 'caller_id_not_allowed',
    });

    const { apiKey: limited } = await client.call('createApiKey', { name: 'agent', limits: { numbers: [lab] } });
    const agent = service.clientOf(limited);
    const { id: own } = await make({}, agent);
    for (const work of [
      () => make({ callerId: '601' }, agent),
      () => make({ line: 'desk' }, agent),
      () => agent.call('updateProfile', { id, voice: 'slt' }),
      () => agent.call('updateProfile', { id: own, callerId: null }),
    ])
      await assert.rejects(work(), { status: 403, code: 'limited_key' });
    await agent.call('updateProfile', { id: own, voice: 'slt' });

    const { apiKey } = await client.call('registerWorkspace', {});
    const stranger = service.clientOf(apiKey);
    for (const more of [{ callerId: '601' }, { line: 'desk' }, { line: 'gone' }])
      await assert.rejects(make(more, stranger), { status: 403, code: 'numbers_only' });
    await make({ keyToneMs: 200 }, stranger);

    const { apiKey: reading } = await client.call('createApiKey', { name: 'r', scopes: ['workspace:read'] });
    await assert.rejects(make({}, service.clientOf(reading)), { status: 403, code: 'missing_scope' });
  });

  describe('in use', () => {
    let profile: Profile;
    beforeEach(async () => {
      profile = await client.call('createProfile', { name: 'Careful', ...values });
    });
    const manner = {
      voice: 'slt',
      keys: { toneMs: 250, gapMs: 300 },
      from: 'sip:601@127.0.0.1',
      preferredIdentity: 'sip:601@127.0.0.1',
    };

    it('determine how a mapping calls, and limit its simultaneous calls', async () => {
      const { id } = await client.call('createMapping', {
        phoneNumber: overLine,
        profileId: profile.id,
        config: { concurrency: 9 },
      });
      await client.call('startMapping', { id });
      const run = await fixture.crawl.next();
      assert.deepEqual(
        [run.options.patienceMs, run.options.config.concurrency, run.options.target],
        [20_000, 2, overLine],
      );
      await assert.rejects(run.options.dialer.dial(overLine, run.options.signal));
      assert.deepEqual(dialled, [manner]);
      run.end();
    });

    it('determine how tests, missions and probes call, each with its own profile, and a probe with the default one', async () => {
      const script = await client.call('createTestConfig', {
        name: 'a script',
        phoneNumber: overLine,
        steps,
        profileId: profile.id,
      });
      const mission = await client.call(
        'createMissionTestConfig',
        missionInput(overLine, { name: 'a mission', profileId: profile.id }),
      );
      const plain = await client.call('createTestConfig', { name: 'plain', phoneNumber: overLine, steps });
      await client.call('updateProfile', { id: (await defaultProfile()).id, voice: 'awb', patienceSeconds: 7 });
      const seen: (readonly [string, number | undefined])[] = [];
      for (const launch of [
        () => client.call('runTest', { configId: script.id }),
        () => client.call('runMissionTest', { configId: mission.id }),
        () => client.call('runTest', { configId: plain.id }),
        () => client.call('runComplianceTest', { catalogueTestId: probe, phoneNumber: overLine }),
      ]) {
        await launch();
        const call = await calls.next();
        seen.push([call.plan.type, call.options.patienceMs]);
        call.end();
      }
      assert.deepEqual(seen, [
        ['script', 20_000],
        ['mission', 20_000],
        ['script', 7000],
        ['probe', 7000],
      ]);
      const usual = {
        voice: 'awb',
        keys: { toneMs: 100, gapMs: 100 },
        from: 'sip:600@127.0.0.1',
        preferredIdentity: 'sip:600@127.0.0.1',
      };
      assert.deepEqual(dialled, [manner, manner, usual, usual]);
    });

    it('keep their values for a launch as they were when it began', async () => {
      const { id: configId } = await client.call('createTestConfig', {
        name: 'rows',
        phoneNumber: overLine,
        steps,
        rows: [{ a: '1' }, { a: '2' }],
        profileId: profile.id,
      });
      await client.call('runTest', { configId });
      (await calls.next()).end();
      const second = await calls.next();
      await client.call('updateProfile', { id: profile.id, patienceSeconds: 30 });
      second.end();
      await client.call('runTest', { configId });
      const third = await calls.next();
      await client.call('updateProfile', { id: profile.id, patienceSeconds: 40 });
      third.end();
      const fourth = await calls.next();
      fourth.end();
      assert.deepEqual(
        [second.options.patienceMs, third.options.patienceMs, fourth.options.patienceMs],
        [20_000, 30_000, 30_000],
      );
    });

    it("determine how a load test's calls press keys, which caller ID they present, and how many there may be", async () => {
      const { id: configId } = await client.call('createTestConfig', {
        name: 'n',
        phoneNumber: overLine,
        steps,
        profileId: profile.id,
      });
      await assert.rejects(client.call('runLoadTest', { configId, concurrency: 3 }), {
        status: 400,
        code: 'profile_limit',
      });
      assert.equal(
        (await client.call('planCalls', { load: { configId, concurrency: 3 } })).refusal?.code,
        'profile_limit',
      );
      answers = true;
      const { id } = await client.call('runLoadTest', { configId, concurrency: 2 });
      await eventually(client, async () => (await client.call('getLoadTest', { id })).status !== 'running');
      answers = false;
      assert.equal((await client.call('getLoadTest', { id })).status, 'completed');
      const reference = { ...manner, ringSeconds: 60 };
      assert.deepEqual(dialled, [reference, reference], 'two reference calls');
      const { voice: _voice, keys, ...account } = manner;
      assert.deepEqual(
        loads.map(({ keyTiming, call, concurrency }) => ({ keyTiming, call, concurrency })),
        [{ keyTiming: keys, call: account, concurrency: 2 }],
      );
    });

    it("make every launch, and its plan, fail if the line doesn't serve the number or present the caller ID", async () => {
      const launched = async (): Promise<number> =>
        (await client.call('listTestRuns', {})).items.length + (await client.call('listLoadTests', {})).items.length;
      const before = await launched();
      for (const [more, status, code, asked] of [
        [{ line: 'other', callerId: null }, 400, 'line_not_serving', {}],
        [{ line: null, callerId: '601' }, 403, 'caller_id_not_allowed', {}],
        [{ line: null, callerId: null }, 400, 'line_not_serving', { line: 'other' }],
        [{ line: null, callerId: null }, 404, 'line_unknown', { line: 'none' }],
      ] as const) {
        await client.call('updateProfile', { id: profile.id, ...more });
        const target = code === 'caller_id_not_allowed' ? 'sip:600@127.0.0.1:5098' : overLine;
        const [test, mission, mapping] = [
          await client.call('createTestConfig', { name: 'n', phoneNumber: target, steps, profileId: profile.id }),
          await client.call('createMissionTestConfig', missionInput(target, { profileId: profile.id })),
          await client.call('createMapping', { phoneNumber: target, profileId: profile.id }),
        ];
        for (const [plan, launch] of [
          [{ testConfigId: test.id, ...asked }, () => client.call('runTest', { configId: test.id, ...asked })],
          [
            { missionConfigId: mission.id, ...asked },
            () => client.call('runMissionTest', { configId: mission.id, ...asked }),
          ],
          [{ mappingId: mapping.id, ...asked }, () => client.call('startMapping', { id: mapping.id, ...asked })],
          [
            { load: { configId: test.id, concurrency: 1, ...asked } },
            () => client.call('runLoadTest', { configId: test.id, concurrency: 1, ...asked }),
          ],
        ] as const) {
          await assert.rejects(launch(), { status, code }, JSON.stringify(plan));
          assert.equal((await client.call('planCalls', plan)).refusal?.code, code, JSON.stringify(plan));
        }
      }
      assert.deepEqual([await launched(), dialled], [before, []]);
    });

    it('count the time of their slow key presses', async () => {
      const secondsOf = async (profileId?: string): Promise<number> =>
        (
          await client.call('planCalls', {
            test: {
              name: 'n',
              phoneNumber: overLine,
              steps: [{ name: 'call', action: { type: 'press', keys: '1234567890' } }],
              ...(profileId !== undefined && { profileId }),
            },
          })
        ).secondsAtMost;
      await client.call('updateProfile', { id: profile.id, keyToneMs: 1000, keyGapMs: 500 });
      assert.equal((await secondsOf(profile.id)) - (await secondsOf()), 10);
    });
  });

  it("can't exceed their maximum number beside the default one", async () => {
    const free = limits.profiles.most + 1 - (await client.call('listProfiles', {})).items.length;
    const tried = await Promise.allSettled(
      Array.from({ length: free + 2 }, (_none, index) => client.call('createProfile', { name: `p${String(index)}` })),
    );
    const made = tried.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
    assert.equal(made.length, free);
    await assert.rejects(client.call('createProfile', { name: 'more' }), { status: 409, code: 'too_many_profiles' });
    for (const { id } of made) await client.call('deleteProfile', { id });
  });
});
