import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { DialtreeClient } from '../../src/client/client.ts';
import type { LoadTest } from '../../src/contract/loadTests.ts';
import { createMissionTestConfigSchema } from '../../src/contract/missionConfigs.ts';
import { createTestConfigSchema, testStepSchema } from '../../src/contract/testConfigs.ts';
import type { LoadScript } from '../../src/engine/load/loadCaller.ts';
import { runLoad } from '../../src/engine/load/runLoad.ts';
import { findInstallation } from '../../src/service/basics/installation.ts';
import { LineBook } from '../../src/service/lines/lineBook.ts';
import { EventBus } from '../../src/service/store/events.ts';
import { Signer } from '../../src/service/basics/signing.ts';
import { silentLog } from '../../src/service/basics/log.ts';
import { RunQueue } from '../../src/service/runs/runQueue.ts';
import type { Store } from '../../src/service/store/store.ts';
import type { ActiveCall } from '../../src/engine/call/activeCall.ts';
import { createDialer } from '../../src/engine/call/conversation.ts';
import { Recordings } from '../../src/service/runs/recordings.ts';
import { SharedDialer, type OpenDialer } from '../../src/service/runs/sharedDialer.ts';
import { grantSeconds } from '../../src/service/workspaces/admission.ts';
import { loadKind, LoadRuns } from '../../src/service/load/loadRuns.ts';
import type { PerformLoad } from '../../src/service/load/loadRuns.ts';
import { RunLifecycle } from '../../src/service/runs/lifecycle.ts';
import { liveCallsAtMost } from '../../src/service/load/liveLoad.ts';
import { LoadSubjects } from '../../src/service/load/loadSubjects.ts';
import { Catalogue } from '../../src/service/testing/catalogue.ts';
import { SavedTests } from '../../src/service/testing/savedTests.ts';
import type { PerformPlan } from '../../src/service/testing/testPlan.ts';
import { startSipAgent } from '../../src/telephony/agent.ts';
import type { IncomingCallLeg, SipAgent } from '../../src/telephony/call.ts';
import { sleep, systemClock } from '../../src/base/clock.ts';
import { readWav } from '../../src/speech/wav.ts';
import { playedBy, practiceAt } from '../support/practicePlaces.ts';
import { quietSpeech } from '../support/quietSpeech.ts';
import { ServiceFixture } from '../support/serviceFixture.ts';
import { openTestStore } from '../support/testStore.ts';
import { fakeDialer } from '../support/fakeDialer.ts';
import { eventually } from '../support/eventually.ts';
import { refused } from '../support/refused.ts';
import { missionInput, scriptInput, stepsOf } from '../support/savedInputs.ts';
import { insertWorkspace } from '../support/storedRows.ts';

const number = '+12025550107';
/** A moment of silence, then a signal like speech. */
const voice = Int16Array.from({ length: 8000 * 20 }, (_, sample) =>
  sample < 800 ? 0 : 6000 * Math.sin(sample / 3) * Math.abs(Math.sin(sample / 4000)),
);

