import assert from 'node:assert/strict';
import fc from 'fast-check';
import { sentence } from '../../../../src/base/sentences.ts';
import { checkKinds, checkSchema, type Check, type Moment } from '../../../../src/contract/checks.ts';
import { evaluate } from '../../../../src/language/checks/evaluate.ts';
import { hearCall, type CallFacts, type StepOnCall } from '../../../../src/language/checks/heardCall.ts';
import { call } from '../../../support/callTurns.ts';

/** A call by its lines, or with more than its words. */
type Given = readonly string[] | (Partial<CallFacts> & { readonly lines: readonly string[] });
const verdictOf = (check: Check, given: Given): string => {
  const { lines, ...facts } = 'lines' in given ? given : { lines: given };
  return evaluate([checkSchema.parse(check)], hearCall({ turns: call(...lines), ...facts }))[0]?.verdict ?? '';
};

const bye = '< Thanks, goodbye.';
const cut = '< One of our team is coming to the';
type Ending = Pick<CallFacts, 'end' | 'lastedMs'>;
const ended = (by: 'them' | 'us', atMs: number): Ending => ({ end: { by, sentence: '', atMs }, lastedMs: atMs });
const spoken = (language: 'en' | 'fr' | undefined, startMs: number): object => ({
  startMs,
  endMs: startMs + 5000,
  language,
  speechSeconds: 5,
});
const menu = '< For parking permits, press 1. For library cards, press 2. For anything else, press 3.';
const library: Check = { kind: 'offers', option: 'library cards' };
const keyOne: Check = { kind: 'sends', keys: '1' };

