import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { ivrFileSchema } from '../../src/contract/ivrFile.ts';
import { loadStatsSchema, type LoadTested } from '../../src/contract/loadTests.ts';
import { testStepSchema } from '../../src/contract/testConfigs.ts';
import { missionFileSchema } from '../../src/contract/missionFile.ts';
import { probeSchema } from '../../src/contract/probe.ts';
import { callingAs } from '../../src/engine/call/activeCall.ts';
import type { LoadCaller } from '../../src/engine/load/loadCaller.ts';
import { localCaller } from '../../src/engine/load/localCaller.ts';
import { runLoad } from '../../src/engine/load/runLoad.ts';
import { loadIvr, type IvrSource } from '../../src/practice/ivrSource.ts';
import type { TestPlan } from '../../src/service/store/storedPlan.ts';
import { placeReferences } from '../../src/service/load/loadReference.ts';
import { missionPlanOf } from '../../src/service/testing/testPlan.ts';
import { VirtualCalls, type VirtualCall } from '../support/virtualCalls.ts';

const media = path.resolve(import.meta.dirname, '../../media');
const fixtures = path.resolve(import.meta.dirname, '../fixtures/compliance');
const holdSeconds = 240;
const manner = { voice: 'slt', keys: { toneMs: 100, gapMs: 100 } };

type Result = Pick<LoadTested, 'passed' | 'failed' | 'inconclusive' | 'errors' | 'steps' | 'failures'>;

/** The row and the steps of each reference call that is recorded. */
let recorded: (readonly [row: number, steps: number])[] = [];

