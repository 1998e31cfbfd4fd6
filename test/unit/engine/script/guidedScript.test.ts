import assert from 'node:assert/strict';
import { ivrFileSchema } from '../../../../src/contract/ivrFile.ts';
import { testStepSchema } from '../../../../src/contract/testConfigs.ts';
import type { TestStep } from '../../../../src/contract/testConfigs.ts';
import { runScript } from '../../../../src/engine/script/script.ts';
import type { CallTestEnd, CallTestEvent } from '../../../../src/engine/call/callTestEvent.ts';
import type { Word } from '../../../../src/speech/ear.ts';
import { testFromCall } from '../../../../src/model/tests/testFromCall.ts';
import { simulatedDialer, type SimulatedCall } from '../../../support/simulatedDialer.ts';
import { VirtualClock } from '../../../support/virtualClock.ts';

const menu = 'Welcome to the bank. For accounts, press 1. For cards, press 2.';
const bank = {
  name: 'Bank',
  language: 'en-US',
  start: 'main',
  states: {
    main: { prompt: menu, keys: { 1: 'accounts', 2: 'cards' }, timeoutMs: 8000, maxTries: 20 },
    accounts: {
      prompt: 'Your code is 4 7 1 1. Please enter it.',
      keys: { 9: 'bye' },
      timeoutMs: 125_000,
      onTimeout: { prompt: 'Are you still there?', next: 'cards' },
    },
    cards: { prompt: 'All agents are busy.', end: 'dead-air' },
    bye: { prompt: 'Thank you. Goodbye.', end: 'hangup' },
  },
};

type Given = readonly [atMs: number, step: Record<string, unknown>];
const dial = { action: { type: 'dial' } };
const press = (keys: string, more = {}) => ({ action: { type: 'press', keys }, ...more });
const hangUp = { action: { type: 'hangUp' } };
const stepOf = (step: Record<string, unknown>, name: string): TestStep => testStepSchema.parse({ name, ...step });

interface Guided extends CallTestEnd {
  readonly events: readonly (CallTestEvent & { readonly atMs: number })[];
  readonly endedMs: number;
}

/** Runs a call that is given each step at its time. */
async function guide(
  own: readonly Record<string, unknown>[],
  given: readonly Given[],
  {
    abortAfterMs,
    budgetSeconds,
    textMs,
    onCall,
  }: {
    readonly abortAfterMs?: number;
    readonly budgetSeconds?: number;
    readonly textMs?: number;
    readonly onCall?: (call: SimulatedCall) => void;
  } = {},
): Promise<Guided> {
  const clock = new VirtualClock();
  const dialer = simulatedDialer({
    ivr: ivrFileSchema.parse(bank),
    clock,
    ...(textMs !== undefined && { textMs }),
    ...(onCall && { onCall }),
  });
  const stop = new AbortController();
  if (abortAfterMs !== undefined) clock.setTimeout(() => stop.abort('Cancelled.'), abortAfterMs);
  const waiting: TestStep[] = [];
  let wake = (): void => undefined;
  for (const [index, [atMs, step]] of given.entries())
    clock.setTimeout(() => {
      waiting.push(stepOf(step, `given ${String(index + 1)}`));
      wake();
    }, atMs);
  const events: (CallTestEvent & { atMs: number })[] = [];
  const work = async (): Promise<number> => {
    const script = runScript({
      target: 'sip:bank@127.0.0.1',
      steps: own.map((step, index) => stepOf(step, `own ${String(index + 1)}`)),
      dialer,
      clock,
      signal: stop.signal,
      guide: {
        take: () => waiting.shift(),
        listen(woken) {
          wake = woken;
          return () => {
            wake = () => undefined;
          };
        },
      },
      ...(budgetSeconds !== undefined && { budgetSeconds }),
    });
    for await (const event of script) events.push({ ...event, atMs: clock.now() });
    return clock.now();
  };
  const endedMs = await clock.run(work());
  const last = events.at(-1);
  assert.equal(last?.type, 'ended');
  for (const call of dialer.calls) assert.ok(call.ended, 'every call is hung up');
  return { ...last.ended, events, endedMs };
}

const steps = (end: CallTestEnd): string[][] => end.steps.map(({ name, outcome }) => [name, outcome]);
const stepsAt = ({ events }: Guided): number[] =>
  events.flatMap(({ atMs, ...event }) => (event.type === 'step' ? [atMs] : []));
const heard = (end: CallTestEnd): string =>
  end.transcript.flatMap(({ speaker, text }) => (speaker === 'them' ? [text] : [])).join(' ');