/** A check for each kind, with calls that show it, show the opposite, and show neither. */
const table: readonly (readonly [check: Check, calls: Readonly<Record<'pass' | 'fail' | 'inconclusive', Given>>])[] = [
  [
    { kind: 'says', text: 'your permit * renewed' },
    {
      pass: ['< Good news. Your permit has just been renewed.', bye],
      fail: ['< Nothing is due today.', bye],
      inconclusive: ['< We would like your permit renewed by Friday.', bye],
    },
  ],
  [
    { kind: 'neverSays', text: 'final warning' },
    {
      pass: ['< All fines are paid.', bye],
      fail: ['< This is your final warning about the hedge.', bye],
      inconclusive: ['< All fines are paid and', cut],
    },
  ],
  [
    { kind: 'asksFor', input: 'pin', digits: 4 },
    {
      pass: ['< Now key in your four digit PIN.', '> [keys 1111]', bye],
      fail: ['< Which borough do you live in?', bye],
      inconclusive: ['< Now key in your PIN.', '> [keys 1111]', bye],
    },
  ],
  [
    { ...library, key: '2' },
    {
      pass: [menu, '> [keys 2]', bye],
      fail: ['< For library cards, press 4. For parking permits, press 2.', '> [keys 2]', bye],
      inconclusive: ['< Library cards are free this month.', bye],
    },
  ],
  [
    { kind: 'offers', atMost: 3 },
    {
      pass: [menu, bye],
      fail: ['< For tax press 1. For roads press 2. For trees press 3. For noise press 4.', bye],
      inconclusive: ['< The town hall has moved.', bye],
    },
  ],
  [
    { kind: 'tells', what: 'amount', about: 'fine', equals: '$50' },
    {
      pass: ['< Your parking fine comes to fifty dollars.', bye],
      fail: ['< Your parking fine comes to thirty two dollars.', bye],
      inconclusive: ['< Your parking fine comes to fifteen dollars.', bye],
    },
  ],
  [
    { kind: 'tells', what: 'fact', about: 'permit approved' },
    {
      pass: ['< The council has approved your permit.', bye],
      fail: ['< The council has not approved your permit.', bye],
      inconclusive: ['< If the council has approved your permit, you get a letter.', bye],
    },
  ],
  [
    { kind: 'readsBack' },
    {
      pass: ['< Permit number?', '> [keys 70815]', '< I have seven oh eight one five. Thanks.', bye],
      fail: ['< Permit number?', '> [keys 70815]', '< Thanks. Let me look at it.', bye],
      inconclusive: ['< Permit number?', '> [keys 70815]', '< I have seven oh eight one nine. Thanks.', bye],
    },
  ],
  [
    { kind: 'neverReadsBack', digits: '4929123456' },
    {
      pass: ['< Thanks, your card was saved.', bye],
      fail: ['< Thanks, the card ending in three four five six was saved.', bye],
      inconclusive: ['< Thanks, the card was saved and', cut],
    },
  ],
  [
    { kind: 'reaches', what: 'person' },
    {
      pass: ['< Please hold while I connect you.', '< Planning desk, this is Ola speaking, how can I help?'],
      fail: ['< The town hall is closed today.', bye],
      inconclusive: ['< Please hold while I connect you.', '< [hold music]'],
    },
  ],
  [
    { kind: 'reaches', what: 'voicemail' },
    {
      pass: ['< Please leave your message after the beep.', '< [beep]'],
      fail: ['< The town hall opens at nine.', bye],
      inconclusive: ['< Would you like to leave a message?', bye],
    },
  ],
  [
    { kind: 'discloses', notice: 'recording' },
    {
      pass: ['< To help us train staff, your call will be recorded.', bye],
      fail: ['< We do not record any calls.', bye],
      inconclusive: ['< The monitor of your noise complaint has been fixed.', bye],
    },
  ],
  [
    { kind: 'discloses', notice: 'human' },
    {
      pass: ['> Are you a robot?', '< No, I am a real person, love.', bye],
      fail: ['> Are you a robot?', '< Yes, I am the digital helper of the town.', bye],
      inconclusive: ['> Are you a robot?', '< That would be a surprise to my mother.', bye],
    },
  ],
  [
    { kind: 'hangsUp', within: 20 },
    {
      pass: { lines: [bye], ...ended('them', 12_000) },
      fail: { lines: [bye], ...ended('us', 30_000) },
      inconclusive: { lines: [bye], ...ended('us', 12_000) },
    },
  ],
  [
    { kind: 'staysOn', within: 20 },
    {
      pass: { lines: [menu], ...ended('us', 30_000) },
      fail: { lines: [menu], ...ended('them', 12_000) },
      inconclusive: { lines: [menu], ...ended('us', 12_000) },
    },
  ],
  [
    { kind: 'answersWithin', seconds: 4 },
    { pass: { lines: [bye], postDialMs: 3900 }, fail: { lines: [bye], postDialMs: 4100 }, inconclusive: [bye] },
  ],
  [
    { kind: 'promptWithin', seconds: 4, when: { after: keyOne } },
    {
      pass: [menu, '> [keys 1]', bye],
      fail: { lines: [menu, '> [keys 1]', '> [keys 2]', bye], ...ended('them', 25_000) },
      inconclusive: {
        lines: [],
        turns: [
          { speaker: 'us', text: '[keys 1]' },
          { speaker: 'them', text: 'Hello.' },
        ],
      },
    },
  ],
  [
    { kind: 'silenceAtMost', seconds: 3 },
    {
      pass: { lines: [menu, bye], ...ended('them', 10_000) },
      fail: { lines: [menu, bye], ...ended('us', 25_000) },
      inconclusive: { lines: [], turns: [{ speaker: 'them', text: 'Hello.' }] },
    },
  ],
  [
    { kind: 'language', is: 'fr', first: true },
    {
      pass: { lines: [bye], languages: [spoken('fr', 0), spoken('en', 6000)] as never },
      fail: { lines: [bye], languages: [spoken('en', 0)] as never },
      inconclusive: { lines: [bye], languages: [spoken(undefined, 0)] as never },
    },
  ],
  [
    { kind: 'repeatsOnTimeout', when: { after: { kind: 'says', text: 'no answer from you' } } },
    {
      pass: [menu, '< There was no answer from you.', menu],
      fail: [menu, '< There was no answer from you.', bye],
      inconclusive: ['< Say something.', '< There was no answer from you.', bye],
    },
  ],
  [
    { kind: 'stopsOnKey' },
    {
      pass: { lines: [menu, '> [keys 1]', bye], speaksAt: (ms) => ms <= 5000 },
      fail: { lines: [menu, '> [keys 1]', bye], speaksAt: () => true },
      inconclusive: [menu, '> [keys 1]', bye],
    },
  ],
  [
    { kind: 'not', check: { kind: 'says', text: 'overdue' } },
    {
      pass: ['< All books are back.', bye],
      fail: ['< Two books are overdue.', bye],
      inconclusive: ['< Two books aren’t overdue.', bye],
    },
  ],
  [
    { kind: 'any', checks: [library, { kind: 'says', text: 'library opens' }] },
    {
      pass: ['< The library opens at ten.', bye],
      fail: ['< For parking permits, press 1. For taxes, press 2.', '> [keys 1]', bye],
      inconclusive: ['< Library cards are free.', bye],
    },
  ],
  [
    { kind: 'all', checks: [{ kind: 'says', text: 'town hall' }, { kind: 'hangsUp' }] },
    {
      pass: { lines: ['< The town hall wishes you a good day.'], ...ended('them', 5000) },
      fail: { lines: ['< The town hall wishes you a good day.'], ...ended('us', 5000) },
      inconclusive: ['< The town hall wishes you a good day.', bye],
    },
  ],
];

