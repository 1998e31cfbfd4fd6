import assert from 'node:assert/strict';
import { callProbe, ivrOf as ivr, probeOf as probe } from './callProbe.ts';

const greeting = (id = 'greeting'): object => ({ do: 'listen', id, seconds: 60, until: 'promptEnd' });
const reach = (id: string, towards: string, more: object = {}): object => ({
  do: 'reach',
  id,
  towards,
  until: 'help',
  maxSeconds: 60,
  ...more,
});
const again = (id: string): object => ({ do: 'call', id, why: 'to compare' });

const shop = ivr({
  main: {
    prompt: 'Welcome to the shop. To buy, press 1. For all other questions, press 2.',
    keys: { 1: 'sales', 2: 'other' },
    timeoutMs: 15_000,
  },
  other: { prompt: 'To make a complaint, press 1.', keys: { 1: 'team' }, timeoutMs: 15_000 },
  sales: { prompt: 'I am connecting you to our sales team.', end: 'hold-music' },
  team: { prompt: 'I am connecting you to our support team.', end: 'hold-music' },
});
const steps = [
  greeting(),
  reach('buy', 'buy'),
  again('second'),
  greeting('hello'),
  reach('complain', 'complaint', { otherwise: [{ towards: 'other' }] }),
];

describe('a probe with several calls', () => {
  it('compares the steps of one call with those of another', async () => {
    const ended = await callProbe(
      probe(steps, [
        { kind: 'reaches', step: 'complain', stepsOf: 'buy' },
        { kind: 'reaches', step: 'complain', steps: 2 },
      ]),
      shop,
    );
    assert.equal(ended.calls, 2);
    assert.deepEqual(
      ended.steps.map(({ outcome, reason }) => [outcome, reason]),
      [
        ['FAIL', 'It took 2 steps. The limit is 1.'],
        ['PASS', 'It took 2 steps. The limit is 2.'],
      ],
    );
    assert.equal(
      (await callProbe(probe(steps, [{ kind: 'reaches', step: 'buy', stepsOf: 'complain' }]), shop)).outcome,
      'PASS',
    );
  });

  it("compares with nothing that wasn't reached", async () => {
    const lost = [
      greeting(),
      reach('buy', 'nothing of the kind'),
      again('second'),
      greeting('hello'),
      reach('complain', 'buy'),
    ];
    const ended = await callProbe(probe(lost, [{ kind: 'reaches', step: 'complain', stepsOf: 'buy' }]), shop);
    assert.deepEqual([ended.outcome, ended.calls], ['INCONCLUSIVE', 2], 'the second call is placed all the same');
    assert.match(ended.steps[0]?.reason ?? '', /nothing to compare this with: No offered option/);
  });

  it('shows them on one time axis, with one recording and the sum of their seconds', async () => {
    const {
      events,
      transcript,
      callSeconds,
      hangUp,
      steps: results,
    } = await callProbe(
      probe(steps, [{ kind: 'says', patterns: ['\\bsupport team\\b'], when: { after: 'complain' } }]),
      shop,
    );
    const audio = events.flatMap((event) => (event.type === 'audio' ? [event.audio] : []));
    assert.equal(audio.length, 1);
    const lastedMs = (audio[0]?.length ?? 0) / 8;
    const sides = audio[0]?.read(0, audio[0].length);
    assert.deepEqual([sides?.us.length, sides?.them.length], [lastedMs * 8, lastedMs * 8]);
    assert.ok(Math.abs(callSeconds * 1000 - lastedMs) < 500, `${String(callSeconds)} s, ${String(lastedMs)} ms`);
    const opening = transcript.findIndex(({ text }) => text === '[calls again: to compare]');
    assert.equal(transcript[opening]?.speaker, 'us');
    const starts = transcript.map(({ startMs = 0 }) => startMs);
    assert.deepEqual(
      starts,
      [...starts].sort((one, other) => one - other),
    );
    assert.deepEqual(
      events.flatMap((event) => (event.type === 'turn' ? [event.turn] : [])),
      transcript,
    );
    assert.ok((hangUp?.atMs ?? 0) > (starts[opening] ?? Infinity));
    assert.ok((results[0]?.startMs ?? 0) > (starts[opening] ?? Infinity), 'the quote lies in the second call');
    assert.deepEqual(
      results.map(({ outcome }) => outcome),
      ['PASS'],
    );
  });

  it("says why calls weren't placed", async () => {
    const checks = [
      { kind: 'reaches', step: 'buy', steps: 3 },
      { kind: 'reaches', step: 'complain', steps: 3 },
    ];
    const busy = await callProbe(probe(steps, checks), shop, {
      line: { refuse: (call) => (call === 2 ? 486 : undefined) },
    });
    assert.deepEqual(
      busy.steps.map(({ outcome }) => outcome),
      ['PASS', 'INCONCLUSIVE'],
    );
    assert.match(busy.steps[1]?.reason ?? '', /busy/);
    const short = await callProbe(probe(steps, checks), shop, { maxSeconds: 12 });
    assert.deepEqual([short.calls, short.steps[1]?.outcome], [1, 'INCONCLUSIVE']);
    assert.match(short.steps[1]?.reason ?? '', /time for this probe was used up/);
    const poor = await callProbe(probe(steps, checks), shop, { budgetSeconds: 13 });
    assert.deepEqual([poor.calls, ...poor.steps.map(({ outcome }) => outcome)], [1, 'PASS', 'INCONCLUSIVE']);
    assert.match(poor.steps[1]?.reason ?? '', /time for this probe was used up/);
    const stopped = await callProbe(probe(steps, checks), shop, { abortAfterMs: 20_000 });
    assert.deepEqual(
      stopped.steps.map(({ outcome }) => outcome),
      ['ERROR', 'ERROR'],
    );
    const budget = await callProbe(probe(steps, checks), shop, { budgetSeconds: 16 });
    assert.equal(budget.outcome, 'ERROR');
    assert.match(budget.reason ?? '', /This run used up its/);
  });

  it('checks only one of them', async () => {
    const spoken = (where: object): Promise<string> =>
      callProbe(probe(steps, [{ kind: 'says', patterns: ['\\bsupport team\\b'], ...where }]), shop).then(
        ({ outcome }) => outcome,
      );
    assert.deepEqual(
      [
        await spoken({}),
        await spoken({ when: { after: 'greeting' } }),
        await spoken({ when: { after: 'second' } }),
        await spoken({ when: { reached: 'second' } }),
      ],
      ['FAIL', 'FAIL', 'PASS', 'PASS'],
    );
  });

  it('reveals digits of no call', async () => {
    const pay = ivr({
      main: {
        prompt: 'Please enter your card number followed by the pound key.',
        collect: { min: 13, max: 19, terminator: '#', next: 'back' },
        timeoutMs: 15_000,
      },
      back: { prompt: 'You entered forty twelve eighty eight eighty eight. Goodbye.', end: 'hangup' },
    });
    const card = (id: string): object => ({
      do: 'answer',
      id,
      when: { asks: ['card_number'] },
      give: { digits: '4012888888881881', by: 'keys', secret: true },
    });
    const ended = await callProbe(
      probe(
        [greeting(), again('second'), greeting('hello'), card('card')],
        [{ kind: 'neverReadsBack', when: { after: 'card' } }],
      ),
      pay,
    );
    assert.equal(ended.outcome, 'FAIL');
    assert.doesNotMatch(
      JSON.stringify({ ...ended, events: ended.events.filter(({ type }) => type !== 'audio') }),
      /4012|1881|forty|twelve|eighty/,
    );
  });
});

