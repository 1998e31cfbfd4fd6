import assert from 'node:assert/strict';
import { ivrFileSchema } from '../../../../src/contract/ivrFile.ts';
import { runMission } from '../../../../src/engine/mission/mission.ts';
import { maskMission, secretsOf } from '../../../../src/model/secrets/missionSecrets.ts';
import { lettingGoSeconds } from '../../../../src/engine/call/activeCall.ts';
import type { MissionEnd, MissionOptions, Situation } from '../../../../src/engine/mission/mission.ts';
import type { TurnDecision } from '../../../../src/language/mission/turnDecision.ts';
import { callEnd } from '../../../support/callEnd.ts';
import { simulatedDialer } from '../../../support/simulatedDialer.ts';
import type { SimulatedDialerOptions } from '../../../support/simulatedDialer.ts';
import { VirtualClock } from '../../../support/virtualClock.ts';

const bank = {
  name: 'Bank',
  language: 'en-US',
  start: 'main',
  states: {
    main: {
      prompt: 'Welcome to the bank. For accounts, press 1. For cards, press 2.',
      keys: { 1: 'accounts', 2: 'cards' },
      timeoutMs: 8000,
      onTimeout: { prompt: 'I did not hear you.', next: 'main' },
    },
    accounts: {
      prompt: 'Please enter your account number followed by the pound key.',
      collect: { min: 4, max: 8, terminator: '#', accept: ['12345678'], next: 'balance', onReject: 'main' },
    },
    balance: { prompt: 'Your number is 1 2 3 4 5 6 7 8. Your balance is two hundred dollars.', end: 'hangup' },
    cards: { prompt: 'All agents are busy.', end: 'dead-air' },
  },
};

async function run(
  actions: readonly TurnDecision[],
  options: {
    readonly line?: Partial<SimulatedDialerOptions>;
    readonly abortAfterMs?: number;
    readonly hangUp?: boolean;
    readonly mission?: Partial<MissionOptions>;
    readonly ivr?: object;
  } = {},
): Promise<{ readonly end: MissionEnd; readonly asked: Situation[] }> {
  const clock = new VirtualClock();
  const dialer = simulatedDialer({ ivr: ivrFileSchema.parse(options.ivr ?? bank), clock, ...options.line });
  const stop = new AbortController();
  const { abortAfterMs } = options;
  if (abortAfterMs !== undefined) clock.setTimeout(() => stop.abort('Cancelled.'), abortAfterMs);
  // The call's end is known 100 ms later.
  if (abortAfterMs !== undefined && options.hangUp === true)
    clock.setTimeout(() => {
      void dialer.calls[0]?.hangUp();
    }, abortAfterMs - 100);
  const asked: Situation[] = [];
  const decide = (situation: Situation): Promise<TurnDecision> => {
    asked.push({ ...situation, transcript: [...situation.transcript] });
    return Promise.resolve(actions[asked.length - 1] ?? { action: 'wait', why: 'nothing to do' });
  };
  const { signal } = stop;
  const end = await clock.run(
    callEnd<MissionEnd>(
      runMission({ target: 'sip:bank@127.0.0.1', dialer, clock, signal, decide, ...options.mission }),
    ),
  );
  for (const call of dialer.calls) assert.ok(call.ended, 'every call is hung up');
  return { end, asked };
}

const press = (keys: string): TurnDecision => ({ action: 'press', keys, why: 'it fits' });