describe('engine: guided scripts', () => {
  it('carry out their own steps, then each given step at once and in order, until one hangs up', async () => {
    const end = await guide(
      [{ ...dial, expectedTranscript: menu }],
      [
        [20_000, press('1')],
        [30_000, { action: { type: 'expect' }, expectedTranscript: 'Your code is' }],
        [30_000, { action: { type: 'wait', seconds: 1 } }],
        [30_000, hangUp],
        [30_000, press('2')],
      ],
    );
    assert.deepEqual([end.outcome, end.reason], ['PASS', undefined]);
    assert.ok((stepsAt(end)[1] ?? 0) < 21_000, 'the key is pressed without delay, and its result appears');
    assert.ok(end.endedMs < 45_000);
  });

  it('become tests that pass on the same system, even if an utterance spans a key and is text late', async () => {
    const greeting = 'Welcome to the bank. For accounts, press 1.';
    const timed = (text: string, fromMs: number): Word[] =>
      text
        .split(' ')
        .map((word, index) => ({ text: word, startMs: fromMs + 330 * index, endMs: fromMs + 330 * (index + 1) }));
    const onCall = (call: SimulatedCall): void => {
      const listen = call.listen.bind(call);
      call.listen = (listener) =>
        listen((event) => {
          if (event.type !== 'utterance' || !event.utterance.text.startsWith('Your code')) return listener(event);
          const { text, startMs } = event.utterance;
          const words = [...timed(greeting, 110), ...timed(text, startMs)];
          listener({ ...event, utterance: { ...event.utterance, startMs: 110, text: `${greeting} ${text}`, words } });
        });
    };
    const call = await guide(
      [dial],
      [
        [3000, press('1')],
        [20_000, hangUp],
      ],
      { textMs: 5000, onCall },
    );
    assert.deepEqual(call.transcript.map(({ text }) => text).slice(0, 3), [
      greeting,
      '[keys 1]',
      'Your code is 4 7 1 1. Please enter it.',
    ]);
    const saved = testFromCall({ ...call, transcript: [...call.transcript] }, []);
    const again = await guide(
      saved.map(({ name: _name, ...step }) => step),
      [],
    );
    assert.deepEqual([again.outcome, again.reason], ['PASS', undefined], JSON.stringify(saved));
  });

  it('report what is said between steps as it is heard, and lose nothing of it', async () => {
    const end = await guide(
      [dial],
      [
        [60_000, press('1')],
        [70_000, { action: { type: 'expect' } }],
        [71_000, hangUp],
      ],
    );
    const early = end.events.filter(({ type, atMs }) => type === 'turn' && atMs < 60_000);
    assert.ok(early.length >= 4, 'the menu repeats, and each time is heard live');
    assert.match(heard(end), /Welcome to the bank.*Welcome to the bank.*Your code is/);
    assert.match(end.steps[2]?.transcript ?? '', /Your code is/, 'an expect step hears what was said before it');
    assert.equal(end.steps[2]?.outcome, 'PASS');
  });

  it('report the words of an utterance while it continues, masked, until it is a turn', async () => {
    const end = await guide(
      [dial],
      [
        [10_000, { action: { type: 'say', text: '4711' }, secret: true }],
        [22_000, press('1')],
        [40_000, hangUp],
      ],
    );
    const shown = end.events.flatMap((event) =>
      event.type === 'hearing' ? [event.text] : event.type === 'turn' ? [`(${event.turn.text})`] : [],
    );
    assert.deepEqual(shown.slice(0, 4), [
      'Welcome to the bank.',
      'Welcome to the bank. For accounts, press 1.',
      `(${menu})`,
      '',
    ]);
    assert.equal(shown.filter((text, index) => text !== '' && text === shown[index - 1]).length, 0);
    assert.ok(shown.includes('Your code is ••••.'), shown.join('|'));
    assert.doesNotMatch(shown.join(), /4 ?7 ?1 ?1/);
  });

  it('have patience from the time when a step is given', async () => {
    const end = await guide(
      [dial, press('1')],
      [
        [100_000, { action: { type: 'wait', seconds: 5 } }],
        // Nothing is said from the fourth second until the 129th.
        [126_000, { action: { type: 'expect' }, expectedTranscript: 'Are you still there' }],
        [150_000, { action: { type: 'expect' } }],
        [200_000, { action: { type: 'expect' } }],
        [240_000, hangUp],
      ],
    );
    const [, , waited = 0, , , missed = 0] = stepsAt(end);
    assert.ok(waited >= 105_000 && waited < 106_000, String(waited));
    assert.deepEqual(
      steps(end).map(([, outcome]) => outcome),
      ['PASS', 'PASS', 'PASS', 'PASS', 'PASS', 'FAIL', 'PASS'],
    );
    assert.ok(missed >= 210_000 && missed < 211_000, String(missed));
  });

  it("keep the call up after a failed step, without the rest of the test's own steps", async () => {
    const end = await guide(
      [{ ...dial, expectedTranscript: 'Something else entirely' }, press('2')],
      [
        [60_000, press('1', { expectedTranscript: 'Your code is' })],
        [90_000, press('{unknown}')],
        [91_000, hangUp],
      ],
    );
    assert.deepEqual(steps(end), [
      ['own 1', 'FAIL'],
      ['own 2', 'INCONCLUSIVE'],
      ['given 1', 'PASS'],
      ['given 2', 'ERROR'],
      ['given 3', 'PASS'],
    ]);
    assert.equal(end.outcome, 'FAIL');
    assert.match(end.reason ?? '', /^Step “own 1”/);
  });

  it("don't count the time until a step is given as lateness of Dialtree", async () => {
    const end = await guide(
      [{ ...dial, expectedTranscript: menu }],
      [
        [60_000, press('1', { expectedTranscript: 'Something else entirely' })],
        [90_000, hangUp],
      ],
    );
    assert.deepEqual(steps(end)[1], ['given 1', 'FAIL']);
  });

  it('end if no step is given in time, with a reason', async () => {
    const end = await guide([dial], [[50_000, press('1')]]);
    assert.deepEqual([end.outcome, end.reason], ['PASS', 'No step was given for 120 s, so Dialtree hung up.']);
    assert.ok(end.endedMs > 165_000 && end.endedMs < 180_000, String(end.endedMs));
    assert.equal(end.hangUp?.by, 'us');
  });

  it('end when the called side hangs up while they wait, and keep its last words', async () => {
    const end = await guide(
      [dial],
      [
        [10_000, press('1')],
        [20_000, press('9')],
      ],
    );
    assert.deepEqual([end.outcome, end.hangUp?.by, end.reason], ['PASS', 'them', undefined]);
    assert.match(heard(end), /Goodbye\.$/);
    assert.ok(end.endedMs < 40_000);
  });

  it('end as an error, with their recording, when they are cancelled or out of time while they wait', async () => {
    const cancelled = await guide([dial], [], { abortAfterMs: 30_000 });
    assert.deepEqual(
      [cancelled.outcome, cancelled.reason, steps(cancelled)],
      ['ERROR', 'Cancelled.', [['own 1', 'PASS']]],
    );
    assert.ok(cancelled.endedMs < 40_000);
    const spent = await guide([dial], [[40_000, press('1')]], { budgetSeconds: 60 });
    assert.deepEqual([spent.outcome, spent.endedBy], ['ERROR', 'budget']);
    for (const { events } of [cancelled, spent]) assert.ok(events.some(({ type }) => type === 'audio'));
  });

  it("end after a call that wasn't answered or that their own steps hung up", async () => {
    const end = await guide([dial, hangUp], [[60_000, press('1')]]);
    assert.deepEqual([steps(end).length, end.outcome], [2, 'PASS']);
    assert.ok(end.endedMs < 20_000);
  });

  it('mask what given steps keep secret, also in what was heard before', async () => {
    const end = await guide(
      [dial, press('1')],
      [
        [20_000, { action: { type: 'collect', name: 'code', pattern: 'code is (\\d+)' }, secret: true }],
        [30_000, { action: { type: 'say', text: '{code}' }, secret: true }],
        [31_000, { action: { type: 'collect', name: 'more', pattern: 'nothing like it' }, secret: true }],
        [45_000, hangUp],
      ],
    );
    assert.deepEqual(
      steps(end).map(([, outcome]) => outcome),
      ['PASS', 'PASS', 'PASS', 'PASS', 'FAIL', 'PASS'],
    );
    const { events, ...ended } = end;
    assert.doesNotMatch(JSON.stringify({ ...ended, audio: undefined }), /4 ?7 ?1 ?1/);
    const later = events.filter(({ type, atMs }) => atMs >= 20_000 && (type === 'step' || type === 'turn'));
    assert.doesNotMatch(JSON.stringify(later), /4 ?7 ?1 ?1/);
    assert.ok(
      stepsAt(end).every((atMs) => atMs < end.endedMs - 1000 || atMs >= 45_000),
      'results appear as steps end',
    );
  });
});