describe('choices by one input method', () => {
  const both = ivr({
    main: {
      prompt: 'For billing, press 1 or say billing. To speak to an agent, press 2 or say agent.',
      keys: { 1: 'end', 2: 'agent' },
      speech: { billing: 'end', agent: 'agent' },
      timeoutMs: 15_000,
    },
    agent: { prompt: 'Please hold while I connect you to an agent.', end: 'hold-music' },
    end: { prompt: 'Goodbye.', end: 'hangup' },
  });
  const done = async (by: string, states = both): Promise<string[]> =>
    (
      await callProbe(
        probe([greeting(), reach('agent', 'agent', { by })], [{ kind: 'reaches', step: 'agent', steps: 3 }]),
        states,
      )
    ).transcript
      .filter(({ speaker }) => speaker === 'us')
      .map(({ text }) => text);

  it('use keys or speech', async () => {
    assert.deepEqual(await done('keys'), ['[keys 2]']);
    assert.deepEqual(await done('speech'), ['agent']);
  });

  it('say the name of a key, if that is on offer', async () =>
    assert.deepEqual(
      await done(
        'speech',
        ivr({
          main: {
            prompt: 'For billing, press or say one. For an agent, press or say two.',
            keys: { 1: 'end', 2: 'agent' },
            speech: { two: 'agent' },
            timeoutMs: 15_000,
          },
          agent: { prompt: 'Please hold.', end: 'hold-music' },
          end: { prompt: 'Goodbye.', end: 'hangup' },
        }),
      ),
      ['two'],
    ));
});

describe('help that is reached', () => {
  it('can also be music after a choice', async () => {
    const held = ivr({
      main: { prompt: 'To buy, press 1.', keys: { 1: 'queue' }, timeoutMs: 15_000 },
      queue: { prompt: 'Thank you.', end: 'hold-music' },
    });
    assert.equal(
      (await callProbe(probe([greeting(), reach('buy', 'buy')], [{ kind: 'reaches', step: 'buy', steps: 1 }]), held))
        .outcome,
      'PASS',
    );
  });
});
