import assert from 'node:assert/strict';
import { ivrFileSchema } from '../../../src/contract/ivrFile.ts';
import { testStepSchema } from '../../../src/contract/testConfigs.ts';
import { runMission } from '../../../src/engine/mission/mission.ts';
import { runProbe } from '../../../src/engine/probe/probe.ts';
import { runScript } from '../../../src/engine/script/script.ts';
import type { TestCallOptions } from '../../../src/engine/call/testCall.ts';
import { simulatedDialer } from '../../support/simulatedDialer.ts';
import { VirtualClock } from '../../support/virtualClock.ts';
import { catalogued } from './probe/callProbe.ts';

const ivr = ivrFileSchema.parse({
  name: 'Bank',
  start: 'main',
  answerAfterMs: 200,
  states: {
    main: { prompt: 'Welcome to the bank. For accounts, press 1.', keys: { '1': 'accounts' } },
    accounts: { prompt: 'Please hold while I look for your account.', end: 'hold-music' },
  },
});

/** How each of these runs uses the line. */
const runs: Readonly<Record<string, (options: TestCallOptions) => AsyncIterable<unknown>>> = {
  script: (options) =>
    runScript({
      ...options,
      steps: [
        { name: 'Call', action: { type: 'dial' }, expectedTranscript: 'Welcome to the bank*' },
        { name: 'Wait', action: { type: 'wait', seconds: 60 } },
      ].map((step) => testStepSchema.parse(step)),
    }),
  mission: (options) => runMission({ ...options, decide: () => Promise.resolve({ action: 'wait', why: 'Waits.' }) }),
  probe: (options) => runProbe({ ...options, probe: catalogued('human-option') }),
};

describe('engine: a reader that stops reading', () => {
  for (const [name, run] of Object.entries(runs)) {
    it(`hangs up the call of a ${name}, and places no more`, async () => {
      const clock = new VirtualClock();
      const dialer = simulatedDialer({ ivr, clock });
      const read = async (): Promise<void> => {
        for await (const _event of run({ target: 'sip:x', dialer, clock, signal: new AbortController().signal })) break;
      };
      await clock.run(read());
      assert.deepEqual(
        dialer.calls.map(({ ended }) => ended?.by),
        ['local'],
      );
      await clock.run(
        new Promise<void>((resolve) => {
          clock.setTimeout(resolve, 600_000);
        }),
      );
      assert.equal(dialer.calls.length, 1);
    });
  }
});
