import assert from 'node:assert/strict';
import { ivrFileSchema } from '../../../../src/contract/ivrFile.ts';
import type { Turn } from '../../../../src/contract/testRuns.ts';
import { addTurn } from '../../../../src/model/calls/turnOrder.ts';
import { testStepSchema } from '../../../../src/contract/testConfigs.ts';
import { runScript } from '../../../../src/engine/script/script.ts';
import type { LiveSound } from '../../../../src/engine/call/callAudio.ts';
import { lettingGoSeconds } from '../../../../src/engine/call/activeCall.ts';
import type { CallTestEnd, CallTestEvent } from '../../../../src/engine/call/callTestEvent.ts';
import { simulatedDialer } from '../../../support/simulatedDialer.ts';
import type { SimulatedDialerOptions, SimulatedCall } from '../../../support/simulatedDialer.ts';
import { DialError } from '../../../../src/engine/call/activeCall.ts';
import type { DialOptions, ActiveCallEvent } from '../../../../src/engine/call/activeCall.ts';
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
      collect: { min: 4, max: 8, terminator: '#', accept: ['12345678'], next: 'balance', onReject: 'rejected' },
    },
    balance: {
      prompt: 'Thank you. Your number is 1 2 3 4 5 6 7 8. Your balance is two hundred dollars.',
      end: 'hangup',
    },
    rejected: { prompt: 'That number is not known. Goodbye.', end: 'hangup' },
    cards: { prompt: 'All agents are busy.', end: 'dead-air' },
  },
};

type Step = Record<string, unknown>;

async function run(
  steps: readonly Step[],
  options: {
    readonly row?: Record<string, string>;
    readonly line?: Partial<SimulatedDialerOptions>;
    readonly ivr?: object;
    readonly abortAfterMs?: number;
    readonly hangUp?: boolean;
    readonly budgetSeconds?: number;
    readonly onSound?: (sound: LiveSound) => void;
  } = {},
): Promise<CallTestEnd & { readonly events: CallTestEvent[] }> {
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
  const work = async (): Promise<CallTestEvent[]> => {
    const events: CallTestEvent[] = [];
    const script = runScript({
      target: 'sip:bank@127.0.0.1',
      steps: steps.map((step, index) => testStepSchema.parse({ name: `step ${String(index + 1)}`, ...step })),
      dialer,
      clock,
      signal: stop.signal,
      onSound: options.onSound,
      ...(options.row && { row: options.row }),
      ...(options.budgetSeconds !== undefined && { budgetSeconds: options.budgetSeconds }),
    });
    for await (const event of script) events.push(event);
    return events;
  };
  const events = await clock.run(work());
  const last = events.at(-1);
  assert.equal(last?.type, 'ended');
  for (const call of dialer.calls) assert.ok(call.ended, 'every call is hung up');
  return { ...last.ended, events };
}

type Said = Extract<ActiveCallEvent, { type: 'utterance' }>['utterance'];
/** Words that take the same time each. */
const wordsOf = ({ text: all, startMs }: Said): Said['words'] =>
  all.split(' ').map((text, index) => ({ text, startMs: startMs + 330 * index, endMs: startMs + 330 * (index + 1) }));
/** Changes what is recognised on a call. */
const withUtterances =
  (change: (utterance: Said) => Said) =>
  (call: SimulatedCall): void => {
    const listen = call.listen.bind(call);
    call.listen = (listener) =>
      listen((event) =>
        listener(event.type === 'utterance' ? { ...event, utterance: change(event.utterance) } : event),
      );
  };

const dial = {
  action: { type: 'dial' },
  expectedTranscript: 'Welcome to the bank. For accounts, press one. For cards, press two.',
};
const accounts = { action: { type: 'press', keys: '1' }, expectedTranscript: 'Please enter your account number' };
const outcomes = (end: CallTestEnd): string[] => end.steps.map(({ outcome }) => outcome);

