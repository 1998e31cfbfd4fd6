import assert from 'node:assert/strict';
import { probeSchema } from '../../../../src/contract/probe.ts';
import { lettingGoSeconds } from '../../../../src/engine/call/activeCall.ts';
import type { Probe } from '../../../../src/contract/probe.ts';
import type { IvrFile } from '../../../../src/contract/ivrFile.ts';
import { callProbe, ivrOf as ivr, probeOf as probe } from './callProbe.ts';

const entry = { id: 'a-probe', sector: 'all', description: 'Listens, and observes.', mode: 'dial' };
const greeting = { do: 'listen', id: 'greeting', seconds: 60, until: 'promptEnd' };
const shop = ivr({
  main: {
    prompt: 'Welcome to the shop. For orders, press 1. For returns, press 2.',
    keys: { 1: 'orders', 2: 'returns' },
    timeoutMs: 15_000,
  },
  orders: { prompt: 'You have no orders. Goodbye.', end: 'hangup' },
  returns: { prompt: 'Please hold the line.', end: 'hold-music' },
});
const welcome = probe([greeting], [{ kind: 'says', patterns: ['\\bwelcome\\b'] }]);
const outcomes = (ended: Awaited<ReturnType<typeof callProbe>>): string[] => ended.steps.map(({ outcome }) => outcome);

