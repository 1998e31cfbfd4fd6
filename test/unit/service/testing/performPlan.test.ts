import assert from 'node:assert/strict';
import { ivrFileSchema } from '../../../../src/contract/ivrFile.ts';
import { testStepSchema, type TestStep } from '../../../../src/contract/testConfigs.ts';
import { createPerformer } from '../../../../src/service/testing/performPlan.ts';
import type { PlanEnd } from '../../../../src/service/testing/testPlan.ts';
import type { TestPlan } from '../../../../src/service/store/storedPlan.ts';
import { simulatedDialer } from '../../../support/simulatedDialer.ts';
import { VirtualClock } from '../../../support/virtualClock.ts';
import { probeOf } from '../../engine/probe/callProbe.ts';

/** The goodbye is a separate turn. */
const ivr = ivrFileSchema.parse({
  name: 'Bank',
  start: 'main',
  states: {
    main: {
      prompt: 'Welcome to the bank. For opening hours, press 1.',
      keys: { 1: 'hours' },
      timeoutMs: 20_000,
    },
    hours: { prompt: 'We are open from nine to five.', next: 'parting' },
    parting: { prompt: 'Goodbye.', end: 'hangup' },
  },
});

const step = (one: object): TestStep => testStepSchema.parse({ name: 'a step', ...one });
const plans: Readonly<Record<'script' | 'mission' | 'probe', TestPlan>> = {
  script: {
    type: 'script',
    steps: [
      step({ action: { type: 'dial' }, expectedTranscript: 'Welcome to the bank. For opening hours, press 1.' }),
      step({ action: { type: 'press', keys: '1' }, expectedTranscript: 'Your mortgage was approved yesterday.' }),
    ],
  },
  mission: { type: 'mission', mission: 'Ask for the opening hours.', acceptance: 'The bank says "mortgage".' },
  probe: {
    type: 'probe',
    probe: probeOf(
      [
        { do: 'listen', id: 'greeting', seconds: 60, until: 'promptEnd' },
        { do: 'press', id: 'choice', keys: '1' },
      ],
      [{ kind: 'says', patterns: ['mortgage'] }],
    ),
  },
};

function ended(plan: TestPlan, textMs: number): Promise<PlanEnd> {
  const clock = new VirtualClock();
  const events = createPerformer()(plan, {
    target: 'sip:ivr@127.0.0.1',
    dialer: simulatedDialer({ ivr, clock, textMs }),
    clock,
    signal: new AbortController().signal,
  });
  const untilEnd = async (): Promise<PlanEnd> => {
    for await (const event of events) if (event.type === 'ended') return event.ended;
    throw new Error('a plan without an end');
  };
  return clock.run(untilEnd());
}

describe('service: performed plans', () => {
  for (const kind of ['script', 'mission', 'probe'] as const) {
    it(`fails a ${kind} whose words weren't said`, async () => {
      const end = await ended(plans[kind], 900);
      assert.equal(end.outcome, 'FAIL', end.reason);
      assert.doesNotMatch(end.reason ?? '', /busy/);
    });

    it(`makes the failure of a ${kind} inconclusive if this machine was too late`, async () => {
      const end = await ended(plans[kind], 5200);
      assert.equal(end.outcome, 'INCONCLUSIVE', end.reason);
      assert.match(end.reason ?? '', /this machine was so busy that speech recognition was up to 5\.\d s late/);
      if ('mission' in end) assert.equal(end.mission?.verdict, 'inconclusive', end.mission?.judgeReasoning);
    });
  }
});
