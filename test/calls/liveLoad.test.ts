import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { loadStatsSchema, type LoadTested } from '../../src/contract/loadTests.ts';
import { missionFileSchema } from '../../src/contract/missionFile.ts';
import { probeSchema } from '../../src/contract/probe.ts';
import type { Dialer } from '../../src/engine/call/activeCall.ts';
import { liveCaller } from '../../src/engine/load/liveCaller.ts';
import { runLoad } from '../../src/engine/load/runLoad.ts';
import { loadIvr, type IvrSource } from '../../src/practice/ivrSource.ts';
import { verdictOf } from '../../src/service/load/liveLoad.ts';
import type { TestPlan } from '../../src/service/store/storedPlan.ts';
import { createPerformer } from '../../src/service/testing/performPlan.ts';
import { missionPlanOf } from '../../src/service/testing/testPlan.ts';
import { VirtualCalls } from '../support/virtualCalls.ts';

const media = path.resolve(import.meta.dirname, '../../media');
const fixtures = path.resolve(import.meta.dirname, '../fixtures/compliance');

describe('load test that carries out a mission or a probe', function () {
  let calls: VirtualCalls;
  before(async () => {
    calls = await VirtualCalls.open('live-load');
  });
  after(async () => assert.deepEqual(await calls.close(), []));

  /** The third call goes to the second IVR, and the others to the first one. */
  const load = (plan: TestPlan, ivrs: readonly IvrSource[], guarded = false): Promise<LoadTested> =>
    calls.to(ivrs, async ({ targets: [target = '', other = ''], dialer, clock }) => {
      let placed = 0;
      const third: Dialer = {
        dial: (_to, ...call) => dialer.dial((placed += 1) === 3 ? other : target, ...call),
      };
      const perform = createPerformer();
      const caller = liveCaller(third, clock, (call) => verdictOf(perform(plan, { target, clock, guarded, ...call })));
      const { signal } = new AbortController();
      const course = { concurrency: 4, rampSeconds: 5, holdSeconds: 240 };
      for await (const event of runLoad({ target, caller, clock, signal, scripts: [], ...course })) {
        if (event.type !== 'ended') continue;
        const { callsAnswered, promptSeconds, tested } = loadStatsSchema.parse(event.stats);
        assert.equal(callsAnswered, 4);
        assert.ok(promptSeconds);
        return tested ?? assert.fail();
      }
      throw new Error('no end');
    });
  const figures = ({ passed, failed, inconclusive, unfinished, steps, failures }: LoadTested) => [
    { passed, failed, inconclusive, unfinished },
    steps,
    failures.map(({ call, outcome }) => [call, outcome]),
  ];
  const onlyThird = (outcome: 'FAIL' | 'INCONCLUSIVE') => [
    { passed: 3, failed: 0, inconclusive: 0, unfinished: 0, [outcome === 'FAIL' ? 'failed' : 'inconclusive']: 1 },
    [],
    [[3, outcome]],
  ];

  for (const id of ['emerg-redirect', 'rec-notice', 'human-option'])
    it(`judges each call by the probe ${id}, which hears its words`, async () => {
      const ivrs = await Promise.all(
        ['pass', 'fail'].map((kind) => loadIvr(path.join(fixtures, `${id}.${kind}.ivr.json`))),
      );
      const probe = probeSchema.parse(JSON.parse(await readFile(path.join(media, `compliance/${id}.json`), 'utf8')));
      const tested = await load({ type: 'probe', probe }, ivrs);
      assert.deepEqual(figures(tested), onlyThird('FAIL'), JSON.stringify(tested.failures));
    });

  for (const live of [false, true])
    it(`takes the way of the mission ${live ? 'on a live number' : 'in a lab'}, and is judged by what it hears on it`, async () => {
      const file = await readFile(path.join(media, 'samples/bank.mission.json'), 'utf8');
      const bank = await loadIvr(path.join(media, 'samples/bank.ivr.json'));
      const { balance } = bank.ivr.states;
      assert.ok(balance);
      const states = {
        ...bank.ivr.states,
        balance: { ...balance, prompt: 'Your account has been closed for some years.' },
      };
      const other = { ...bank, file: 'other.ivr.json', ivr: { ...bank.ivr, name: 'Other', number: undefined, states } };
      const tested = await load(missionPlanOf(missionFileSchema.parse(JSON.parse(file))), [bank, other], live);
      // The caller hung up, so the bank could have said it later.
      assert.deepEqual(figures(tested), onlyThird('INCONCLUSIVE'));
      assert.match(tested.failures[0]?.reason ?? '', /“you have two hundred dollars in your account” wasn't heard/);
    });
});