describe('a check', () => {
  for (const [check, calls] of table)
    for (const [verdict, given] of Object.entries(calls))
      it(`${JSON.stringify(check)} returns ${verdict} for ${JSON.stringify(given)}`, () =>
        assert.equal(verdictOf(check, given), verdict));

  it('of every kind has its calls', () =>
    assert.deepEqual(
      checkKinds.map(({ kind }) => kind).filter((kind) => !table.some(([check]) => check.kind === kind)),
      ['sends'],
    ));

  it('of what the caller does needs its keys or words', () =>
    assert.deepEqual(
      [keyOne, { kind: 'sends', text: 'library' } as const].map((one) => verdictOf(one, [menu, '> [keys 1]', bye])),
      ['pass', 'fail'],
    ));

  it('of an example never passes on an empty call', () => {
    for (const { example } of checkKinds) assert.notEqual(verdictOf(example as never, { lines: [] }), 'pass');
  });
});

const says = (text: string, more: object = {}): Check => checkSchema.parse({ kind: 'says', text, ...more });
const recorded: Check = { kind: 'discloses', notice: 'recording' };
const step = (startMs: number, reached = true): StepOnCall => ({
  startMs,
  actionMs: startMs + 1000,
  actedMs: startMs + 2000,
  reached,
});
const steps = new Map([
  ['Greeting', step(0)],
  ['Menu', step(10_000)],
  ['Desk', step(90_000, false)],
]);
/** Turns begin every five seconds, and last four. */
const parts: readonly (readonly [title: string, check: Check, given: Given, verdict: string])[] = [
  ['after a step', says('ready', { when: { after: 'Menu' } }), { lines: [bye, bye, bye, '< Ready.'], steps }, 'pass'],
  ['before it', says('ready', { when: { after: 'Menu' } }), { lines: ['< Ready.', bye, bye, bye], steps }, 'fail'],
  ['until a step', says('ready', { when: { before: 'Menu' } }), { lines: [bye, bye, bye, '< Ready.'], steps }, 'fail'],
  ['of a lost step', says('ready', { when: { reached: 'Desk' } }), { lines: ['< Ready.'], steps }, 'inconclusive'],
  ['in the words of a menu', recorded, ['< This call is recorded. For tax, press 1. For roads, press 2.', bye], 'pass'],
  [
    'after words of the same turn',
    { kind: 'offers', option: 'roads', when: { after: recorded } },
    ['< This call is recorded. For tax, press 1. For roads, press 2.', bye],
    'pass',
  ],
  [
    'before words of the same turn',
    { kind: 'offers', option: 'roads', when: { before: recorded } },
    ['< This call is recorded. For tax, press 1. For roads, press 2.', bye],
    'fail',
  ],
  [
    'before an option of the same turn',
    { ...recorded, when: { before: { kind: 'offers', option: 'roads' } } },
    ['< This call is recorded. For tax, press 1. For roads, press 2.', bye],
    'pass',
  ],
  [
    'before nothing',
    { kind: 'not', check: says('ready', { when: { before: library } }) },
    ['< Ready.'],
    'inconclusive',
  ],
  ['after nothing', says('ready', { when: { after: library } }), ['< Ready.', bye], 'inconclusive'],
  [
    'after the second time',
    says('ready', { when: { after: says('ring', { times: 2 }) } }),
    ['< Ring.', '< Ready.', '< Ring.', bye],
    'fail',
  ],
  [
    'after either of two',
    says('ready', { when: { after: { kind: 'any', checks: [keyOne, library] } } }),
    [menu, '< Ready.'],
    'pass',
  ],
  [
    'after what follows a key',
    says('ready', { when: { after: says('thanks', { when: { after: keyOne } }) } }),
    ['< Thanks.', '< Ready.', '> [keys 1]', '< Thanks.', bye],
    'fail',
  ],
  ['in time', says('ready', { within: 12 }), [bye, '< Ready.'], 'pass'],
  ['too late', says('ready', { within: 12 }), [bye, bye, bye, '< Ready.'], 'fail'],
  [
    'in time after a key',
    says('ready', { within: 3, when: { after: keyOne } }),
    [menu, '> [keys 1]', '< Ready.'],
    'pass',
  ],
  ['of a call that ended too soon', says('ready', { within: 60 }), { lines: [menu], lastedMs: 5000 }, 'inconclusive'],
  [
    'on a call that was left',
    says('ready', { within: 60 }),
    { lines: [bye], gaveUp: true, ...ended('us', 9000) },
    'inconclusive',
  ],
  ['often enough', says('ready', { times: 2 }), ['< Ready. Are you? Ready.', bye], 'pass'],
  ['too seldom', says('ready', { times: 3 }), ['< Ready. Are you? Ready.', bye], 'fail'],
  ['with a gap only once', says('card * ready', { times: 2 }), ['< Your card is ready.', bye], 'fail'],
  ['of a call heard late', says('ready'), { lines: [bye], excuse: sentence`Busy.` }, 'inconclusive'],
  ['met on a call heard late', says('ready'), { lines: ['< Ready.', bye], excuse: sentence`Busy.` }, 'pass'],
  ['of a call that was cut short', says('ready'), [cut], 'inconclusive'],
  ['of an empty call', says('ready'), [], 'inconclusive'],
  ['of silence', { kind: 'neverSays', text: 'ready' }, ['> Hello?'], 'inconclusive'],
  ['of a silent caller', { kind: 'promptWithin', seconds: 3 }, { lines: ['> Hello?'], lastedMs: 9000 }, 'fail'],
  [
    'of silence after a moment',
    { kind: 'silenceAtMost', seconds: 3, when: { after: says('ready') } },
    {
      lines: [],
      turns: call('< Ready.', bye).map((one, at) => ({
        ...one,
        startMs: 20_000 + at * 4000,
        endMs: 23_000 + at * 4000,
      })),
      lastedMs: 28_000,
    },
    'pass',
  ],
  [
    'with the place of its group',
    { kind: 'all', when: { after: keyOne }, checks: [says('ready'), says('set')] },
    ['< Ready. Set.', '> [keys 1]', '< Ready.', bye],
    'fail',
  ],
  [
    'with its own place in a group',
    { kind: 'all', when: { after: keyOne }, checks: [says('ready'), says('set', { when: {} })] },
    ['< Set.', '> [keys 1]', '< Ready.', bye],
    'pass',
  ],
];