describe('runProbe', () => {
  it('reports turns, audio, a result for each check, and the end', async () => {
    const ended = await callProbe(welcome, shop);
    assert.equal(ended.outcome, 'PASS');
    assert.match(ended.reason ?? '', /evidence, not a certificate/);
    assert.equal(ended.steps[0]?.transcript, 'Welcome to the shop.');
    assert.deepEqual([...new Set(ended.events.map(({ type }) => type))], ['turn', 'audio', 'step', 'ended']);
    assert.equal(ended.events.filter(({ type }) => type === 'audio').length, 1);
    assert.equal(ended.hangUp?.by, 'us');
  });

  it('blames no party that was busy', async () => {
    const ended = await callProbe(welcome, shop, { line: { refuse: () => 486 } });
    assert.deepEqual([ended.outcome, ...outcomes(ended)], ['INCONCLUSIVE', 'INCONCLUSIVE']);
    assert.match(ended.reason ?? '', /busy/);
  });

  it('ends as an error if it is cancelled, and when its minutes are used up', async () => {
    const long = probe(
      [{ do: 'listen', id: 'greeting', seconds: 100 }],
      [{ kind: 'says', patterns: ['\\bnothing like it\\b'] }],
    );
    assert.deepEqual(
      (({ outcome, reason }) => [outcome, reason])(await callProbe(long, shop, { abortAfterMs: 5000 })),
      ['ERROR', 'Cancelled.'],
    );
    const used = await callProbe(long, shop, { budgetSeconds: 10 });
    assert.equal(used.outcome, 'ERROR');
    assert.match(used.reason ?? '', /This run used up its 10 s/);
    const speaking = await callProbe(
      probe(
        [{ do: 'say', id: 'speech', text: Array.from({ length: 60 }, () => 'word').join(' ') }],
        [{ kind: 'says', patterns: ['\\bwelcome\\b'] }],
      ),
      shop,
      { budgetSeconds: 10 },
    );
    assert.deepEqual([speaking.outcome, speaking.callSeconds], ['ERROR', 10 - lettingGoSeconds]);
    assert.match(speaking.reason ?? '', /This run used up its 10 s/);
  });

  it('reports unreached steps as inconclusive, with the reason', async () => {
    const steps = [
      greeting,
      { do: 'reach', id: 'billing', towards: '\\bbilling\\b', until: 'option' },
      { do: 'say', id: 'question', text: 'Is it recorded?' },
    ];
    const ended = await callProbe(
      probe(steps, [
        { kind: 'says', patterns: ['\\bwelcome\\b'] },
        { kind: 'neverSays', when: { after: 'question' }, patterns: ['\\bno\\b'] },
      ]),
      shop,
    );
    assert.deepEqual([ended.outcome, ...outcomes(ended)], ['INCONCLUSIVE', 'PASS', 'INCONCLUSIVE']);
    assert.match(ended.steps[1]?.reason ?? '', /No offered option leads there/);
  });

  it("repeats input that wasn't accepted, and says so if it never is", async () => {
    const steps = [
      greeting,
      { do: 'answer', id: 'account', when: { says: ['\\baccount\\b'] }, give: { digits: '1234', by: 'keys' } },
      { do: 'listen', id: 'reply', seconds: 5 },
    ];
    const reply = probe(steps, [{ kind: 'says', when: { after: 'account' }, patterns: ['\\bthank you\\b'] }]);
    const asks = (next: object): IvrFile =>
      ivr({
        main: {
          prompt: 'Please enter your account number.',
          collect: { min: 4, max: 4, next: 'again' },
          timeoutMs: 15_000,
          maxTries: 5,
        },
        ...next,
      });
    const again = { prompt: 'Please enter your account number.', timeoutMs: 15_000, maxTries: 5 };
    const done = { done: { prompt: 'Thank you. Goodbye.', end: 'hangup' } };
    const taken = await callProbe(
      reply,
      asks({ again: { ...again, collect: { min: 4, max: 4, next: 'done' } }, ...done }),
    );
    assert.deepEqual([taken.outcome, taken.transcript.filter(({ speaker }) => speaker === 'us').length], ['PASS', 2]);
    const never = await callProbe(
      reply,
      asks({
        again: { ...again, collect: { min: 4, max: 4, next: 'more' } },
        more: { ...again, collect: { min: 4, max: 4, next: 'last' } },
        last: { prompt: again.prompt, end: 'dead-air' },
      }),
    );
    assert.equal(never.outcome, 'INCONCLUSIVE');
    assert.match(never.reason ?? '', /wasn't accepted/);
    const other = await callProbe(
      reply,
      asks({ again: { prompt: 'Thank you. That account number is closed.', end: 'dead-air' } }),
    );
    assert.deepEqual([other.outcome, other.transcript.filter(({ speaker }) => speaker === 'us').length], ['PASS', 1]);
  });

  it("checks nothing if the probe doesn't apply", async () => {
    const ended = await callProbe(
      probe([greeting], [{ kind: 'neverSays', patterns: ['\\bdebt\\b'] }], {
        appliesIf: { check: { kind: 'says', patterns: ['\\brecorded\\b'] }, why: 'no recording was announced.' },
      }),
      shop,
    );
    assert.deepEqual(
      [ended.outcome, ended.steps[0]?.reason],
      ['INCONCLUSIVE', 'Nothing to observe on this call: no recording was announced.'],
    );
  });

  it('presses keys, and measures how soon an answer comes', async () => {
    const pressing = probe(
      [greeting, { do: 'press', id: 'key', keys: '1' }],
      [
        { kind: 'promptWithin', when: { after: 'key' }, seconds: 3 },
        { kind: 'says', when: { after: 'key' }, patterns: ['\\bno orders\\b'] },
      ],
    );
    assert.equal((await callProbe(pressing, shop)).outcome, 'PASS');
    const silent = await callProbe(pressing, ivr({ main: { prompt: 'Welcome.', end: 'dead-air' } }));
    assert.deepEqual(outcomes(silent), ['FAIL', 'INCONCLUSIVE']);
    assert.equal(silent.steps[0]?.reason, 'There was no answer.');
  });

  it('observes whether the called side ends the call', async () => {
    const ending = (within: number, seconds: number): Probe =>
      probe(
        [greeting, { do: 'press', id: 'key', keys: '1' }, { do: 'listen', id: 'after', seconds }],
        [{ kind: 'hangsUp', when: { after: 'key' }, within }],
      );
    assert.deepEqual(outcomes(await callProbe(ending(10, 20), shop)), ['PASS']);
    const kept = ivr({
      main: { prompt: 'To be removed, press 1.', keys: { 1: 'done' }, timeoutMs: 15_000 },
      done: { prompt: 'You were removed.', end: 'dead-air' },
    });
    assert.deepEqual(outcomes(await callProbe(ending(10, 20), kept)), ['FAIL']);
    assert.deepEqual(outcomes(await callProbe(ending(60, 5), kept)), ['INCONCLUSIVE'], 'it was not observed so long');
  });

  it('gives up on hold after its time, without a verdict', async () => {
    const steps = [greeting, { do: 'reach', id: 'person', towards: '\\breturns\\b', until: 'human', maxSeconds: 60 }];
    const ended = await callProbe(probe(steps, [{ kind: 'reaches', step: 'person', within: 30 }]), shop);
    assert.deepEqual([ended.outcome, ended.calls], ['INCONCLUSIVE', 1]);
    assert.ok(ended.callSeconds < 90);
  });

  it('hangs up as soon as every check is decided for good', async () => {
    const music = ivr({ main: { prompt: 'Welcome. Your call is free.', end: 'hold-music' } });
    const seconds = async (...checks: readonly object[]): Promise<readonly [string, boolean]> => {
      const listen = (id: string, seconds: number): object => ({ do: 'listen', id, seconds });
      const steps = [greeting, listen('more', 15), listen('evenMore', 60)];
      const { outcome, callSeconds } = await callProbe(probe(steps, checks), music);
      return [outcome, callSeconds < 40];
    };
    const welcomes = { kind: 'says', text: 'welcome' };
    assert.deepEqual(await seconds(welcomes), ['PASS', true]);
    assert.deepEqual(await seconds(welcomes, { kind: 'neverSays', text: 'free' }), ['FAIL', true]);
    assert.deepEqual(await seconds(welcomes, { kind: 'neverSays', text: 'debt' }), ['PASS', false]);
    assert.deepEqual(await seconds(welcomes, { kind: 'says', text: 'goodbye' }), ['FAIL', false]);
    assert.deepEqual(await seconds(welcomes, { kind: 'staysOn' }), ['PASS', false]);
    const within = { kind: 'neverSays', text: 'debt', within: 10 };
    assert.deepEqual(await seconds(welcomes, within), ['PASS', true], 'its part of the call is over');
  });

  it('names in its reason only the first check that fails, and says that no lawyer has reviewed it', async () => {
    const never = (text: string, name: string): object => ({ kind: 'neverSays', text, name });
    const { reason } = await callProbe(probe([greeting], [never('welcome', 'A.'), never('shop', 'B.')]), shop);
    assert.match(
      reason ?? '',
      /^“A.” wasn't met: It was said, although it mustn't be\. No lawyer has reviewed this probe\.$/,
    );
  });

  it('respects its maximum duration', async () => {
    const ended = await callProbe(
      probe([{ do: 'listen', id: 'greeting', seconds: 200 }], [{ kind: 'neverSays', patterns: ['\\bdebt\\b'] }]),
      shop,
      { maxSeconds: 12 },
    );
    assert.ok(ended.callSeconds < 20, String(ended.callSeconds));
  });

  it('reports digits that were never read back', async () => {
    const pay = ivr({
      main: {
        prompt: 'Please enter your card number followed by the pound key.',
        collect: { min: 13, max: 19, terminator: '#', next: 'back' },
        timeoutMs: 15_000,
      },
      back: {
        prompt: 'You entered forty twelve eighty eight eighty eight. It ends with one eight eight one. Goodbye.',
        end: 'hangup',
      },
    });
    const steps = [
      greeting,
      {
        do: 'answer',
        id: 'card',
        when: { asks: ['card_number'] },
        give: { digits: '4012888888881881', by: 'keys', secret: true },
      },
    ];
    const ended = await callProbe(probe(steps, [{ kind: 'neverReadsBack', when: { after: 'card' } }]), pay);
    assert.equal(ended.outcome, 'FAIL');
    const told = JSON.stringify({ ...ended, events: ended.events.filter(({ type }) => type !== 'audio') });
    assert.doesNotMatch(told, /4012|1881|forty|twelve|eighty|eight one/);
    assert.match(ended.steps[0]?.transcript ?? '', /You entered ••••/);
  });
});

describe('digits that are read back one by one', () => {
  it('stay masked too, and those before the number was given stay visible', async () => {
    const digits = '4012888888881881'.split(/(?=.)/);
    const pay = ivr({
      main: {
        prompt: 'You are caller 18. Please enter your card number followed by the pound key.',
        collect: { min: 13, max: 19, terminator: '#', next: 'digit0' },
        timeoutMs: 15_000,
      },
      ...Object.fromEntries(
        digits.map((digit, index) => [
          `digit${String(index)}`,
          { prompt: `${digit}.`, pauseMs: 1500, next: `digit${String(index + 1)}` },
        ]),
      ),
      [`digit${String(digits.length)}`]: { prompt: 'Is that correct? Goodbye.', end: 'hangup' },
    });
    const steps = [
      greeting,
      {
        do: 'answer',
        id: 'card',
        when: { asks: ['card_number'] },
        give: { digits: digits.join(''), by: 'keys', secret: true },
      },
      { do: 'listen', id: 'reply', seconds: 90 },
    ];
    const ended = await callProbe(probe(steps, [{ kind: 'neverReadsBack', when: { after: 'card' } }]), pay);
    assert.equal(ended.outcome, 'FAIL');
    const turns = ended.events.flatMap((event) => (event.type === 'turn' ? [event.turn] : []));
    assert.deepEqual(turns, ended.transcript);
    assert.match(turns[0]?.text ?? '', /^You are caller 18\./);
    for (const { text } of turns.slice(1)) assert.doesNotMatch(text, /\d/);
    assert.doesNotMatch(ended.steps.map(({ transcript = '' }) => transcript).join(' '), /\d/);
  });
});

describe('order of two statements', () => {
  const first = probe(
    [greeting],
    [{ kind: 'says', when: { before: { kind: 'offers' } }, patterns: ['\\bemergency\\b'] }],
  );
  const saying = (prompt: string): IvrFile => ivr({ main: { prompt, end: 'dead-air' } });

  it('needs no full stop', async () => {
    assert.equal((await callProbe(first, saying('in an emergency hang up, for orders press 1'))).outcome, 'PASS');
    assert.equal((await callProbe(first, saying('for orders press 1, in an emergency hang up'))).outcome, 'FAIL');
  });

  it('stays undecided if neither was said', async () =>
    assert.equal((await callProbe(first, saying('Welcome.'))).outcome, 'INCONCLUSIVE'));
});

describe("a probe's schema", () => {
  it("rejects a card number that isn't a published test number", () => {
    const giving = (digits: string): unknown => ({
      do: 'answer',
      id: 'card',
      when: { asks: ['card_number'] },
      give: { digits, by: 'keys', secret: true },
    });
    const parsed = (step: unknown): boolean =>
      probeSchema.safeParse({
        ...entry,
        dialogue: {
          language: 'en',
          steps: [step],
          checks: [{ kind: 'says', name: 'A.', patterns: ['a'] }],
        },
      }).success;
    assert.equal(parsed(giving('4012888888881881')), true);
    assert.equal(parsed(giving('4929123456789013')), false);
    assert.equal(parsed({ do: 'say', id: 'card', text: 'My card is 4929 1234 5678 9013.' }), false);
  });

  it('rejects unknown steps, broken patterns, and a probe without a dialogue', () => {
    const parsed = (check: object): boolean =>
      probeSchema.safeParse({
        ...entry,
        dialogue: { language: 'en', steps: [greeting], checks: [{ name: 'A.', ...check }] },
      }).success;
    assert.equal(parsed({ kind: 'says', patterns: ['a'], when: { after: 'greeting' } }), true);
    assert.equal(parsed({ kind: 'says', patterns: ['a'], when: { after: 'nowhere' } }), false);
    assert.equal(parsed({ kind: 'says', patterns: ['('] }), false);
    assert.equal(parsed({ kind: 'says', patterns: ['a'], more: 1 }), false);
    assert.equal(probeSchema.safeParse(entry).success, false);
  });
});

describe('runProbe on a live number', () => {
  const office = ivr({
    main: {
      prompt: 'Welcome. For an agent who will cancel your contract, press 1. For support, press 2.',
      keys: { 1: 'gone', 2: 'support' },
      timeoutMs: 15_000,
    },
    gone: { prompt: 'Your contract is cancelled. Goodbye.', end: 'hangup' },
    support: { prompt: 'This is support. Goodbye.', end: 'hangup' },
  });
  const reach = (towards: string, more: object = {}): Probe =>
    probe(
      [
        greeting,
        { do: 'reach', id: 'way', towards, until: 'option', ...more },
        { do: 'listen', id: 'after', seconds: 5 },
      ],
      [{ kind: 'says', when: { after: 'way' }, patterns: ['\\b(?:contract|support)\\b'] }],
    );
  const keysOf = ({ transcript }: Awaited<ReturnType<typeof callProbe>>): string =>
    transcript
      .filter(({ speaker }) => speaker === 'us')
      .map(({ text }) => text)
      .join(' ');

  it("chooses no option with an irreversible effect that its step doesn't name, and blames no party for it", async () => {
    const left = await callProbe(reach('\\bagent\\b'), office);
    assert.deepEqual([keysOf(left), left.outcome], ['', 'INCONCLUSIVE']);
    assert.match(left.steps[0]?.reason ?? '', /irreversible.*wasn't chosen on a live number/);
    assert.equal(
      keysOf(await callProbe(reach('\\bagent\\b', { otherwise: [{ towards: '\\bsupport\\b' }] }), office)),
      '[keys 2]',
    );
    assert.equal(keysOf(await callProbe(reach('\\bagent\\b'), office, { guarded: false })), '[keys 1]');
  });

  it('chooses what its step names, or says', async () => {
    assert.equal(keysOf(await callProbe(reach('\\bcancel\\b'), office)), '[keys 1]');
    assert.equal(
      keysOf(await callProbe(reach('\\bagent\\b', { otherwise: [{ say: 'I want to cancel my contract.' }] }), office)),
      '[keys 1]',
    );
  });

  it('judges an option by everything that was said, before and since its last action', async () => {
    const steps = [
      greeting,
      { do: 'listen', id: 'more', seconds: 60, until: 'promptEnd' },
      { do: 'reach', id: 'way', towards: '\\bcontinue\\b', until: 'option' },
    ];
    const parts = (first: string): IvrFile =>
      ivr({
        main: { prompt: first, pauseMs: 4000, next: 'next' },
        next: { prompt: 'To continue, press 1.', keys: { 1: 'gone' }, timeoutMs: 15_000 },
        gone: { prompt: 'Your contract has ended. Goodbye.', end: 'hangup' },
      });
    const says = [{ kind: 'says', when: { after: 'way' }, patterns: ['\\bcontract\\b'] }];
    const run = (first: string): ReturnType<typeof callProbe> => callProbe(probe(steps, says), parts(first));
    assert.equal(keysOf(await run('We will now cancel your contract.')), '');
    assert.equal(keysOf(await run('Your new contract starts tomorrow.')), '');
    assert.equal(keysOf(await run('Thank you for calling.')), '[keys 1]');
  });

  it('chooses no unknown option unless its step names it, and presses what its file states', async () => {
    const strange = ivr({
      main: {
        prompt: 'For the gizmo agent, press 1.',
        keys: { 1: 'gone', 2: 'gone' },
        timeoutMs: 15_000,
      },
      gone: { prompt: 'This is support. Goodbye.', end: 'hangup' },
    });
    assert.equal(keysOf(await callProbe(reach('\\bagent\\b'), strange)), '');
    assert.equal(keysOf(await callProbe(reach('\\bgizmo agent\\b'), strange)), '[keys 1]');
    assert.equal(keysOf(await callProbe(reach('\\bagent\\b', { otherwise: [{ press: '2' }] }), strange)), '[keys 2]');
  });

  it("presses no stated key whose option does something irreversible that its step doesn't name", async () => {
    const left = await callProbe(reach('\\bagent\\b', { otherwise: [{ press: '1' }, { press: '2' }] }), office);
    assert.equal(keysOf(left), '[keys 2]');
  });

  it("says yes to nothing irreversible that its step doesn't name", async () => {
    const asking = (prompt: string): IvrFile =>
      ivr({
        main: { prompt, speech: { yes: 'done' }, timeoutMs: 15_000 },
        done: { prompt: 'Your support begins. Goodbye.', end: 'hangup' },
      });
    const yes = probe(
      [greeting, { do: 'answer', id: 'way', when: { says: ['\\bis that (?:right|correct)\\b'] }, give: 'yes' }],
      [{ kind: 'says', when: { after: 'way' }, patterns: ['\\bsupport\\b'] }],
    );
    assert.equal(keysOf(await callProbe(yes, asking('We will now cancel your contract. Is that right?'))), '');
    assert.equal(keysOf(await callProbe(yes, asking('You called for Ann Lee. Is that right?'))), 'Yes.');
  });

  it('answers yes if that agrees to no more than the question', async () => {
    const answers = (label: string): IvrFile =>
      ivr({
        main: { prompt: `May we go on? To ${label}, press 1.`, keys: { 1: 'done' }, timeoutMs: 15_000 },
        done: { prompt: 'Your support begins. Goodbye.', end: 'hangup' },
      });
    const yes = probe(
      [greeting, { do: 'answer', id: 'way', when: { says: ['\\bgo on\\b'] }, give: 'yes' }],
      [{ kind: 'says', when: { after: 'way' }, patterns: ['\\bsupport\\b'] }],
    );
    assert.equal(keysOf(await callProbe(yes, answers('agree'))), '[keys 1]');
    assert.equal(keysOf(await callProbe(yes, answers('agree and pay ten dollars'))), '');
  });
});