describe('engine: scripted tests', () => {
  it('pass if the expected words are heard, with similarity, times and both sides of the call', async () => {
    const end = await run([
      dial,
      accounts,
      { action: { type: 'press', keys: '12345678#' }, expectedTranscript: 'your balance is $200' },
      { action: { type: 'hangUp' } },
    ]);
    assert.deepEqual([end.outcome, end.reason, outcomes(end)], ['PASS', undefined, ['PASS', 'PASS', 'PASS', 'PASS']]);
    assert.ok(end.steps.slice(0, 3).every(({ similarity = 0 }) => similarity >= 0.8));
    assert.ok((end.steps[1]?.latencyMs ?? -1) >= 0);
    assert.deepEqual(
      end.transcript.map(({ speaker }) => speaker),
      ['them', 'us', 'them', 'us', 'them'],
    );
    assert.ok(end.callSeconds > 5 && (end.postDialMs ?? 0) > 0);
    assert.deepEqual(end.events.filter(({ type }) => type === 'turn').length, end.transcript.length);
  });

  it("don't pass what a step expects that hangs up, as old stored tests can", async () => {
    for (const expects of [{ expectedTranscript: 'Goodbye' }, { expectedEnd: 'hangup' }]) {
      const end = await run([dial, { action: { type: 'hangUp' }, ...expects }]);
      assert.deepEqual([end.outcome, outcomes(end)], ['ERROR', ['PASS', 'ERROR']]);
      assert.match(end.reason ?? '', /an earlier step, or make this step an "expect" step/);
    }
    assert.equal(
      (await run([dial, { action: { type: 'hangUp' }, expectedTranscript: 'Goodbye', optional: true }])).outcome,
      'PASS',
    );
  });

  it('continue even if words become text only while the menu is being repeated', async () => {
    const main = { ...bank.states.main, timeoutMs: 3000, maxTries: 3 };
    const end = await run([dial, { ...accounts, timing: { promptWithinSeconds: 2 } }, { action: { type: 'hangUp' } }], {
      ivr: { ...bank, states: { ...bank.states, main } },
      line: { textMs: 4500 },
    });
    assert.deepEqual([end.reason, outcomes(end)], [undefined, ['PASS', 'PASS', 'PASS']]);
    assert.equal(end.steps[1]?.latencyMs, undefined, 'the key was pressed into a prompt');
    assert.ok(end.callSeconds < 20, 'not after the last time the menu was said');
    assert.deepEqual(
      outcomes(await run([dial, accounts, { action: { type: 'hangUp' } }], { line: { textMs: 12_000 } })),
      ['PASS', 'PASS', 'PASS'],
    );
  });

  it("don't blame the called side if this machine was too busy to act in time", async () => {
    const main = { ...bank.states.main, timeoutMs: 3000, maxTries: 1, onExhausted: 'cards' };
    const within = (textMs: number, more: Partial<typeof main> = {}, steps: readonly Step[] = [dial, accounts]) =>
      run(steps, { ivr: { ...bank, states: { ...bank.states, main: { ...main, ...more } } }, line: { textMs } });
    const late = await within(4500);
    assert.deepEqual([late.outcome, outcomes(late)], ['INCONCLUSIVE', ['PASS', 'INCONCLUSIVE']]);
    assert.match(
      late.reason ?? '',
      /^Step “step 2”: .* this machine was so busy .* up to \d\.\d s late\. Run the test again/,
    );
    assert.ok((late.steps[1]?.startMs ?? 0) > 0, 'the step was reached');
    const over = await within(4500, { onExhausted: 'rejected' }, [
      dial,
      { action: { type: 'press', keys: '1' } },
      accounts,
    ]);
    assert.equal(over.outcome, 'INCONCLUSIVE');
    // If it was in time, or had nothing to do yet, the called side is at fault.
    const wrong = [dial, { ...accounts, expectedTranscript: 'Please tell me the name of your branch' }];
    assert.equal((await within(950, { timeoutMs: 8000 }, wrong)).outcome, 'FAIL');
    assert.equal(
      (await within(4500, { timeoutMs: 8000 }, [{ ...dial, expectedTranscript: 'Welcome to the clinic of your town' }]))
        .outcome,
      'FAIL',
    );
    // A step that waits on purpose, or that heard unexpected words, keeps no IVR waiting.
    for (const between of [
      { action: { type: 'wait', seconds: 5 } },
      { action: { type: 'expect' }, expectedTranscript: 'Welcome to the clinic of your town', optional: true },
    ])
      assert.equal((await within(950, { timeoutMs: 30_000 }, [dial, between, ...wrong.slice(1)])).outcome, 'FAIL');
  });

  it("don't mistake words that never become text for silence", async () => {
    const unread = await run([{ ...dial, expectedTranscript: 'All agents are busy' }], {
      ivr: { ...bank, start: 'cards', states: { cards: bank.states.cards } },
      line: { textMs: 30_000 },
    });
    assert.deepEqual([unread.outcome, outcomes(unread)], ['INCONCLUSIVE', ['INCONCLUSIVE']]);
    assert.match(unread.reason ?? '', /no words were recognised\. .* this machine was so busy/);
    assert.ok((unread.hangUp?.atMs ?? 0) > 20_000, 'when it ended is known before its words are');
  });

  it('ignore half a word of the prompt that a key cut off', async () => {
    const onCall = withUtterances((utterance) => {
      if (!utterance.text.startsWith('Please enter')) return utterance;
      const startMs = utterance.startMs - 250;
      return {
        ...utterance,
        startMs,
        text: `No ${utterance.text}`,
        words: [{ text: 'No', startMs, endMs: utterance.startMs }, ...wordsOf(utterance)],
      };
    });
    const end = await run([dial, accounts], { line: { onCall } });
    assert.deepEqual([end.reason, outcomes(end)], [undefined, ['PASS', 'PASS']]);
    assert.deepEqual(
      end.transcript.slice(1, 4).map(({ text }) => text),
      ['No', '[keys 1]', 'Please enter your account number followed by the pound key.'],
    );
    assert.match(end.steps[1]?.transcript ?? '', /^Please/, 'a step has the same words');
  });

  it('use the values of a row, and mask secrets everywhere', async () => {
    const steps = [
      dial,
      accounts,
      {
        action: { type: 'press', keys: '{account}#' },
        secret: true,
        expectedTranscript: 'Thank you. Your number is {account}.',
      },
    ];
    const end = await run(steps, { row: { account: '12345678' } });
    assert.equal(end.outcome, 'PASS');
    const told = JSON.stringify(end);
    for (const secret of ['12345678', '1 2 3 4 5 6 7 8', '5 6 7 8']) assert.ok(!told.includes(secret), secret);
    assert.match(told, /••••/);
  });

  it('say in a failed step why the called side may not have understood the keys', async () => {
    const trouble = 'No telephone-event was agreed with the called side, so keys were sent as tones (in-band).';
    const onCall = (call: SimulatedCall): void => {
      call.keyTrouble = () => (call.keys.length > 0 ? trouble : undefined);
    };
    const wrong = await run([dial, { ...accounts, expectedTranscript: 'Which card did you lose?' }], {
      line: { onCall },
    });
    assert.match(wrong.steps[1]?.reason ?? '', /^Unexpected words were heard\. No telephone-event .* \(in-band\)\.$/);
    const before = await run([{ ...dial, expectedTranscript: 'Which card did you lose?' }], { line: { onCall } });
    assert.match(before.reason ?? '', /Unexpected words were heard\.$/);
  });

  it('press keys as their step says', async () => {
    const pressed: unknown[] = [];
    const onCall = (call: SimulatedCall): void => {
      const press = call.press.bind(call);
      call.press = async (keys, options) => {
        pressed.push(options);
        await press(keys);
      };
    };
    const slow = { ...accounts.action, keyToneMs: 300, keyGapMs: 250, dtmf: 'inband' };
    for (const action of [accounts.action, slow]) await run([dial, { ...accounts, action }], { line: { onCall } });
    assert.deepEqual(pressed, [{}, { toneMs: 300, gapMs: 250, via: 'inband' }]);
  });

  it('name the target of a transfer by REFER, without a secret in it', async () => {
    const onCall = (call: SimulatedCall): void => {
      const press = call.press.bind(call);
      call.press = async (keys) => {
        await press(keys);
        if (keys === '12345678#') call.transferByIvr('sip:agents+12345678@pbx.example.com');
      };
    };
    const end = await run(
      [
        dial,
        accounts,
        { action: { type: 'press', keys: '12345678#' }, secret: true, expectedEnd: 'transfer-ringback' },
        { action: { type: 'expect' }, expectedEnd: 'hangup', optional: true },
        { action: { type: 'wait', seconds: 60 } },
      ],
      { line: { onCall } },
    );
    assert.deepEqual(outcomes(end), ['PASS', 'PASS', 'PASS', 'FAIL', 'FAIL']);
    assert.match(
      end.steps[3]?.reason ?? '',
      /Expected: The called side hangs up\. Instead: The call is transferred by REFER to sip:agents\+••••/,
    );
    assert.equal(end.hangUp?.transferTo, 'sip:agents+••••@pbx.example.com');
    assert.match(end.reason ?? '', /transferred by REFER to sip:agents\+••••@pbx\.example\.com, which/);
    assert.doesNotMatch(
      JSON.stringify({ ...end, events: end.events.filter(({ type }) => type !== 'audio') }),
      /12345678/,
    );
  });

  it('mask a secret before it is given, also in the reason of a failed step', async () => {
    const main = { ...bank.states.main, prompt: 'Welcome to the bank. Your code is 4711. For accounts, press 1.' };
    const end = await run(
      [
        { ...dial, expectedTranscript: 'Your code is 4712, they said' },
        { action: { type: 'press', keys: '4711#' }, secret: true },
      ],
      { ivr: { ...bank, states: { ...bank.states, main } } },
    );
    assert.notEqual(end.outcome, 'PASS');
    assert.match(JSON.stringify(end.steps), /••••/);
    assert.doesNotMatch(JSON.stringify({ ...end, events: end.events.filter(({ type }) => type !== 'audio') }), /4711/);
  });

  it('mask a secret in the words that read it back, also without its terminating key', async () => {
    const reads = (prompt: string): object => ({
      ...bank,
      states: {
        ...bank.states,
        accounts: { ...bank.states.accounts, collect: { ...bank.states.accounts.collect, accept: ['4711'] } },
        balance: { prompt, end: 'hangup' },
      },
    });
    for (const said of ['four seven one one', 'forty seven eleven', 'four seven double one', 'four seven one']) {
      const end = await run(
        [
          dial,
          accounts,
          {
            action: { type: 'press', keys: '4711#' },
            secret: true,
            expectedTranscript: 'Thank you. You have a new balance',
          },
        ],
        { ivr: reads(`Thank you. You entered ${said}. Press 1 to pay 471 dollars.`) },
      );
      const told = JSON.stringify({ ...end, events: end.events.filter(({ type }) => type !== 'audio') });
      assert.ok(!told.includes(said), said);
      assert.match(end.hangUp?.sentence ?? '', /You entered ••••\. Press 1 to pay 471 dollars/);
    }
    const main = { ...bank.states.main, prompt: 'Welcome to the bank. You have 47 messages. For accounts, press 1.' };
    const pieces = {
      ...reads('You entered four seven.'),
      states: {
        ...bank.states,
        main,
        accounts: { ...bank.states.accounts, collect: { ...bank.states.accounts.collect, accept: ['4711'] } },
        balance: { prompt: 'You entered four seven.', end: 'hangup' },
      },
    };
    const inPieces = await run(
      [
        { ...dial, expectedTranscript: 'Welcome to the bank' },
        accounts,
        { action: { type: 'press', keys: '4711#' }, secret: true, expectedTranscript: 'You entered' },
      ],
      { ivr: pieces },
    );
    assert.ok(
      !JSON.stringify(inPieces.events.filter(({ type }) => type !== 'audio')).includes('four seven'),
      'in pieces soon after it was given',
    );
    assert.ok(
      inPieces.transcript.some(({ text }) => text.includes('47 messages')),
      'and not before',
    );
    const spoken = await run(
      [
        dial,
        accounts,
        { action: { type: 'say', text: 'My code is 4711.' }, secret: true },
        { action: { type: 'press', keys: '4711#' }, expectedTranscript: 'You entered' },
      ],
      { ivr: reads('You entered four seven one one.') },
    );
    assert.ok(!/4711|four seven/.test(JSON.stringify(spoken.events.filter(({ type }) => type !== 'audio'))));
  });

  it('silence both sides while secret keys are pressed, and while their tones can return', async () => {
    const onCall = (call: SimulatedCall): void => {
      call.audio = (fromMs, toMs) => new Int16Array(Math.round((toMs - fromMs) * 8)).fill(500);
    };
    for (const secret of [true, false]) {
      let live: LiveSound | undefined;
      const end = await run(
        [
          dial,
          accounts,
          { action: { type: 'press', keys: '4711#' }, secret },
          { action: { type: 'wait', seconds: 4 } },
        ],
        { line: { onCall }, onSound: (sound) => (live = sound) },
      );
      assert.equal(
        live?.read(0, live.now()).some((sample) => sample !== 0),
        !secret,
        'live, until it has had time to be read back',
      );
      const audio = end.events.find((event) => event.type === 'audio')?.audio;
      const turn = end.transcript.find(({ text }) => text.startsWith('[keys') && text !== '[keys 1]');
      assert(audio && turn?.startMs !== undefined && turn.endMs !== undefined);
      const loud = (fromMs: number, toMs: number): boolean =>
        audio.read(fromMs * 8, toMs * 8).them.some((sample) => sample !== 0);
      assert.deepEqual(
        [
          loud(turn.startMs, turn.endMs + 1500),
          loud(turn.endMs + 1700, turn.endMs + 2000),
          loud(turn.startMs - 500, turn.startMs - 200),
        ],
        [!secret, true, true],
      );
    }
  });

  it('reveal nothing that a secret step collects, not even in earlier steps', async () => {
    const onCall = withUtterances((utterance) => ({ ...utterance, words: wordsOf(utterance) }));
    const ivr = {
      ...bank,
      states: {
        ...bank.states,
        main: { ...bank.states.main, prompt: 'Welcome to the bank. Your code is 482913. For accounts, press 1.' },
      },
    };
    const steps = [
      { action: { type: 'dial' }, expectedTranscript: 'Welcome to the bank. Your code is' },
      { action: { type: 'collect', name: 'code', pattern: '(\\d{6})' }, secret: true },
      accounts,
    ];
    const end = await run(steps, { ivr, line: { onCall } });
    assert.deepEqual([end.reason, outcomes(end)], [undefined, ['PASS', 'PASS', 'PASS']]);
    assert.match(end.steps[0]?.transcript ?? '', /Your code is ••••/);
    const told = (events: readonly CallTestEvent[]): string =>
      JSON.stringify(events.filter(({ type }) => type !== 'audio'));
    assert.ok(!told(end.events).includes('482913'));
    const reported: Turn[] = [];
    for (const event of end.events) if (event.type === 'turn') addTurn(reported, event.turn);
    assert.deepEqual(reported, end.transcript);
    assert.deepEqual(
      end.events.flatMap((event) => (event.type === 'step' ? [event.result] : [])),
      end.steps,
    );
    const failed = await run(
      [{ ...steps[0], expectedTranscript: 'Our shops are closed on holidays' }, ...steps.slice(1)],
      { ivr, line: { onCall } },
    );
    assert.deepEqual(outcomes(failed), ['FAIL', 'INCONCLUSIVE', 'INCONCLUSIVE']);
    assert.ok(!told(failed.events).includes('482913'), 'not where the test ends before it');
    assert.match(told(failed.events), /press 1/);
  });

  it('keep the match of a pattern for later steps', async () => {
    const end = await run([
      dial,
      accounts,
      { action: { type: 'press', keys: '12345678#' } },
      { action: { type: 'collect', name: 'sum', pattern: 'balance is (\\w+ \\w+)' } },
      { action: { type: 'say', text: 'I heard {sum}' } },
    ]);
    assert.deepEqual(outcomes(end).slice(0, 4), ['PASS', 'PASS', 'PASS', 'PASS']);
    const missing = await run([dial, { action: { type: 'collect', name: 'sum', pattern: 'balance is (\\d+)' } }]);
    assert.match(missing.reason ?? '', /Nothing that was heard matches the pattern/);
    const spoken = (said: string): object => ({
      name: 'Refs',
      language: 'en-US',
      start: 'main',
      states: {
        main: {
          prompt: `Your reference number is ${said}. Please enter it now.`,
          collect: { min: 5, max: 5, accept: ['47192'], next: 'right', onReject: 'wrong' },
        },
        right: { prompt: 'That is right.', end: 'hangup' },
        wrong: { prompt: 'That is wrong.', end: 'hangup' },
      },
    });
    for (const said of ['four seven one nine two', '4 7 1 9 2', '47192', 'four, seven, one, nine, two']) {
      const pressed = await run(
        [
          { action: { type: 'collect', name: 'ref', pattern: 'number is (\\d+)' } },
          { action: { type: 'press', keys: '{ref}' }, expectedTranscript: 'That is right.' },
        ],
        { ivr: spoken(said) },
      );
      assert.deepEqual([pressed.reason, outcomes(pressed)], [undefined, ['PASS', 'PASS']], said);
    }
    const secret = await run(
      [{ action: { type: 'collect', name: 'ref', pattern: 'number is (\\d+)' }, secret: true }],
      { ivr: spoken('four seven one nine two') },
    );
    assert.ok(secret.outcome === 'PASS' && !/47192|four seven/.test(JSON.stringify([secret.steps, secret.transcript])));
    const words = await run(
      [
        { action: { type: 'collect', name: 'ref', pattern: 'number is ([a-z ]+)' } },
        { action: { type: 'press', keys: '{ref}' }, expectedTranscript: 'That is right.' },
      ],
      { ivr: spoken('four seven one nine two') },
    );
    assert.deepEqual([words.reason, outcomes(words)], [undefined, ['PASS', 'PASS']], 'words are pressed as keys');
    const early = await run(
      [
        { action: { type: 'dial' }, expectedTranscript: 'Our shops are closed on holidays' },
        { action: { type: 'collect', name: 'ref', pattern: 'number is (\\d+)' }, secret: true },
      ],
      { ivr: spoken('four seven one nine two') },
    );
    assert.ok(
      early.outcome === 'FAIL' && !/47192|four seven/.test(JSON.stringify([early.steps, early.transcript])),
      'nor where the test ended before',
    );
  });

  it('distinguish a wrong menu, other words, dead air and an early hang-up', async () => {
    const wrongMenu = await run([
      dial,
      { action: { type: 'press', keys: '1' }, expectedTranscript: 'All agents are busy.' },
      {
        name: 'number',
        action: { type: 'expect' },
        expectedTranscript: 'Please enter your account number followed by the pound key',
      },
    ]);
    assert.match(wrongMenu.reason ?? '', /Wrong menu: this is what step “number” expects/);
    assert.deepEqual(outcomes(wrongMenu), ['PASS', 'FAIL', 'INCONCLUSIVE']);
    assert.match(
      (await run([{ ...dial, expectedTranscript: 'Our shops are closed on holidays' }])).reason ?? '',
      /Unexpected words were heard/,
    );
    assert.match(
      (
        await run([
          dial,
          { action: { type: 'press', keys: '2' }, expectedTranscript: 'All agents are busy.' },
          { action: { type: 'expect' } },
        ])
      ).reason ?? '',
      /Dead air/,
    );
    const early = await run([
      dial,
      accounts,
      { action: { type: 'press', keys: '1111#' }, expectedTranscript: 'your balance is two hundred dollars' },
    ]);
    assert.match(early.reason ?? '', /Unexpected words were heard/, 'what was said was no beginning of it');
    assert.equal(early.hangUp?.by, 'them');
    assert.match(early.hangUp.sentence, /The other side hung up .* after “.*Goodbye”/);
    const gone = await run([
      dial,
      accounts,
      { action: { type: 'press', keys: '1111#' } },
      { action: { type: 'wait', seconds: 30 } },
      { action: { type: 'press', keys: '5' } },
    ]);
    assert.match(gone.reason ?? '', /Step “step 4”: Early hang-up: The other side hung up/, 'the wait was cut short');
    const cut = await run(
      [
        dial,
        { ...accounts, expectedTranscript: 'That number is not known. Goodbye. Have a nice day and call again soon.' },
      ],
      {
        ivr: {
          name: 'Cut',
          language: 'en-US',
          start: 'main',
          states: { main: bank.states.main, accounts: bank.states.rejected, cards: bank.states.cards },
        },
      },
    );
    assert.match(cut.reason ?? '', /Early hang-up: the call ended before the expected words were heard/);
  });

  it('listen from the key on, and measure from there', async () => {
    const deaf = {
      name: 'Deaf',
      language: 'en-US',
      start: 'main',
      states: {
        main: { prompt: 'Welcome to the travel line. For baggage, press 3.', keys: { 3: 'baggage' } },
        baggage: { prompt: '', end: 'dead-air' },
      },
    };
    const wait = { action: { type: 'wait', seconds: 6 } };
    const press = { action: { type: 'press', keys: '3' } };
    for (const expect of [
      { action: { type: 'expect' } },
      { action: { type: 'expect' }, expectedTranscript: 'Welcome to the travel line' },
      { action: { type: 'collect', name: 'key', pattern: 'press (\\d)' } },
    ]) {
      const end = await run([{ action: { type: 'dial' } }, wait, press, expect], { ivr: deaf });
      assert.match(end.reason ?? '', /Step “step 4”: Dead air/);
    }
    const slow = await run(
      [
        { action: { type: 'dial' } },
        wait,
        { action: { type: 'press', keys: '1' } },
        {
          action: { type: 'expect' },
          expectedTranscript: 'Please enter your account number',
          timing: { promptWithinSeconds: 1 },
        },
      ],
      { line: { latencyOf: (prompt) => (prompt.startsWith('Please') ? 3000 : 0) } },
    );
    assert.match(slow.reason ?? '', /The answer began after 3\.\d s, not within 1 s/);
  });

  it("fail steps that couldn't run any more, unless the called side was expected to hang up", async () => {
    const short = { name: 'Short', language: 'en-US', start: 'main', states: { main: { prompt: '', end: 'hangup' } } };
    for (const action of [
      { type: 'press', keys: '1' },
      { type: 'say', text: 'Hello' },
    ]) {
      const end = await run([{ action: { type: 'dial' } }, { action }], { ivr: short });
      assert.deepEqual(outcomes(end), ['PASS', 'FAIL']);
      assert.match(end.reason ?? '', /The call ended before this step: The other side hung up/);
      assert.equal(
        (await run([{ action: { type: 'dial' } }, { action, optional: true }], { ivr: short })).outcome,
        'PASS',
      );
      assert.equal(
        (await run([{ action: { type: 'dial' } }, { action, expectedEnd: 'hangup' }], { ivr: short })).outcome,
        'PASS',
      );
    }
    const wait = { action: { type: 'wait', seconds: 60 } };
    assert.match(
      (await run([{ action: { type: 'dial' } }, wait], { ivr: short })).reason ?? '',
      /Step “step 2”: Early hang-up/,
    );
    assert.equal(
      (await run([{ action: { type: 'dial' } }, { ...wait, expectedEnd: 'hangup' }], { ivr: short })).outcome,
      'PASS',
    );
  });

  it('expect no empty text, and any words for "*" alone', async () => {
    for (const expectedTranscript of ['{x}', '{x} ...', 'um, {x}']) {
      const end = await run([{ ...dial, expectedTranscript }], { row: { x: '' } });
      assert.deepEqual([end.outcome, outcomes(end)], ['ERROR', ['ERROR']]);
      assert.match(end.reason ?? '', /expected transcript has no words/);
      assert.equal(end.callSeconds, 0, 'nobody was called');
    }
    assert.equal((await run([{ ...dial, expectedTranscript: '*' }])).outcome, 'PASS');
    assert.match(
      (
        await run([
          dial,
          { action: { type: 'press', keys: '2' }, expectedTranscript: 'All agents are busy.' },
          { action: { type: 'expect' }, expectedTranscript: '*' },
        ])
      ).reason ?? '',
      /Dead air/,
    );
  });

  it("listen for the beginning of a prompt whose words don't matter", async () => {
    const timing = { promptWithinSeconds: 2 };
    const steps = [
      { action: { type: 'dial' }, timing },
      { action: { type: 'wait', seconds: 6 } },
      { action: { type: 'press', keys: '1' }, timing },
    ];
    const late = (ms: number, beginning: string): Parameters<typeof run>[1] => ({
      line: { latencyOf: (prompt) => (prompt.startsWith(beginning) ? ms : 0) },
    });
    const end = await run(steps);
    assert.deepEqual([end.reason, outcomes(end)], [undefined, ['PASS', 'PASS', 'PASS']]);
    assert.ok((end.steps[0]?.latencyMs ?? -1) >= 0 && (end.steps[2]?.latencyMs ?? -1) >= 0);
    assert.match((await run(steps, late(5000, 'Welcome'))).reason ?? '', /Step “step 1”: Nothing was said within 2 s/);
    assert.match(
      (await run(steps, late(2300, 'Please'))).reason ?? '',
      /Step “step 3”: The answer began after 2\.\d s, not within 2 s/,
    );
    assert.match(
      (
        await run([...steps.slice(0, 2), { action: { type: 'press', keys: '2' }, timing }], {
          ivr: { ...bank, states: { ...bank.states, cards: { prompt: '', end: 'dead-air' } } },
        })
      ).reason ?? '',
      /Step “step 3”: Nothing was said within 2 s/,
    );
  });

  it('let it ring for as long as the dial step allows, and for at least a minute, whatever the budget', async () => {
    const rung: (number | undefined)[] = [];
    const dialer = {
      dial: (_target: string, _signal: AbortSignal, options?: DialOptions) => {
        rung.push(options?.ringSeconds);
        return Promise.reject(new DialError({ by: 'local', kind: 'noAnswer', reason: 'no answer in time' }));
      },
    };
    for (const [timing, budgetSeconds] of [
      [{}, 500],
      [{ answerWithinSeconds: 5 }, 500],
      [{ answerWithinSeconds: 90 }, 500],
      [{}, 20],
    ] as const) {
      const script = runScript({
        target: 'sip:bank@127.0.0.1',
        steps: [testStepSchema.parse({ name: 'dial', ...dial, timing })],
        dialer,
        clock: new VirtualClock(),
        signal: new AbortController().signal,
        budgetSeconds,
      });
      for await (const event of script) if (event.type === 'ended') assert.equal(event.ended.outcome, 'FAIL');
    }
    assert.deepEqual(rung, [60, 60, 90, 60]);
  });

  for (const [refuses, outcome, holds] of [
    [undefined, 'PASS', [true, false]],
    [true, 'FAIL', [true]],
    [false, 'FAIL', [true, false]],
  ] as const)
    it(`put the called side on hold while they wait, which ${refuses === undefined ? 'it accepts' : refuses ? 'it refuses' : 'it refuses to end'}`, async () => {
      let call: SimulatedCall | undefined;
      const line = {
        onCall: (one: SimulatedCall) => {
          call = one;
          one.acceptsHold = (isHeld) => isHeld !== refuses;
        },
      };
      const end = await run([{ action: { type: 'dial' } }, { action: { type: 'wait', seconds: 5, onHold: true } }], {
        line,
      });
      assert.deepEqual([end.outcome, call?.holds], [outcome, holds]);
    });

  describe('that expect words before the answer', () => {
    const announcement = 'The number you have dialled is not in service.';
    const early = { action: { type: 'dial' }, heardBeforeAnswer: announcement };
    const hangUp = { action: { type: 'hangUp' } };
    const told = (line: Partial<SimulatedDialerOptions>, steps: readonly Step[] = [early], said = announcement) =>
      run(steps, { ivr: { ...bank, announcement: said }, line });
    const refused = { refuse: () => 603 };

    it('pass if a call is refused after them, and keep them', async () => {
      const end = await told(refused, [early, hangUp]);
      assert.deepEqual([end.outcome, outcomes(end)], ['PASS', ['PASS', 'PASS']]);
      assert.equal(
        end.hangUp?.sentence,
        `The call was refused (SIP 603). Check that the called side accepts calls from this caller ID. Before that, it said: “${announcement}”`,
      );
      const [turn] = end.transcript;
      assert.deepEqual([turn?.text, turn?.beforeAnswer, turn?.startMs], [announcement, true, 200]);
      const audio = end.events.find((event) => event.type === 'audio')?.audio;
      assert.ok(audio && audio.read(0, audio.length).them.every((sample) => sample === 1000), 'the recording');
      assert.equal(end.events.filter(({ type }) => type === 'turn').length, 1);
    });

    it('fail if others are said, or if the call is refused although more is expected', async () => {
      const other = await told(refused, undefined, 'All circuits are busy.');
      assert.match(
        other.reason ?? '',
        /Unexpected words were heard before the answer\. The call was refused \(SIP 603\)/,
      );
      for (const more of [{ expectedEnd: 'voicemail' }, { timing: { answerWithinSeconds: 5 } }])
        assert.equal((await told(refused, [{ ...early, ...more }])).outcome, 'FAIL');
      const later = await told(refused, [early, { action: { type: 'expect' } }]);
      assert.deepEqual(outcomes(later), ['PASS', 'FAIL']);
      assert.match(later.reason ?? '', /refused \(SIP 603\)/);
      const nothing = await run([early], { line: refused });
      assert.match(nothing.reason ?? '', /Nothing was said before the answer\. The call was refused/);
    });

    it('continue with an answered call, whose times begin at the answer', async () => {
      const end = await told({}, [early, { ...dial, action: { type: 'expect' } }, hangUp]);
      assert.deepEqual([end.reason, outcomes(end)], [undefined, ['PASS', 'PASS', 'PASS']]);
      assert.deepEqual([end.steps[0]?.transcript, end.steps[0]?.similarity], [announcement, 1]);
      const [before, after] = end.transcript;
      assert.ok((before?.startMs ?? 0) < 0 && before?.endMs === 0 && (after?.startMs ?? -1) >= 0);
    });

    it("don't blame the called side for words that didn't become text in time", async () => {
      for (const line of [{ textMs: 30_000 }, { ...refused, textMs: 30_000 }]) {
        const late = await told(line);
        assert.equal(late.outcome, 'INCONCLUSIVE');
        assert.match(late.reason ?? '', /Nothing was said before the answer\..* this machine was so busy/);
      }
    });

    it('mask what is secret, in words and in the recording', async () => {
      const pin = { action: { type: 'press', keys: '47192' }, secret: true };
      const end = await told(refused, [early, pin], 'Your code is 47192.');
      assert.doesNotMatch(JSON.stringify([end.transcript, end.steps, end.reason, end.hangUp]), /47192/);
      const audio = end.events.find((event) => event.type === 'audio')?.audio;
      assert.ok(audio?.read(4000, 6000).them.every((sample) => sample === 0));
    });
  });

  it("report that the called side didn't stop speaking", async () => {
    const prompt = Array.from({ length: 400 }, (_, index) => `offer${String(index)}`).join(' ');
    const end = await run([{ action: { type: 'dial' }, expectedTranscript: 'Please enter your account number' }], {
      ivr: { name: 'Talker', language: 'en-US', start: 'main', states: { main: { prompt, end: 'hangup' } } },
    });
    assert.match(end.reason ?? '', /spoke for 120 s without a pause/);
  });

  it('recognise how the call ends after the words, and report what happened instead', async () => {
    const ending = async (
      end: string,
      expectedEnd: string,
      prompt = 'One moment please.',
    ): Promise<readonly [string, string | undefined]> => {
      const ivr = { name: 'Ends', language: 'en-US', start: 'main', states: { main: { prompt, end } } };
      const { outcome, reason } = await run([{ action: { type: 'dial' }, expectedTranscript: prompt, expectedEnd }], {
        ivr,
      });
      return [outcome, reason];
    };
    const kinds = ['hangup', 'transfer-ringback', 'human', 'hold-music', 'voicemail', 'busy', 'fax', 'dead-air'];
    for (const kind of kinds) assert.deepEqual(await ending(kind, kind), ['PASS', undefined], kind);
    for (const kind of kinds)
      assert.equal((await ending(kind, kind === 'hangup' ? 'human' : 'hangup'))[0], 'FAIL', kind);
    assert.match(
      (await ending('hold-music', 'hangup'))[1] ?? '',
      /Expected: The called side hangs up\. Instead: Music plays/,
    );
    assert.match(
      (await ending('dead-air', 'transfer-ringback'))[1] ?? '',
      /Expected: It rings\. Instead: The line is silent/,
    );
    assert.equal(
      (await run([dial, { ...accounts, expectedEnd: 'hangup' }])).outcome,
      'FAIL',
      'a menu that waits for a key is no end',
    );
  });

  it("don't wait for more if a menu with other words waits for a key", async () => {
    const end = await run([{ ...dial, expectedTranscript: 'Our shops are closed on holidays' }]);
    assert.match(end.reason ?? '', /Unexpected words were heard/);
    assert.ok(end.callSeconds < 10, `hung up after ${String(end.callSeconds)} s`);
    assert.equal(end.hangUp?.by, 'us');
  });

  it('continue after an optional step, and after one that was only late', async () => {
    const end = await run([
      dial,
      { action: { type: 'expect' }, expectedTranscript: 'A survey follows', optional: true },
      accounts,
    ]);
    assert.equal(end.outcome, 'PASS');
    assert.deepEqual(
      end.steps.map(({ outcome, optional }) => [outcome, optional]),
      [
        ['PASS', undefined],
        ['FAIL', true],
        ['PASS', undefined],
      ],
    );
    const late = await run([{ ...dial, timing: { answerWithinSeconds: 0.1, promptWithinSeconds: 0 } }, accounts], {
      ivr: { ...bank, answerAfterMs: 3000 },
    });
    assert.deepEqual([late.outcome, outcomes(late)], ['FAIL', ['FAIL', 'PASS']]);
    assert.match(late.reason ?? '', /answered after 3\.\d s, not within 0\.1 s/);
    const quiet = await run([
      dial,
      { action: { type: 'press', keys: '2' } },
      { action: { type: 'wait', seconds: 9 }, timing: { silenceAtMostSeconds: 3 } },
    ]);
    assert.match(quiet.reason ?? '', /silence of \d\.\d s\. Up to 3 s are allowed/);
  });

  it("fail if the number is busy, and give no verdict if it doesn't exist", async () => {
    const busy = await run([dial, accounts], { line: { refuse: () => 486 } });
    assert.deepEqual([busy.outcome, outcomes(busy)], ['FAIL', ['FAIL', 'INCONCLUSIVE']]);
    assert.match(busy.reason ?? '', /busy \(SIP 486\)/);
    assert.equal(busy.callSeconds, 0);
  });

  it('hang up when they are cancelled; what was heard stays', async () => {
    const cancelled = await run([dial, { action: { type: 'wait', seconds: 60 } }], { abortAfterMs: 9000 });
    assert.deepEqual([cancelled.outcome, cancelled.reason], ['ERROR', 'Step “step 2”: Cancelled.']);
    assert.ok(cancelled.transcript.length > 0);
    const hungUp = await run([dial], { abortAfterMs: 3000, hangUp: true });
    assert.deepEqual(
      [hungUp.outcome, hungUp.reason],
      ['ERROR', 'Step “step 1”: Cancelled.'],
      'that we hang up then is no early hang-up',
    );
  });

  it('hang up when their seconds are used up, in any step', async () => {
    const text = Array.from({ length: 100 }, () => 'word').join(' ');
    const end = await run(
      [{ action: { type: 'dial' } }, { action: { type: 'say', text }, optional: true }, { action: { type: 'hangUp' } }],
      { budgetSeconds: 12 },
    );
    assert.deepEqual(
      [end.outcome, outcomes(end), end.callSeconds, end.hangUp?.by],
      ['ERROR', ['PASS', 'ERROR', 'INCONCLUSIVE'], 12 - lettingGoSeconds, 'us'],
    );
    assert.match(end.reason ?? '', /This run used up its 12 s, so Dialtree hung up/);
  });

  it('end with what was heard if something fails after their own hang-up', async () => {
    const onCall = (call: SimulatedCall): void => {
      Object.defineProperty(call, 'setupSeconds', {
        get: () => {
          if (call.ended) throw new Error('the time of the setup is lost');
          return 1;
        },
      });
    };
    const end = await run([dial, { action: { type: 'hangUp' } }], { line: { onCall } });
    assert.deepEqual(
      [end.outcome, end.reason, outcomes(end)],
      ['ERROR', 'the time of the setup is lost', ['PASS', 'PASS']],
    );
    assert.ok(end.transcript.length > 0 && end.callSeconds > 5);
  });

  it('name a missing value, and bound a pattern that would never end', async () => {
    assert.match(
      (await run([dial, { action: { type: 'press', keys: '{pin}' } }])).reason ?? '',
      /\{pin\} has no value/,
    );
    const evil = await run([dial, { action: { type: 'collect', name: 'x', pattern: '((\\w+\\s?)*)*!' } }]);
    assert.match(evil.reason ?? '', /takes too long|Nothing that was heard matches/);
    assert.match(
      (await run([dial, { action: { type: 'collect', name: 'x', pattern: '(' } }])).reason ?? '',
      /isn't a valid regular expression/,
    );
  });

  it('keep the audio of all calls going while they compare a long script with what was heard', async () => {
    class CountingClock extends VirtualClock {
      turns = 0;
      override setTimeout(callback: () => void, delayMs: number): ReturnType<VirtualClock['setTimeout']> {
        if (delayMs === 0) this.turns += 1;
        return super.setTimeout(callback, delayMs);
      }
    }
    const clock = new CountingClock();
    const dialer = simulatedDialer({ ivr: ivrFileSchema.parse(bank), clock });
    const long = (step: number): string =>
      Array.from({ length: 1100 }, (_, index) => `word${String.fromCharCode(97 + ((index + step) % 26))}`).join(' ');
    const steps = Array.from({ length: 115 }, (_, step) =>
      testStepSchema.parse({
        name: `step ${String(step)}`,
        action: { type: step === 0 ? 'dial' : 'expect' },
        expectedTranscript: long(step),
      }),
    );
    const work = async (): Promise<void> => {
      for await (const event of runScript({
        target: 'sip:bank@127.0.0.1',
        steps,
        dialer,
        clock,
        signal: new AbortController().signal,
      }))
        assert.ok(event);
    };
    await clock.run(work());
    // At least one for each of the 20 steps after the failed one, and the others aren't compared.
    assert.ok(clock.turns >= 20 && clock.turns < 115, `${String(clock.turns)} turns`);
  });
});
