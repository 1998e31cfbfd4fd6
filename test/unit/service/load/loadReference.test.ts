import assert from 'node:assert/strict';
import { ivrFileSchema } from '../../../../src/contract/ivrFile.ts';
import { testStepSchema } from '../../../../src/contract/testConfigs.ts';
import type { ScriptPlan } from '../../../../src/service/store/storedPlan.ts';
import { placeReferences, type LoadReferences } from '../../../../src/service/load/loadReference.ts';
import { simulatedDialer, type SimulatedCall } from '../../../support/simulatedDialer.ts';
import { VirtualClock } from '../../../support/virtualClock.ts';

interface Placed {
  readonly references: LoadReferences;
  readonly talks: readonly SimulatedCall[];
}

/** Places the reference calls of these plans, the nth to the nth IVR, and further ones to the last. */
async function place(
  plans: readonly ScriptPlan[],
  ivrs: readonly object[],
  {
    budgetSeconds,
    holdSeconds = 240,
    textMs = 950,
  }: Partial<Record<'budgetSeconds' | 'holdSeconds' | 'textMs', number>> = {},
): Promise<Placed> {
  const clock = new VirtualClock();
  const talks: SimulatedCall[] = [];
  const dialers = ivrs.map((ivr) =>
    simulatedDialer({ ivr: ivrFileSchema.parse(ivr), clock, textMs, onCall: (call) => talks.push(call) }),
  );
  const dialer = {
    dial: (...call: Parameters<(typeof dialers)[number]['dial']>) =>
      (dialers[talks.length] ?? dialers.at(-1) ?? assert.fail()).dial(...call),
  };
  const work = placeReferences(
    { target: 'sip:ivr@127.0.0.1', dialer, clock, guarded: false, forbiddenKeys: '' },
    {
      plans,
      signal: new AbortController().signal,
      holdSeconds,
      budgetSeconds,
      onCall: () => Promise.resolve(),
      onAudio: () => Promise.resolve(),
    },
  );
  return { references: await clock.run(work), talks };
}

const shop = {
  name: 'Shop',
  language: 'en-US',
  start: 'main',
  states: {
    main: {
      prompt: 'Welcome to the shop. For opening hours, press 1. For sales, press 2.',
      keys: { 1: 'hours', 2: 'sales' },
      timeoutMs: 60_000,
    },
    hours: { prompt: 'We are open from nine to five. Goodbye.', end: 'hangup' },
    sales: { prompt: 'Sales are closed.', end: 'hangup' },
  },
};

describe('reference calls', () => {
  const waits = (seconds: number): ScriptPlan => ({
    type: 'script',
    steps: [{ name: 'Wait', action: { type: 'wait', seconds } }].map((step) => testStepSchema.parse(step)),
  });
  const secondsOf = (talks: readonly SimulatedCall[]): number =>
    talks.reduce((sum, { durationSeconds }) => sum + durationSeconds, 0);

  it('use no more than the seconds of the run together', async () => {
    for (const budgetSeconds of [1, 30, 45, 60, 100.5, 119]) {
      const { references, talks } = await place([waits(30), waits(30)], [shop], { budgetSeconds });
      assert.ok(talks.every(({ ended }) => ended));
      assert.ok(secondsOf(talks) <= budgetSeconds, `${String(secondsOf(talks))} of ${String(budgetSeconds)} s`);
      assert.deepEqual(
        [references.scripts, references.failure?.endedBy, references.used.calls],
        [undefined, 'budget', talks.length],
      );
      assert.match(references.failure?.reason ?? '', /minutes reserved for this load test were used up/);
      assert.ok(Math.abs(references.used.seconds - secondsOf(talks)) < 0.01);
    }
  });

  it('leave no seconds to the load if they use them all', async () => {
    const { references, talks } = await place([waits(30)], [shop], { budgetSeconds: 60.8 });
    assert.deepEqual([talks.length, references.failure?.endedBy], [2, 'budget']);
  });

  it('take place if the run has seconds for them and for the load', async () => {
    const { references, talks } = await place([waits(30), waits(30)], [shop], { budgetSeconds: 130 });
    assert.deepEqual([references.scripts?.length, talks.length], [2, 4], references.failure?.reason);
  });

  it('end with the hold, and not the minutes, if the hold is shorter', async () => {
    for (const holdSeconds of [20, 0.5, 0]) {
      const { references } = await place([waits(30)], [shop], { budgetSeconds: 100, holdSeconds });
      assert.ok(references.failure?.reason.includes(`didn't end within the hold of ${String(holdSeconds)} s`));
      assert.equal(references.failure?.endedBy, undefined);
    }
  });

  it('blame this machine first, and not the hold, for a call that was long because words were late', async () => {
    const { references } = await place([waits(30)], [shop], { holdSeconds: 20, textMs: 5000 });
    assert.match(
      references.failure?.reason ?? '',
      /this machine was so busy that speech recognition was up to 5\.\d s late\. Run the test again/,
    );
  });
});