// A handful of calls on loopback, for a second or two.
describe('service: load tests', function () {
  const fixture = new ServiceFixture();
  let callee: SipAgent,
    withdraw = (): void => undefined;
  let client: DialtreeClient;
  let dataDir: string;
  const greet = (leg: IncomingCallLeg): void => {
    leg.ring();
    leg.answer();
    void leg.play(voice);
  };

  before(async () => {
    callee = await startSipAgent({ host: '127.0.0.1' });
    callee.onCall(greet);
    withdraw = playedBy(callee);
    dataDir = await fixture.folder();
    ({ client } = await fixture.start({
      dataDir,
      routes: { [number]: `sip:ivr@127.0.0.1:${String(callee.address.port)}`, '+1*': 'sip:{number}@trunk.example.com' },
      parts: { openDialer },
    }));
  });
  afterEach(async () => {
    callee.onCall(greet);
    for (const { id } of (await client.call('listLoadTests', { status: 'running' })).items)
      await client.call('cancelLoadTest', { id });
  });
  after(async () => {
    await fixture.close();
    withdraw();
    await callee.close();
  });
  const minutes = async (): Promise<number> => (await client.call('getWorkspaceUsage', {})).period.minutes.loadTesting;

  /** Reference calls of these tests need no recognition. */
  const openDialer = async (): Promise<OpenDialer> => {
    const agent = await startSipAgent({ host: '127.0.0.1' });
    return await fakeDialer(createDialer({ agent, speech: quietSpeech() }), () => agent.close());
  };

  /** Keys that the callee receives from now on. */
  const recordKeys = (): readonly string[] => {
    const pressed: string[] = [];
    callee.onCall((leg) => {
      greet(leg);
      leg.listen((event) => {
        if (event.type === 'digit') pressed.push(event.digit);
      });
    });
    return pressed;
  };
  const until = async (id: string, holds: (test: LoadTest) => boolean): Promise<LoadTest> => {
    await eventually(client, async () => holds(await client.call('getLoadTest', { id })));
    return await client.call('getLoadTest', { id });
  };
  const endOf = (id: string): Promise<LoadTest> => until(id, ({ status }) => status !== 'running');

  it('places many simultaneous calls over SIP, reports progress, and counts its minutes @engine', async () => {
    const before = await minutes();
    const earlier = (await client.call('listLoadTests', { status: 'completed' })).items.map(({ id }) => id);
    const launched = await client.call('runLoadTest', {
      phoneNumber: number,
      concurrency: 8,
      rampSeconds: 0.5,
      holdSeconds: 2,
    });
    assert.deepEqual([launched.status, launched.concurrency], ['running', 8]);
    await refused(client.call('runLoadTest', { phoneNumber: number, concurrency: 1 }), 409, 'already_running');
    const busy = await until(
      launched.id,
      ({ progress, status }) => (progress?.answered ?? 0) > 0 || status !== 'running',
    );
    assert.equal(busy.status, 'running');
    assert.equal((await client.call('getWorkspaceUsage', {})).runsInFlight, 0, 'a load test is no run');
    const { status, stats } = await endOf(launched.id);
    assert.equal(status, 'completed');
    assert.deepEqual(
      [stats?.callsPlaced, stats?.callsAnswered, stats?.setupSuccess, stats?.outcomes],
      [8, 8, 1, { answered: 8 }],
    );
    assert.ok((stats?.promptSeconds?.p50 ?? -1) >= 0 && (stats?.estimatedMos?.median ?? 0) > 1);
    const usage = await client.call('getWorkspaceUsage', {});
    assert.ok(Math.abs(usage.period.minutes.loadTesting - before - (stats?.callSeconds ?? 0) / 60) < 0.02);
    assert.equal(usage.runsInFlight, 0);
    assert.deepEqual(
      (await client.call('listLoadTests', { status: 'completed' })).items.map(({ id }) => id),
      [launched.id, ...earlier],
    );
  });

  it('plans and places the calls of further stages', async () => {
    const stages = [
      { concurrency: 4, rampSeconds: 0, holdSeconds: 1 },
      { concurrency: 1, rampSeconds: 0, holdSeconds: 0.5 },
    ];
    const load = { phoneNumber: number, concurrency: 2, holdSeconds: 1, stages };
    const { calls, secondsAtMost } = await client.call('planCalls', { load });
    assert.equal(calls, 4);
    assert.ok(secondsAtMost > 4 * 5 + 6 && secondsAtMost < 4 * 5 + 8, String(secondsAtMost));
    const launched = await client.call('runLoadTest', load);
    assert.deepEqual(launched.stages, stages);
    const { status, stats } = await endOf(launched.id);
    assert.equal(status, 'completed');
    assert.deepEqual([stats?.callsPlaced, stats?.peakConcurrency, stats?.callsEndedEarly], [4, 4, 0]);
    await assert.rejects(
      client.call('runLoadTest', { ...load, holdSeconds: 28_800, stages: [{ ...stages[0]!, holdSeconds: 28_800 }] }),
      {
        status: 400,
        message: /up to 43200 s/,
      },
    );
  });

  it('carries out a saved test on every call, after two reference calls', async () => {
    const before = await minutes();
    const config = await client.call(
      'createTestConfig',
      scriptInput(number, { steps: stepsOf({ type: 'dial' }, { type: 'wait', seconds: 0.5 }) }),
    );
    const { id, phoneNumber, configId } = await client.call('runLoadTest', {
      configId: config.id,
      concurrency: 3,
      holdSeconds: 8,
    });
    assert.deepEqual([phoneNumber, configId], [number, config.id]);
    const { status, reason, stats } = await endOf(id);
    assert.deepEqual([status, reason], ['completed', undefined]);
    assert.deepEqual([stats?.callsPlaced, stats?.tested?.passed, stats?.tested?.failures], [3, 3, []]);
    assert.deepEqual(
      stats?.tested?.steps.map(({ name, passed }) => [name, passed]),
      [
        ['dial', 3],
        ['wait', 3],
      ],
    );
    const seconds = (stats?.callSeconds ?? 0) + (stats?.tested?.referenceSeconds ?? 0);
    assert.ok(Math.abs((await minutes()) - before - seconds / 60) < 0.02, 'the reference calls count');
  });

  it('keeps calls that fail and the reference call to listen to, until the test is deleted @engine', async () => {
    const { id: configId } = await client.call(
      'createTestConfig',
      scriptInput(number, {
        steps: stepsOf({ type: 'dial' }, { type: 'wait', seconds: 3 }, { type: 'press', keys: '1' }),
      }),
    );
    let answered = 0;
    callee.onCall((leg) => {
      greet(leg);
      answered += 1;
      // The reference calls and one of three calls pass.
      if (answered > 3) setTimeout(() => void leg.hangup(), 700);
    });
    const { id } = await client.call('runLoadTest', { configId, concurrency: 3, rampSeconds: 0.5, holdSeconds: 8 });
    const { stats } = await endOf(id);
    const { passed, failures = [], references = [] } = stats?.tested ?? {};
    assert.deepEqual([passed, failures.map(({ step }) => step)], [1, ['wait', 'wait']]);
    const recordings = [...failures.map(({ recording }) => recording), ...references];
    assert.equal(recordings.length, 3);
    for (const recording of recordings) {
      const url = recording?.audioUrl ?? assert.fail('no recording');
      const wave = readWav(new Uint8Array(await client.fetchAudio(url)));
      assert.deepEqual([wave.sampleRate, wave.channels.length], [8000, 2]);
      assert.ok(
        wave.channels[1]?.some((sample) => Math.abs(sample) > 1000),
        'the called side is heard',
      );
    }
    const [stepMs = 0] = failures.map(({ recording }) => recording?.stepMs);
    assert.deepEqual([stepMs, references[0]?.stepMs.length, references[0]?.row], [0, 3, undefined]);
    const listed = (await client.call('listLoadTests', {})).items[0]?.stats?.tested;
    assert.deepEqual([listed?.failures[0]?.recording, listed?.references], [undefined, undefined]);
    assert.equal((await readdir(join(dataDir, 'recordings', id))).length, 3);
    await client.call('deleteLoadTest', { id });
    await assert.rejects(readdir(join(dataDir, 'recordings', id)), { code: 'ENOENT' });
    await assert.rejects(client.fetchAudio(references[0]!.audioUrl), { status: 404 });
  });

  it('places no call of the load if the test fails, takes too long or has too many rows', async () => {
    const save = async (steps: readonly object[], rows?: readonly Record<string, string>[]) =>
      (
        await client.call(
          'createTestConfig',
          scriptInput(number, {
            steps: steps.map((action, index) => ({ name: String(index), action })) as never,
            ...(rows && { rows: [...rows] }),
          }),
        )
      ).id;
    const launch = async (configId: string): Promise<LoadTest> => {
      const { id } = await client.call('runLoadTest', { configId, concurrency: 3, holdSeconds: 2 });
      return await endOf(id);
    };
    callee.onCall((leg) => leg.reject(486, 'Busy Here'));
    const broken = await launch(await save([{ type: 'dial' }])).finally(() => callee.onCall(greet));
    assert.equal(broken.status, 'failed');
    assert.match(broken.reason ?? '', /^The reference call didn't pass the test, so no other call was placed\. Step/);
    const long = await launch(await save([{ type: 'dial' }, { type: 'wait', seconds: 20 }]));
    assert.match(long.reason ?? '', /didn't end within the hold of 2 s.*Raise holdSeconds/);
    assert.deepEqual([broken.stats, long.stats], [undefined, undefined]);
    const many = Array.from({ length: 11 }, (_, index) => ({ key: String(index) }));
    const rows = await save([{ type: 'dial' }, { type: 'press', keys: '{key}' }], many);
    const { refusal } = await client.call('planCalls', { load: { configId: rows, concurrency: 1 } });
    assert.match(refusal?.message ?? '', /more than 10 rows/);
    await assert.rejects(client.call('runLoadTest', { configId: rows, concurrency: 1 }), {
      status: 400,
      message: /more than 10 rows/,
    });
  });

  it('carries out the rows of a test in turn, after reference calls for each', async () => {
    const pressed = recordKeys();
    const { id: configId } = await client.call(
      'createTestConfig',
      scriptInput(number, {
        steps: stepsOf({ type: 'dial' }, { type: 'press', keys: '{key}' }),
        rows: [{ key: '1' }, { key: '2' }],
      }),
    );
    const load = { configId, concurrency: 4, rampSeconds: 2, holdSeconds: 5 };
    assert.equal((await client.call('planCalls', { load })).calls, 8);
    const { id } = await client.call('runLoadTest', load);
    const { stats } = await endOf(id);
    assert.equal(stats?.tested?.passed, 4);
    assert.deepEqual(pressed, ['1', '1', '2', '2', '1', '2', '1', '2']);
  });

  it('refuses unclear targets, and more keys than a saved test presses', async () => {
    const { id: configId } = await client.call('createTestConfig', scriptInput(number));
    for (const input of [
      { concurrency: 1 },
      { configId, phoneNumber: number, concurrency: 1 },
      { configId, concurrency: 1, keys: [{ afterSeconds: 1, digits: '1' }] },
    ])
      await assert.rejects(client.call('runLoadTest', input), { status: 400 });
  });

  it('carries out missions and probes, as many at once as it can hear, and refuses what is neither', async () => {
    const { id: configId } = await client.call('createMissionTestConfig', missionInput(number));
    for (const [input, status] of [
      [{ configId: randomUUID() }, 404],
      [{ configId, catalogueTestId: 'human-option' }, 400],
      [{ catalogueTestId: 'human-option' }, 400],
      [{ phoneNumber: number, catalogueTestId: 'no-such-probe' }, 404],
      // It waits for a call; it places several.
      ...['tcpa-id', 'eaa-support'].map((id) => [{ phoneNumber: number, catalogueTestId: id }, 400] as const),
      [{ phoneNumber: number, catalogueTestId: 'human-option', callSeconds: 5 }, 400],
    ] as const)
      await assert.rejects(client.call('runLoadTest', { concurrency: 1, ...input }), { status });
    const most = liveCallsAtMost();
    const message = new RegExp(`at most ${String(most)} simultaneous calls, because each call is heard live`);
    for (const input of [{ configId }, { phoneNumber: number, catalogueTestId: 'human-option' }]) {
      const tooMany = { concurrency: 1, stages: [{ concurrency: most + 1, rampSeconds: 0, holdSeconds: 1 }], ...input };
      await assert.rejects(client.call('runLoadTest', tooMany), { status: 400, message });
      assert.match((await client.call('planCalls', { load: tooMany })).refusal?.message ?? '', message);
      const before = await minutes();
      const load = { concurrency: 2, holdSeconds: 2, ...input };
      assert.equal((await client.call('planCalls', { load })).calls, 2, 'no reference calls');
      const { id } = await client.call('runLoadTest', load);
      const { status, criteria, stats } = await endOf(id);
      assert.deepEqual([status, criteria, stats?.callsAnswered], ['completed', { minPassed: 1 }, 2]);
      // The called side doesn't stop speaking.
      assert.deepEqual([stats?.tested?.unfinished, stats?.tested?.failures], [2, []]);
      assert.ok(Math.abs((await minutes()) - before - (stats?.callSeconds ?? 0) / 60) < 0.02);
    }
  });

  it('counts only the reference call if it is cancelled during that @engine', async () => {
    const answered = new Promise<void>((resolve) =>
      callee.onCall((leg) => {
        greet(leg);
        resolve();
      }),
    );
    const { id: configId } = await client.call(
      'createTestConfig',
      scriptInput(number, { steps: stepsOf({ type: 'dial' }, { type: 'wait', seconds: 60 }) }),
    );
    const before = await minutes();
    const { id } = await client.call('runLoadTest', { configId, concurrency: 20, holdSeconds: 120 });
    await answered;
    assert.equal((await client.call('getLoadTest', { id })).progress?.references, 1);
    const { status, reason, stats } = await client.call('cancelLoadTest', { id });
    assert.deepEqual([status, reason, stats], ['aborted', 'Cancelled.', undefined]);
    const counted = (await minutes()) - before;
    assert.ok(counted < 0.2, String(counted));
  });

  it('stores its criteria and how it places calls, and keeps to them', async () => {
    const pressed = recordKeys();
    const criteria = { minSetupSuccess: 1, maxLoss: 1 };
    const shape = {
      callsPerSecond: 10,
      callSeconds: 1.5,
      replace: true,
      keys: [{ afterSeconds: 0.5, digits: '7#' }],
      abortWhen: { failureShare: 0.9, minimumCalls: 4, tickLatenessMs: 60_000 },
      criteria,
    };
    const load = { phoneNumber: number, concurrency: 2, holdSeconds: 4, ...shape };
    const launched = await client.call('runLoadTest', load);
    const { status, stats, ...kept } = await client.waitForLoadTest(launched.id);
    const { callsPerSecond, callSeconds, replace, keys, abortWhen } = kept;
    assert.deepEqual({ callsPerSecond, callSeconds, replace, keys, abortWhen, criteria: kept.criteria }, shape);
    assert.equal(status, 'completed');
    assert.ok((stats?.callsPlaced ?? 0) > 2 && (stats?.peakConcurrency ?? 0) <= 2, JSON.stringify(stats));
    assert.match(pressed.join(''), /7.*#/);
    assert.equal(stats?.verdict?.outcome, 'pass');
    assert.deepEqual(
      stats.verdict.criteria.map(({ name }) => name),
      ['minSetupSuccess', 'maxLoss'],
    );
    await assert.rejects(client.call('runLoadTest', { ...load, criteria: { minSetupSuccess: 2 } }), /criteria/);
    callee.onCall((leg) => leg.reject(503));
    const refused = await client.call('runLoadTest', { ...load, concurrency: 50, holdSeconds: 30 });
    const { status: end, reason } = await client.waitForLoadTest(refused.id);
    assert.deepEqual([end, reason], ['aborted', '4 of 4 calls failed. The test ends when 90 % have failed.']);
  });
});

describe('the worker of load tests @engine', function () {
  const workspaceId = randomUUID();
  const launcher = { workspaceId, keyId: 'test' };
  let now = new Date('2026-03-10T12:00:00.000Z');
  let store: Store;
  let queue: RunQueue;
  /** Runs before the next write, which fails if it throws. */
  let before: (() => Promise<void>) | undefined;

  beforeEach(async () => {
    before = undefined;
    store = await openTestStore(() => now);
    queue = new RunQueue({ store, log: silentLog });
    await store.write((transaction) =>
      insertWorkspace(transaction, { id: workspaceId, unlimited: true, created_at: now }),
    );
  });
  afterEach(async () => {
    await queue.close();
    await store.close();
  });

  interface Launched {
    readonly life: RunLifecycle<'load'>;
    readonly id: string;
  }
  interface Wanted {
    readonly dialer?: SharedDialer;
    /** Where a practice IVR answers. */
    readonly place?: string;
    readonly configId?: string;
    readonly perform?: PerformPlan;
  }

  async function launch(
    performLoad: PerformLoad,
    {
      dialer = new SharedDialer(() => Promise.reject(new Error('no reference call')), systemClock),
      place = '127.0.0.1:9',
      configId,
      perform = () => assert.fail('no mission'),
    }: Wanted = {},
  ): Promise<Launched> {
    const watched: Store = {
      ...store,
      write: async (work) => {
        const hook = before;
        before = undefined;
        await hook?.();
        return await store.write(work);
      },
    };
    const parts = {
      store: watched,
      queue,
      events: new EventBus(),
      lines: new LineBook({
        routes: { [number]: `sip:ivr@${place}` },
        lines: {},
        passwords: {},
        practices: practiceAt(place),
        clock: systemClock,
      }),
      performLoad,
      perform,
      dialer,
      active: new Set<never>(),
      recordings: new Recordings('/nonexistent'),
      clock: systemClock,
      now: () => now,
      log: silentLog,
    };
    const life = new RunLifecycle(parts, { load: loadKind(parts) });
    const subject = configId === undefined ? { phoneNumber: number } : { configId };
    const { id } = await new LoadRuns(parts, life).start(
      launcher,
      { ...subject, concurrency: 2, rampSeconds: 0, holdSeconds: 30, callsPerSecond: 50 },
      await subjects().demand(launcher, subject),
    );
    return { life, id };
  }
  const tests = () => new SavedTests(store, new Signer(store.secret), () => now);
  const subjects = () => new LoadSubjects({ tests: tests(), catalogue: new Catalogue(findInstallation().mediaDir) });

  /** Saves a test, which presses 1, and runs it under load at a called side that answers and records keys. */
  async function launchTest(
    performLoad: PerformLoad,
    work: (launched: Launched & { readonly configId: string; readonly pressed: string[] }) => Promise<void>,
    { actions = [], perform }: { readonly actions?: Parameters<typeof stepsOf>; readonly perform?: PerformPlan } = {},
  ): Promise<void> {
    const callee = await startSipAgent({ host: '127.0.0.1' });
    const agent = await startSipAgent({ host: '127.0.0.1' });
    const pressed: string[] = [];
    callee.onCall((leg) => {
      leg.listen((event) => {
        if (event.type === 'digit') pressed.push(event.digit);
      });
      leg.answer();
    });
    const dialer = new SharedDialer(
      () => fakeDialer(createDialer({ agent, speech: quietSpeech() }), () => agent.close()),
      systemClock,
    );
    try {
      const steps = stepsOf({ type: 'dial' }, { type: 'press', keys: '1' }, ...actions);
      const { id: configId } = await (perform
        ? tests().create(launcher, 'mission', createMissionTestConfigSchema.parse(missionInput(number)))
        : tests().create(launcher, 'script', createTestConfigSchema.parse(scriptInput(number, { steps }))));
      const place = `127.0.0.1:${String(callee.address.port)}`;
      await work({
        ...(await launch(performLoad, { dialer, place, configId, ...(perform && { perform }) })),
        configId,
        pressed,
      });
    } finally {
      await dialer.close();
      await agent.close();
      await callee.close();
    }
  }
  const rowOf = (id: string) =>
    store.db.selectFrom('load_tests').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
  const found = async (id: string) => {
    const { status, stats } = await rowOf(id);
    return {
      status,
      stats,
      used: await store.db.selectFrom('ledger').select(['seconds', 'calls']).where('run_id', '=', id).execute(),
      slots: (await store.db.selectFrom('slots').selectAll().execute()).length,
    };
  };
  const stats = { callsPlaced: 2, callsAnswered: 2, setupSuccess: 1, outcomes: {}, callSeconds: 12 };
  const progress = { type: 'progress', second: 1, placed: 2, answered: 1, active: 1, failed: 0 } as const;

  it('ends it and frees its reservation whether the worker or the cancel comes first', async () => {
    let called = false;
    const { life, id } = await launch(async function* () {
      called = true;
      await Promise.resolve();
      yield { type: 'ended', status: 'aborted', stats };
    });
    await Promise.all([life.carryOut('load', id), life.cancel('load', id)]);
    assert.deepEqual(await found(id), {
      status: 'aborted',
      stats: called ? stats : null,
      used: [called ? { seconds: 12, calls: 2 } : { seconds: 0, calls: 0 }],
      slots: 0,
    });
  });

  /** The calls of the load carry out these scripts, and end at once. */
  const noting = (scripts: (readonly LoadScript[] | undefined)[]): PerformLoad =>
    async function* (options) {
      scripts.push(options.scripts);
      await Promise.resolve();
      yield { type: 'ended', status: 'completed', stats };
    };

  it('carries out the test as it was at the launch, and then wipes it', async () => {
    const scripts: (readonly LoadScript[] | undefined)[] = [];
    await launchTest(noting(scripts), async ({ life, id, configId, pressed }) => {
      await tests().update(launcher, 'script', {
        id: configId,
        steps: testStepSchema.array().parse(stepsOf({ type: 'dial' }, { type: 'press', keys: '{key}' })),
        rows: Array.from({ length: 10 }, () => ({ key: '9' })),
      });
      await life.carryOut('load', id);
      assert.deepEqual(pressed, ['1', '1']);
      assert.deepEqual(
        scripts.map((tasks) => tasks?.map(({ steps }) => steps.map(({ name }) => name))),
        [[['dial', 'press']]],
      );
      const row = await rowOf(id);
      assert.deepEqual([row.status, row.plans], ['completed', null]);
    });
  });

  it('carries out a test that is deleted after the launch', async () => {
    await launchTest(noting([]), async ({ life, id, configId, pressed }) => {
      await tests().remove(launcher, 'script', configId);
      await life.carryOut('load', id);
      assert.equal((await found(id)).status, 'completed');
      assert.deepEqual(pressed, ['1', '1']);
    });
  });

  it('leads each call of a mission through the doors of all calls, and wipes the mission', async () => {
    const heard: unknown[] = [];
    const perform: PerformPlan = async function* (plan, { dialer, target, signal, guarded, forbiddenKeys }) {
      const call = await dialer.dial(target, signal);
      const dials = await store.db.selectFrom('dials').select('run_id').execute();
      heard.push([plan.type, guarded, forbiddenKeys, dials.length > 0]);
      await call.hangUp();
      yield {
        type: 'ended',
        ended: { outcome: 'FAIL', steps: [], transcript: [], callSeconds: 0, reason: 'It fails.' },
      };
    };
    const held: PerformLoad = ({ caller, ...options }) => runLoad({ ...options, caller: caller ?? assert.fail() });
    await launchTest(
      held,
      async ({ life, id, configId }) => {
        await tests().remove(launcher, 'mission', configId);
        await life.carryOut('load', id);
        const { status, plans, stats: figures } = await rowOf(id);
        const { failed, failures } = figures?.tested ?? {};
        assert.deepEqual([status, plans, failed], ['completed', null, 2]);
        assert.deepEqual(
          failures?.map(({ reason }) => reason),
          ['It fails.', 'It fails.'],
        );
        assert.deepEqual(heard, [
          ['mission', false, '', true],
          ['mission', false, '', true],
        ]);
        assert.equal((await found(id)).used[0]?.calls, 2);
      },
      { perform },
    );
  });

  /** A mission whose call lasts until someone hangs up. */
  const lasting = (calls: ActiveCall[]): PerformPlan =>
    async function* (_plan, { dialer, target, signal }) {
      const call = await dialer.dial(target, signal);
      calls.push(call);
      await new Promise<void>((resolve) => {
        call.listen(({ type }) => {
          if (type === 'ended') resolve();
        });
      });
      yield { type: 'ended', ended: { outcome: 'ERROR', steps: [], transcript: [], callSeconds: 0 } };
    };

  for (const why of ['cancel', 'budget'] as const)
    it(`hangs up the calls of a mission at once ${why === 'budget' ? 'when its minutes are used up' : 'when it is cancelled'}`, async () => {
      const held: PerformLoad = ({ caller, ...options }) => runLoad({ ...options, caller: caller ?? assert.fail() });
      const calls: ActiveCall[] = [];
      if (why === 'budget')
        await store.write(async (transaction) => {
          await transaction.updateTable('workspaces').set({ unlimited: false }).where('id', '=', workspaceId).execute();
          await grantSeconds(transaction, workspaceId, 'loadTesting', 'grant', 4, now);
        });
      await launchTest(
        held,
        async ({ life, id }) => {
          const over = life.carryOut('load', id);
          if (why === 'cancel') {
            while (calls.length < 2) await sleep(systemClock, 20);
            await life.cancel('load', id);
          }
          await over;
          const { status, ended_by: endedBy, stats: figures } = await rowOf(id);
          assert.deepEqual([status, endedBy, figures?.tested?.unfinished], ['aborted', why, 2]);
          assert.deepEqual(
            calls.map(({ ended }) => ended?.by),
            ['local', 'local'],
          );
          const [used] = (await found(id)).used;
          assert.equal(used?.calls, 2);
          assert.ok(used.seconds <= 4, String(used.seconds));
        },
        { perform: lasting(calls) },
      );
    });

  it("counts no call if this machine can't dial", async () => {
    const mission = createMissionTestConfigSchema.parse(missionInput(number));
    const { id: configId } = await tests().create(launcher, 'mission', mission);
    const { life, id } = await launch(noting([]), { configId });
    await life.carryOut('load', id);
    const { status, used } = await found(id);
    assert.deepEqual([status, used], ['failed', [{ seconds: 0, calls: 0 }]]);
  });

  it('places no call if an earlier version stored no plan', async () => {
    await launchTest(noting([]), async ({ life, id, pressed }) => {
      await store.db.updateTable('load_tests').set({ plans: null }).where('id', '=', id).execute();
      await life.carryOut('load', id);
      const end = await rowOf(id);
      assert.match(end.reason ?? '', /^An earlier version of Dialtree started this load test/);
      assert.deepEqual([end.status, pressed, (await found(id)).used], ['failed', [], [{ seconds: 0, calls: 0 }]]);
    });
  });

  it('places no call, not even a reference call, beyond the minutes that are left', async () => {
    await store.write(async (transaction) => {
      await transaction.updateTable('workspaces').set({ unlimited: false }).where('id', '=', workspaceId).execute();
      await grantSeconds(transaction, workspaceId, 'loadTesting', 'grant', 4, now);
    });
    const scripts: (readonly LoadScript[] | undefined)[] = [];
    await launchTest(
      noting(scripts),
      async ({ life, id }) => {
        await life.carryOut('load', id);
        const end = await rowOf(id);
        assert.deepEqual([end.status, end.ended_by, scripts], ['aborted', 'budget', []]);
        assert.match(end.reason ?? '', /^The minutes reserved for this load test were used up/);
        const [used] = (await found(id)).used;
        assert.equal(used?.calls, 2);
        assert.ok(used.seconds > 2 && used.seconds <= 4, String(used.seconds));
      },
      { actions: [{ type: 'wait', seconds: 2 }] },
    );
  });

  it("continues if its progress can't be stored", async () => {
    const { life, id } = await launch(async function* () {
      before = () => Promise.reject(new Error('the disk is full'));
      yield progress;
      yield progress;
      await Promise.resolve();
      yield { type: 'ended', status: 'completed', stats };
    });
    await life.carryOut('load', id);
    assert.equal(before, undefined);
    assert.deepEqual(await found(id), { status: 'completed', stats, used: [{ seconds: 12, calls: 2 }], slots: 0 });
  });

  for (const [after, seconds] of [
    [10, 20],
    [3600, 2 * 35 + (3 * 0.02) / 2],
  ] as const) {
    it(`counts the reported calls if it breaks off without figures after ${String(after)} s`, async () => {
      const { life, id } = await launch(async function* () {
        yield progress;
        now = new Date(now.getTime() + after * 1000);
        await Promise.reject(new Error('a thread died'));
      });
      await life.carryOut('load', id);
      assert.deepEqual(await found(id), { status: 'failed', stats: null, used: [{ seconds, calls: 2 }], slots: 0 });
    });
  }
});
