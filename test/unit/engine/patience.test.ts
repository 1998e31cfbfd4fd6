import assert from 'node:assert/strict';
import { ivrFileSchema } from '../../../src/contract/ivrFile.ts';
import { testStepSchema } from '../../../src/contract/testConfigs.ts';
import { runMission } from '../../../src/engine/mission/mission.ts';
import type { MissionEnd } from '../../../src/engine/mission/mission.ts';
import { runProbe } from '../../../src/engine/probe/probe.ts';
import { runScript } from '../../../src/engine/script/script.ts';
import type { CallTestEnd } from '../../../src/engine/call/callTestEvent.ts';
import type { TestCallOptions } from '../../../src/engine/call/testCall.ts';
import { callEnd } from '../../support/callEnd.ts';
import { crawlTree } from '../../support/crawlTree.ts';
import { simulatedDialer } from '../../support/simulatedDialer.ts';
import { VirtualClock } from '../../support/virtualClock.ts';
import { probeOf } from './probe/callProbe.ts';

/** It looks an account up in silence. */
const bank = ivrFileSchema.parse({
  name: 'Bank',
  start: 'lookUp',
  states: {
    lookUp: { prompt: 'One moment while we look up your account.', next: 'balance' },
    balance: { prompt: 'Your balance is two hundred dollars. Goodbye.', end: 'hangup' },
  },
});
const menu = ivrFileSchema.parse({
  name: 'Shop',
  start: 'main',
  states: {
    main: {
      prompt: 'Welcome to the shop. For opening hours, press 1. For directions, press 2.',
      keys: { 1: 'hours', 2: 'directions' },
      timeoutMs: 30_000,
    },
    hours: { prompt: 'We are open from nine to five. Goodbye.', end: 'hangup' },
    directions: { prompt: 'We are at the station. Goodbye.', end: 'hangup' },
  },
});

interface Silence {
  readonly before: string;
  readonly seconds: number;
  readonly patienceSeconds?: number;
}

/** Calls an IVR that is silent for this long before one of its prompts. */
function callTo(
  ivr: typeof bank,
  { before, seconds, patienceSeconds }: Silence,
): TestCallOptions & { readonly clock: VirtualClock } {
  const clock = new VirtualClock();
  const dialer = simulatedDialer({
    ivr,
    clock,
    latencyOf: (prompt) => (prompt.startsWith(before) ? seconds * 1000 : 0),
  });
  return {
    target: 'sip:ivr@127.0.0.1',
    dialer,
    clock,
    signal: new AbortController().signal,
    ...(patienceSeconds !== undefined && { patienceMs: patienceSeconds * 1000 }),
  };
}