describe('engine: missions', () => {
  it('hears, asks what to do, does it, and ends with the call', async () => {
    const { end, asked } = await run([press('1'), press('12345678#')]);
    assert.deepEqual(
      asked.map(({ prompt }) => prompt.split(' ').slice(0, 2).join(' ')),
      ['Welcome to', 'Please enter'],
      'after the end of the call, nothing is asked',
    );
    assert.deepEqual(
      asked[0]?.reading.options.map(({ key }) => key),
      ['1', '2'],
    );
    assert.deepEqual(
      end.transcript.map(({ speaker, text }) => (speaker === 'us' ? text : speaker)),
      ['them', '[keys 1]', 'them', '[keys 12345678#]', 'them'],
    );
    assert.equal(end.outcome, 'INCONCLUSIVE');
    assert.equal(end.hangUp?.by, 'them');
    assert.ok(
      end.turnLatencyMs && end.turnLatencyMs.median >= 0 && end.turnLatencyMs.worst >= end.turnLatencyMs.median,
    );
  });

  it('takes its turn even if words become text only while the menu is being repeated', async () => {
    const main = { ...bank.states.main, timeoutMs: 3000 };
    const { end, asked } = await run([press('1')], {
      ivr: { ...bank, states: { ...bank.states, main } },
      line: { textMs: 4500 },
    });
    assert.match(
      asked[0]?.prompt ?? '',
      /^Welcome to the bank\. For accounts, press 1\. For cards, press 2\.( I did not hear you\.)?$/,
    );
    assert.match(asked[1]?.prompt ?? '', /Please enter your account number/, end.reason);
    assert.equal(end.gaveUp, true, 'what had not come is not theirs to answer for');
    assert.match(String(end.excuse), /this machine was so busy that speech recognition was up to 4\.\d s late/);
    const {
      end: { excuse, gaveUp },
    } = await run([press('1')]);
    assert.deepEqual([excuse, gaveUp], [undefined, undefined]);
  });

  it("reveals none of the mission's secrets", async () => {
    const mission = 'You are Ann. Your account number is 12345678, your PIN is 4711. Ask for the balance.';
    assert.deepEqual(secretsOf(mission).sort(), ['12345678', '4711']);
    assert.equal(maskMission(mission, 'PIN 4711'), 'PIN ••••');
    const { end } = await run([press('1'), press('12345678#')], { mission: { secrets: secretsOf(mission) } });
    assert.ok(!/1 2 3 4|12345678/.test(JSON.stringify(end)));
  });

  it('hangs up when its seconds are used up, even while deciding or speaking', async () => {
    const deciding = await run([], { mission: { budgetSeconds: 20, decide: () => new Promise(() => undefined) } });
    const saying = await run(
      [{ action: 'say', text: Array.from({ length: 100 }, () => 'word').join(' '), why: 'it is long' }],
      { mission: { budgetSeconds: 20 } },
    );
    for (const { end } of [deciding, saying]) {
      assert.deepEqual([end.outcome, end.callSeconds, end.hangUp?.by], ['ERROR', 20 - lettingGoSeconds, 'us']);
      assert.match(end.reason ?? '', /This run used up its 20 s/);
    }
  });

  it('hangs up on a decision, and after its turns, its seconds, or a cancel', async () => {
    const done = await run([{ action: 'hangUp', reason: 'reached', why: 'The goal is reached.' }]);
    assert.deepEqual([done.end.reason, done.end.hangUp?.by], ['The goal is reached.', 'us']);
    const turns = await run([], { mission: { maxTurns: 2 } });
    assert.match(turns.end.reason ?? '', /2 turns without reaching an end/);
    const seconds = await run([], { mission: { maxSeconds: 20 } });
    assert.match(seconds.end.reason ?? '', /20 s without reaching an end/);
    assert.ok(seconds.end.callSeconds < 24);
    const hungUp = await run([], { abortAfterMs: 3000, hangUp: true });
    assert.deepEqual([hungUp.end.outcome, hungUp.end.reason], ['ERROR', 'Cancelled.'], 'and is not judged');
    const cancelled = await run([], { abortAfterMs: 9000 });
    assert.deepEqual([cancelled.end.outcome, cancelled.end.reason], ['ERROR', 'Cancelled.']);
  });

  it('reports whether it left the call, and no secret of the mission in the reasons', async () => {
    const mission = { secrets: ['12345678', '4711'] };
    const stuck = await run([{ action: 'hangUp', reason: 'stuck', why: 'Account 12345678 is not taken.' }], {
      mission,
    });
    assert.deepEqual([stuck.end.gaveUp, stuck.end.reason], [true, 'Account •••• is not taken.']);
    const reached = await run([{ action: 'hangUp', reason: 'reached', why: 'The goal is reached.' }], { mission });
    assert.equal(reached.end.gaveUp, undefined);
    const broken = await run([], {
      mission: { ...mission, decide: () => Promise.reject(new Error('It says: content filter: "PIN 4711"')) },
    });
    assert.deepEqual([broken.end.outcome, broken.end.reason], ['ERROR', 'It says: content filter: "PIN ••••"']);
  });

  it('gives up on dead air, and waits on hold', async () => {
    const dead = await run([press('2')]);
    assert.match(dead.end.reason ?? '', /Dead air/);
    const missing = await run([press('2'), { action: 'wait', why: "The prompt asks for a code that isn't given." }]);
    assert.match(missing.end.reason ?? '', /Dead air.* The prompt asks for a code that isn't given\.$/);
    const states = { ...bank.states, cards: { prompt: 'All agents are busy.', end: 'hold-music' } };
    const hold = await run([press('2')], { ivr: { ...bank, states }, mission: { maxSeconds: 120 } });
    assert.match(hold.end.reason ?? '', /120 s without reaching an end/);
  });

  it('fails if the number is busy, and ends with an error without a decision', async () => {
    const busy = await run([], { line: { refuse: () => 486 } });
    assert.deepEqual([busy.end.outcome, busy.end.callSeconds], ['FAIL', 0]);
    const mute = await run([], { mission: { decide: () => new Promise(() => undefined) } });
    assert.deepEqual([mute.end.outcome, /took too long/.test(mute.end.reason ?? '')], ['ERROR', true]);
    const broken = await run([], { mission: { decide: () => Promise.reject(new Error('The model is gone.')) } });
    assert.deepEqual([broken.end.outcome, broken.end.reason], ['ERROR', 'The model is gone.']);
    assert.ok(broken.end.transcript.length > 0, 'what was heard stays');
  });

  describe('on a live number', () => {
    const menu = {
      name: 'Office',
      language: 'en-US',
      start: 'main',
      states: {
        main: {
          prompt: 'Welcome. For opening hours, press 1. To cancel your contract, press 2.',
          keys: { 1: 'hours', 2: 'sure' },
          timeoutMs: 8000,
          onTimeout: { prompt: 'I did not hear you.', next: 'main' },
        },
        hours: { prompt: 'We are open from nine to five. Goodbye.', end: 'hangup' },
        sure: {
          prompt: 'Your contract will be cancelled. To confirm, press 1. To go back, press 9.',
          keys: { 1: 'gone', 9: 'main' },
        },
        gone: { prompt: 'Your contract is cancelled. Goodbye.', end: 'hangup' },
      },
    };
    const keysOf = ({ transcript }: MissionEnd): string =>
      transcript
        .filter(({ speaker }) => speaker === 'us')
        .map(({ text }) => text)
        .join(' ');
    const on = (actions: readonly TurnDecision[], purpose: string, guarded = true) =>
      run(actions, { ivr: menu, mission: { guarded, purpose } });

    it('offers the model only the irreversible acts that its purpose names, and performs no other even if asked', async () => {
      const { end, asked } = await on([press('2'), press('2')], 'Find out the opening hours.');
      assert.deepEqual(
        asked[0]?.reading.options.map(({ key }) => key),
        ['1'],
      );
      assert.deepEqual([keysOf(end), asked[1]?.past[0]?.decision.action], ['', 'wait']);
      assert.match(
        end.reason ?? '',
        /may cancel or end something, which the mission doesn't ask for.*Left out.*: key 2 \(“/,
      );
      assert.equal(
        keysOf((await on([press('2'), press('1')], 'Find out the opening hours.', false)).end),
        '[keys 2] [keys 1]',
      );
    });

    it('performs what its purpose names, and confirms it', async () => {
      const { end, asked } = await on([press('2'), press('1')], 'Cancel the contract.');
      assert.deepEqual(
        asked.map(({ reading }) => reading.options.map(({ key }) => key).join('')),
        ['12', '19'],
      );
      assert.equal(keysOf(end), '[keys 2] [keys 1]');
    });

    it("says yes to nothing that its purpose doesn't name", async () => {
      const ivr = {
        ...menu,
        states: {
          main: { prompt: 'Your contract will be cancelled. Is that right?', speech: { yes: 'gone' } },
          gone: menu.states.gone,
        },
      };
      const yes: TurnDecision = { action: 'say', text: 'Yes, please.', why: 'it asks' };
      assert.equal(
        keysOf((await run([yes, yes], { ivr, mission: { guarded: true, purpose: 'Hear the balance.' } })).end),
        '',
      );
      assert.equal(
        keysOf((await run([yes], { ivr, mission: { guarded: true, purpose: 'Cancel it.' } })).end),
        'Yes, please.',
      );
    });

    /** Says these one after another, with pauses, then accepts any of these keys or answers. */
    const saying = (...prompts: readonly string[]): object => ({
      ...menu,
      start: 'part0',
      states: {
        ...Object.fromEntries(
          prompts.map((prompt, at) => [
            `part${String(at)}`,
            {
              prompt,
              keys: { 1: 'gone', 2: 'gone', 3: 'gone' },
              speech: { yes: 'gone' },
              timeoutMs: 3000,
              onTimeout: { prompt: 'Well.', next: `part${String(Math.min(at + 1, prompts.length - 1))}` },
            },
          ]),
        ),
        gone: menu.states.gone,
      },
    });
    const wait: TurnDecision = { action: 'wait', why: 'it goes on' };
    const say = (text: string): TurnDecision => ({ action: 'say', text, why: 'it asks' });
    const live = { guarded: true, purpose: 'Hear the balance of the account. Do not cancel the policy.' };

    for (const [name, answer] of [
      ['in speech', say('Yes.')],
      ['by key', press('1')],
    ] as const)
      it(`judges a confirmation ${name} by everything that was said since its last action`, async () => {
        const ivr = saying('We will now cancel your policy.', 'Is that correct? Say yes, or press 1 to confirm.');
        const { end } = await run([wait, answer, answer], { ivr, mission: live });
        assert.equal(keysOf(end), '', end.reason);
        assert.match(end.reason ?? '', /may cancel or end something/);
        const { end: practice } = await run([wait, answer], { ivr, mission: { ...live, guarded: false } });
        assert.notEqual(keysOf(practice), '', 'a practice IVR is not guarded');
      });

    it('rejects a refused key even after a re-prompt without labels', async () => {
      const ivr = saying('For hours, press 1. To cancel your policy, press 2.', 'Please make your selection now.');
      const { end } = await run([wait, press('2'), press('2')], { ivr, mission: live });
      assert.equal(keysOf(end), '', end.reason);
      assert.match(end.reason ?? '', /may cancel or end something/);
    });

    for (const [name, prompt, decision] of [
      ['rejects a key that nothing offers', 'Thank you. The next part follows.', press('2')],
      [
        'rejects several keys at once if no number is asked for',
        'For opening hours, press 3. For directions, press 1.',
        press('31'),
      ],
      [
        'rejects a yes in many words',
        'We will now cancel your policy. Is that correct?',
        say('Yes please go ahead and do that'),
      ],
    ] as const)
      it(name, async () => {
        const ivr = saying(prompt);
        const { end } = await run([decision, wait, decision], { ivr, mission: live });
        assert.equal(keysOf(end), '', end.reason);
        assert.match(end.reason ?? '', /on a live number/);
      });

    it('sends nothing before everything that was said is text', async () => {
      const line = { textMs: 4500 };
      const changed = saying('For opening hours, press 1.', 'To cancel your policy, press 1.');
      const { end } = await run([press('1'), press('1')], { ivr: changed, mission: live, line });
      assert.equal(keysOf(end), '', end.reason);
      const same = await run([press('1')], { ivr: menu, mission: live, line });
      assert.equal(keysOf(same.end), '[keys 1]', same.end.reason);
    });

    it('reports a rejected turn in the reason of the run', async () => {
      const { end } = await run([press('12'), press('1')], {
        ivr: menu,
        mission: { guarded: true, purpose: 'Find out the opening hours.' },
      });
      assert.equal(keysOf(end), '[keys 1]');
      assert.match(end.reason ?? '', /The caller's choice wasn't sent, because on a live number only/);
    });
  });
});