describe('a check of a part of a call', () => {
  for (const [title, check, given, verdict] of parts)
    it(`${title} returns ${verdict}`, () => assert.equal(verdictOf(check, given), verdict));
});

const moment = fc.constantFrom<Moment>(keyOne, recorded, library, 'Menu', 'Nowhere', { kind: 'not', check: recorded });
const leaf: fc.Arbitrary<Check> = fc
  .record(
    { after: moment, before: moment, within: fc.integer({ min: 1, max: 40 }), times: fc.integer({ min: 2, max: 4 }) },
    { requiredKeys: [] },
  )
  .chain(({ after, before, ...rest }) =>
    fc
      .constantFrom(...table.map(([check]) => check), ...checkKinds.map(({ example }) => example as Check))
      .map((check) => ({ ...check, ...rest, when: { ...(after && { after }), ...(before && { before }) } })),
  );
const anyCheck = fc.letrec<{ check: Check }>((tie) => ({
  check: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    leaf,
    tie('check').map((check): Check => ({ kind: 'not', check })),
    fc
      .tuple(fc.constantFrom('any', 'all'), fc.array(tie('check'), { minLength: 1, maxLength: 3 }))
      .map(([kind, checks]): Check => ({ kind, checks })),
  ),
})).check;
const lines = table.flatMap(([, calls]) => Object.values(calls).flatMap((one) => ('lines' in one ? one.lines : one)));
const anyCall = fc
  .array(
    fc.oneof(
      fc.constantFrom(...lines),
      fc.string({ maxLength: 30 }).map((text) => `< ${text}`),
    ),
    { maxLength: 8 },
  )
  .chain((some) =>
    fc.constantFrom<Given>(
      some,
      { lines: some, steps, ...ended('them', 20_000) },
      { lines: some, ...ended('us', 9000) },
    ),
  );

describe('any check of any call', () => {
  it('returns a verdict without a crash, and the same for its double negation', () => {
    fc.assert(
      fc.property(anyCheck, anyCall, (check, given) => {
        const verdict = verdictOf(check, given);
        assert.equal(verdictOf({ kind: 'not', check: { kind: 'not', check } }, given), verdict);
        if (verdict !== 'inconclusive')
          assert.notEqual(verdictOf({ kind: 'not', check }, given), verdict, 'a check and its opposite');
      }),
      { numRuns: 150, seed: 7 },
    );
  });
});