describe("engine: a caller's patience", () => {
  const script = async (silence: Silence): Promise<CallTestEnd> => {
    const call = callTo(bank, silence);
    const steps = [
      testStepSchema.parse({ name: 'dial', action: { type: 'dial' } }),
      testStepSchema.parse({
        name: 'balance',
        action: { type: 'expect' },
        expectedTranscript: 'Your balance is two hundred dollars',
      }),
    ];
    return await call.clock.run(callEnd(runScript({ ...call, steps })));
  };

  it('limits the silence that a scripted test waits through, before the first word and after words that ask for nothing', async () => {
    assert.equal((await script({ before: 'Your', seconds: 14 })).outcome, 'FAIL');
    assert.equal((await script({ before: 'Your', seconds: 14, patienceSeconds: 20 })).outcome, 'PASS');
    assert.equal((await script({ before: 'Your', seconds: 4 })).outcome, 'PASS');
    assert.equal((await script({ before: 'Your', seconds: 4, patienceSeconds: 2 })).outcome, 'FAIL');
    assert.equal((await script({ before: 'One', seconds: 14, patienceSeconds: 20 })).outcome, 'PASS');
    assert.match(
      (await script({ before: 'One', seconds: 5, patienceSeconds: 3 })).reason ?? '',
      /Dead air: nothing was heard for 3 s\./,
    );
  });

  it('limits the silence after which a script considers the line dead', async () => {
    const ends = async (silence: Silence): Promise<CallTestEnd> => {
      const call = callTo(bank, silence);
      return await call.clock.run(
        callEnd(
          runScript({
            ...call,
            steps: [
              testStepSchema.parse({
                name: 'dial',
                action: { type: 'dial' },
                expectedTranscript: 'One moment while we look up your account',
                expectedEnd: 'dead-air',
              }),
            ],
          }),
        ),
      );
    };
    assert.equal((await ends({ before: 'Your', seconds: 10 })).outcome, 'PASS');
    assert.equal((await ends({ before: 'Your', seconds: 10, patienceSeconds: 15 })).outcome, 'FAIL');
  });

  it('limits the silence that a mission waits through', async () => {
    const mission = async (silence: Silence): Promise<MissionEnd> => {
      const call = callTo(bank, silence);
      return await call.clock.run(
        callEnd(runMission({ ...call, decide: () => Promise.resolve({ action: 'wait', why: 'they look it up' }) })),
      );
    };
    assert.match(
      (await mission({ before: 'Your', seconds: 14 })).reason ?? '',
      /Dead air: nothing was heard for 12 s\./,
    );
    assert.match(
      (await mission({ before: 'Your', seconds: 14, patienceSeconds: 20 })).transcript.at(-1)?.text ?? '',
      /balance/,
    );
    assert.match(
      (await mission({ before: 'Your', seconds: 5, patienceSeconds: 3 })).reason ?? '',
      /Dead air: nothing was heard for 3 s\./,
    );
  });

  it('limits the silence that a probe waits through', async () => {
    const probe = probeOf(
      [{ do: 'listen', id: 'greeting', seconds: 60, until: 'promptEnd' }],
      [{ kind: 'says', patterns: ['\\bwelcome\\b'] }],
    );
    const outcome = async (silence: Silence): Promise<string> => {
      const call = callTo(menu, silence);
      return (await call.clock.run(callEnd(runProbe({ ...call, probe })))).outcome;
    };
    assert.equal(await outcome({ before: 'Welcome', seconds: 14 }), 'INCONCLUSIVE');
    assert.equal(await outcome({ before: 'Welcome', seconds: 14, patienceSeconds: 20 }), 'PASS');
    assert.equal(await outcome({ before: 'Welcome', seconds: 5, patienceSeconds: 3 }), 'INCONCLUSIVE');
  });

  it('limits the silence after which a mapping considers a step a dead end, on the way back to a menu too', async () => {
    const ends = async (ivr: typeof bank, silence: Silence): Promise<(string | undefined)[]> => {
      const { clock, ...call } = callTo(ivr, silence);
      const { tree } = await clock.run(
        crawlTree({
          ...call,
          clock,
          config: { mappingMode: 'dtmf', maxDepth: 3, maxCalls: 20, concurrency: 1 },
          guarded: true,
        }),
      );
      const root = tree.tree;
      return [root?.end, ...(root?.children ?? []).map(({ end }) => end)];
    };
    assert.deepEqual(await ends(menu, { before: 'Welcome', seconds: 9 }), ['dead-air']);
    assert.deepEqual(await ends(menu, { before: 'Welcome', seconds: 9, patienceSeconds: 12 }), [
      undefined,
      'hangup',
      'hangup',
    ]);
    assert.deepEqual(
      await ends(menu, { before: 'Welcome', seconds: 18, patienceSeconds: 25 }),
      [undefined, 'hangup', 'hangup'],
      'a later call waits for the menu as well',
    );
    assert.deepEqual(await ends(bank, { before: 'Your', seconds: 25 }), ['dead-air']);
    assert.deepEqual(
      await ends(bank, { before: 'Your', seconds: 9 }),
      ['hangup'],
      'a root that fell silent is called again, and waits longer',
    );
    assert.deepEqual(await ends(bank, { before: 'Your', seconds: 9, patienceSeconds: 4 }), ['dead-air']);
    assert.deepEqual(await ends(bank, { before: 'Your', seconds: 9, patienceSeconds: 12 }), ['hangup']);
  });
});