describe('load test that carries out a mission or a probe', function () {
  let calls: VirtualCalls;
  before(async () => {
    calls = await VirtualCalls.open('load-tasks');
  });
  after(async () => assert.deepEqual(await calls.close(), []));

  /** The reference calls go to the first IVR, and the nth call of the load to the IVR with index `ivrOf(n)`. */
  async function load(
    plan: TestPlan,
    { targets, agent, clock, dialer, recognise }: VirtualCall,
    {
      concurrency,
      ivrOf,
      live = false,
    }: { readonly concurrency: number; readonly ivrOf: (call: number) => number; readonly live?: boolean },
  ): Promise<Result | string> {
    recorded = [];
    const { signal } = new AbortController();
    const [uri = ''] = targets;
    const { scripts, failure } = await placeReferences(
      { target: uri, dialer: callingAs(dialer, manner), clock, guarded: live, forbiddenKeys: '' },
      {
        plans: [plan],
        signal,
        holdSeconds,
        budgetSeconds: undefined,
        onCall: () => Promise.resolve(),
        onAudio: (row, { ended }) => {
          recorded.push([row, ended.steps.length]);
          return Promise.resolve();
        },
      },
    );
    if (failure) return failure.reason;
    const inner = localCaller(agent, clock);
    let placed = 0;
    const caller: LoadCaller = {
      ...inner,
      place: (called, listener) => inner.place({ ...called, target: targets[ivrOf((placed += 1))] ?? '' }, listener),
    };
    const request = { target: uri, caller, clock, signal, scripts, recognise, concurrency };
    for await (const event of runLoad({ ...request, rampSeconds: 5, holdSeconds }))
      if (event.type === 'ended') return loadStatsSchema.parse(event.stats).tested ?? assert.fail();
    throw new Error('no end');
  }

  for (const [id, faulty] of [
    // The called side says the same in another order.
    ['emerg-redirect', 'FAIL'],
    // It says less.
    ['rec-notice', 'FAIL'],
    // It says something else.
    ['human-option', 'INCONCLUSIVE'],
  ] as const)
    it(`judges each call by the probe ${id}, if it knows the words of all prompts`, async () => {
      const sources = await Promise.all(
        ['pass', 'fail'].map((kind) => loadIvr(path.join(fixtures, `${id}.${kind}.ivr.json`))),
      );
      const probe = probeSchema.parse(JSON.parse(await readFile(path.join(media, `compliance/${id}.json`), 'utf8')));
      const tested = await calls.to(sources, (call) =>
        load({ type: 'probe', probe }, call, { concurrency: 4, ivrOf: (n) => (n === 3 ? 1 : 0) }),
      );
      assert.ok(typeof tested !== 'string', String(tested));
      assert.deepEqual(
        [tested.passed, tested.failures.map(({ call, outcome }) => [call, outcome])],
        [3, [[3, faulty]]],
      );
      assert.deepEqual(
        tested.steps.map(({ name, passed }) => [name, passed >= 3]),
        probe.dialogue.checks.map(({ name }) => [name, true]),
      );
    });

  const readMission = async () =>
    missionPlanOf(
      missionFileSchema.parse(JSON.parse(await readFile(path.join(media, 'samples/bank.mission.json'), 'utf8'))),
    );

  for (const live of [false, true])
    it(`takes the way of the mission ${live ? 'on a live number' : 'in a lab'}, and is judged by what it hears on it`, async () => {
      const mission = await readMission();
      const bank = await loadIvr(path.join(media, 'samples/bank.ivr.json'));
      const { balance } = bank.ivr.states;
      assert.ok(balance);
      const closed = 'Your account has been closed for some years.';
      const other: IvrSource = {
        ...bank,
        file: 'other.ivr.json',
        ivr: {
          ...bank.ivr,
          name: 'Other words',
          number: undefined,
          states: { ...bank.ivr.states, balance: { ...balance, prompt: closed } },
        },
      };
      const tested = await calls.to([bank, other], (call) =>
        load(mission, call, { concurrency: 6, ivrOf: (n) => (n === 4 ? 1 : 0), live }),
      );
      assert.ok(typeof tested !== 'string', String(tested));
      const secret = 'Press secret keys';
      assert.deepEqual(
        [tested.passed, tested.failures.map(({ call, outcome, step, heard }) => [call, outcome, step, heard])],
        // The account number is a secret, so what is heard after it isn't recognised.
        [5, [[4, 'FAIL', secret, undefined]]],
      );
      assert.deepEqual(
        tested.steps.map(({ name }) => name),
        ['Answer', 'Press 1', 'Press 1', secret, 'Hang up'],
      );
      // The mission has a secret, which the bank could say at any time.
      assert.deepEqual(recorded, []);
    });

  it('includes what is said after the last turn of the caller', async () => {
    const bankThatSays = (name: string, last: string): IvrSource => ({
      ivr: ivrFileSchema.parse({
        name,
        voice: 'rms',
        start: 'main',
        states: {
          main: {
            prompt: 'Welcome to Harbour Bank. For your balance, press 1. For cards, press 2.',
            keys: { 1: 'hold', 2: 'cards' },
          },
          hold: { prompt: 'Please hold while I look up your account.', next: 'last', pauseMs: 5000 },
          last: { prompt: last, end: 'hangup' },
          cards: { prompt: 'Cards are closed.', end: 'hangup' },
        },
      }),
      file: `${name}.ivr.json`,
      recordings: new Map(),
    });
    const mission = missionPlanOf({
      mission: 'You are a customer of Harbour Bank. Find out the balance of your account, then hang up.',
      acceptance: 'The bank says "you have two hundred dollars in your account".',
    });
    const banks = [
      bankThatSays('Bank', 'You have two hundred dollars in your account. Goodbye.'),
      bankThatSays('Broken bank', 'We are sorry, an internal error has occurred and your request has failed. Goodbye.'),
    ];
    const tested = await calls.to(banks, (call) =>
      load(mission, call, { concurrency: 3, ivrOf: (n) => (n === 2 ? 1 : 0) }),
    );
    assert.ok(typeof tested !== 'string', String(tested));
    assert.deepEqual(
      [tested.passed, tested.failures.map(({ call, outcome, step }) => [call, outcome, step])],
      [2, [[2, 'FAIL', 'Listen']]],
    );
    // The second call is recorded, because the turns of the first one aren't steps.
    assert.deepEqual(recorded, [[1, 3]]);
  });

  it('places no other call if late recognition made the called side repeat its prompts', async () => {
    const steps = [
      { name: 'Menu', action: { type: 'dial' }, expectedTranscript: 'For accounts, press 1.' },
      { name: 'Accounts', action: { type: 'press', keys: '1' }, expectedTranscript: 'For your balance, press 1.' },
    ].map((step) => testStepSchema.parse(step));
    const why = await calls.to(
      path.join(media, 'samples/bank.ivr.json'),
      (call) => load({ type: 'script', steps }, call, { concurrency: 2, ivrOf: () => 0 }),
      { recognitionMs: 7000 },
    );
    assert.match(String(why), /^The reference call was answered too late: speech recognition took up to \d+\.\d s/);
  });

  it('places no other call if the mission fails by its judge', async () => {
    const mission = { ...(await readMission()), acceptance: 'The bank says "your loan has been approved".' };
    const why = await calls.to(path.join(media, 'samples/bank.ivr.json'), (call) =>
      load(mission, call, { concurrency: 2, ivrOf: () => 0 }),
    );
    assert.match(
      String(why),
      /^The reference call didn't pass the test, so no other call was placed\. .*loan has been approved/s,
    );
  });
});
