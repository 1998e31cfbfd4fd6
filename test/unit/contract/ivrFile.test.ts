import assert from 'node:assert/strict';
import { ivrFileSchema } from '../../../src/contract/ivrFile.ts';

const end = { prompt: 'Goodbye.', end: 'hangup' };
const menu = { prompt: 'For the end, press 1.', keys: { 1: 'bye' } };
const file = (states: object, rest: object = {}): object => ({ name: 'Test', start: 'main', states, ...rest });

/** Returns the complaints as "place: message". */
function refusals(candidate: unknown): string[] {
  const result = ivrFileSchema.safeParse(candidate);
  return result.success
    ? []
    : result.error.issues.map(({ path, message }) => `${path.map(String).join('.')}: ${message}`);
}

function refused(candidate: unknown, ...patterns: RegExp[]): void {
  const found = refusals(candidate);
  for (const pattern of patterns)
    assert.ok(
      found.some((line) => pattern.test(line)),
      `${String(pattern)} is not among ${JSON.stringify(found)}`,
    );
}

describe('the practice IVR file', () => {
  it('fills in the defaults of the specification', () => {
    const ivr = ivrFileSchema.parse(file({ main: menu, bye: end }));
    assert.equal(ivr.bargeIn, true);
    assert.equal(ivr.digitBufferMs, 3000);
    assert.equal(ivr.answerAfterMs, 0);
    assert.deepEqual(ivr.hours, []);
    assert.deepEqual(ivr.faults, {
      loss: 0,
      jitterMs: 0,
      noiseDb: null,
      rejectRate: 0,
      rejectWith: 486,
      deadAirState: null,
      dropCallAfterMs: null,
      seed: 1,
    });
  });

  it('accepts every field of the specification', () =>
    assert.deepEqual(
      refusals({
        $schema: 'ivr.schema.json',
        name: 'Harbour Bank',
        number: '+12025550101',
        language: 'en-US',
        voice: 'rms',
        answerAfterMs: 200,
        bargeIn: true,
        digitBufferMs: 0,
        start: 'main',
        states: {
          main: {
            prompt: 'Welcome.',
            keys: { 1: 'entry', '*': 'cards', '#': 'bye', 0: 'bye' },
            speech: { 'lost card': 'cards' },
            timeoutMs: 4000,
            maxTries: 3,
            onTimeout: { prompt: 'I did not hear you.', next: 'main' },
            onInvalid: { prompt: { wav: 'invalid.wav', text: 'Invalid.' } },
            onExhausted: 'bye',
          },
          entry: {
            prompt: 'Enter.',
            collect: { min: 0, max: 8, terminator: '#', accept: ['12345678', '#'], next: 'balance', onReject: 'main' },
          },
          balance: { prompt: 'Two dollars.', next: 'main', pauseMs: 600 },
          cards: { prompt: { wav: 'cards.wav', text: 'Cards.' }, keys: { 1: 'bye' }, bargeIn: false },
          bye: end,
        },
        hours: [{ from: '18:00', to: '08:00', start: 'bye' }],
        faults: {
          loss: 0.02,
          jitterMs: 30,
          noiseDb: -40,
          rejectRate: 0,
          rejectWith: 486,
          deadAirState: 'cards',
          dropCallAfterMs: 5000,
          seed: 7,
        },
      }),
      [],
    ));

  it('reports an unknown key with its place', () => {
    refused(file({ main: menu, bye: end }, { colour: 1 }), /^: .*"colour"/);
    refused(file({ main: { ...menu, keyz: {} }, bye: end }), /^states\.main: .*"keyz"/);
    refused(file({ main: { ...menu, onTimeout: { goto: 'main' } }, bye: end }), /^states\.main\.onTimeout: .*"goto"/);
    refused(
      file({ main: { prompt: 'Enter.', collect: { max: 4, next: 'bye', timeout: 3 } }, bye: end }),
      /^states\.main\.collect: .*"timeout"/,
    );
    refused(file({ main: menu, bye: end }, { faults: { lost: 1 } }), /^faults: .*"lost"/);
    refused(
      file({ main: menu, bye: end }, { hours: [{ from: '18:00', to: '08:00', start: 'bye', day: 'sun' }] }),
      /^hours\.0: .*"day"/,
    );
    refused(
      file({ main: { prompt: { wav: 'a.wav', text: 'A', rate: 8000 }, keys: { 1: 'bye' } }, bye: end }),
      /^states\.main\.prompt: .*"rate"/,
    );
  });

  it('reports every place that leads to a missing state', () => {
    refused(
      file({ main: { prompt: 'P', keys: { 1: 'nowhere' } } }),
      /^states\.main\.keys\.1: The state "nowhere" doesn't exist/,
    );
    refused(
      file({ main: { prompt: 'P', speech: { 'lost card': 'gone' } } }),
      /^states\.main\.speech\.lost card: The state "gone" doesn't exist/,
    );
    refused(
      file({ main: { prompt: 'P', collect: { max: 1, next: 'a', onReject: 'b' } } }),
      /^states\.main\.collect\.next: .*"a"/,
      /^states\.main\.collect\.onReject: .*"b"/,
    );
    refused(file({ main: { prompt: 'P', next: 'a' } }), /^states\.main\.next: .*"a"/);
    refused(
      file({ main: { ...menu, onTimeout: { next: 'a' }, onInvalid: { next: 'b' }, onExhausted: 'c' }, bye: end }),
      /^states\.main\.onTimeout\.next: .*"a"/,
      /^states\.main\.onInvalid\.next: .*"b"/,
      /^states\.main\.onExhausted: .*"c"/,
    );
    refused(file({ main: menu, bye: end }, { start: 'begin' }), /^start: .*"begin"/);
    refused(
      file({ main: menu, bye: end }, { hours: [{ from: '18:00', to: '08:00', start: 'closed' }] }),
      /^hours\.0\.start: .*"closed"/,
    );
    refused(file({ main: menu, bye: end }, { faults: { deadAirState: 'dead' } }), /^faults\.deadAirState: .*"dead"/);
  });

  it("doesn't mistake built-in object members for states", () => {
    refused(
      file({ main: { prompt: 'P', keys: { 1: 'constructor' } } }),
      /^states\.main\.keys\.1: The state "constructor" doesn't exist/,
    );
    refused(file({ main: menu, bye: end }, { start: 'toString' }), /^start: The state "toString" doesn't exist/);
  });

  it('rejects unreachable states', () => {
    refused(file({ main: menu, bye: end, lonely: end }), /^states\.lonely: No path leads/);
    refused(
      file({ main: menu, bye: end, a: { prompt: 'A', next: 'b' }, b: { prompt: 'B', next: 'bye' } }),
      /^states\.a: No path/,
      /^states\.b: No path/,
    );
  });

  it('counts retries, rejections and opening hours as paths', () =>
    assert.deepEqual(
      refusals(
        file(
          {
            main: {
              prompt: 'P',
              collect: { max: 1, next: 'bye', onReject: 'rejected' },
              onTimeout: { next: 'late' },
              onInvalid: { next: 'wrong' },
              onExhausted: 'worn',
            },
            bye: end,
            rejected: end,
            late: end,
            wrong: end,
            worn: end,
            closed: end,
          },
          { hours: [{ from: '18:00', to: '08:00', start: 'closed' }] },
        ),
      ),
      [],
    ));

  it('rejects states from which the call never ends', () => {
    refused(
      file({
        main: { prompt: 'P', keys: { 1: 'round', 2: 'bye' } },
        round: { prompt: 'Q', next: 'trip' },
        trip: { prompt: 'R', keys: { 1: 'round' } },
        bye: end,
      }),
      /^states\.round: No path from this state reaches an "end"/,
      /^states\.trip: No path from this state/,
    );
    refused(file({ main: { prompt: 'P', next: 'main' } }), /^states\.main: No path from this state/);
  });

  it('rejects a state with two exits, none, or an empty menu', () => {
    refused(
      file({ main: { prompt: 'P', keys: { 1: 'bye' }, end: 'hangup' }, bye: end }),
      /^states\.main: A state must continue in exactly one way.*has 2/,
    );
    refused(
      file({ main: { prompt: 'P', collect: { max: 1, next: 'bye' }, next: 'bye', end: 'busy' }, bye: end }),
      /^states\.main: .*has 3/,
    );
    refused(file({ main: { prompt: 'P' } }), /^states\.main: .*has none/);
    refused(file({ main: { prompt: 'P', keys: {} } }), /^states\.main: A menu needs/);
    assert.deepEqual(
      refusals(file({ main: { ...menu, speech: { 'the end': 'bye' } }, bye: end })),
      [],
      'keys and speech together are one way on',
    );
  });

  it('accepts an end without a prompt, or whose greeting is in its prompt', () => {
    assert.deepEqual(refusals(file({ main: { prompt: '', end: 'transfer-ringback' } })), []);
    assert.deepEqual(
      refusals(file({ main: { prompt: 'Hello, this is Ann speaking.', end: 'human', greeting: false } })),
      [],
    );
  });

  it('rejects impossible keys, times, numbers and lengths', () => {
    refused(
      file({ main: { prompt: 'P', keys: { 123456789: 'bye' } }, bye: end }),
      /^states\.main\.keys\.123456789: Keys are 0 to 9.*up to 8/,
    );
    refused(file({ main: { prompt: 'P', keys: { A: 'bye' } }, bye: end }), /^states\.main\.keys\.A: Keys are 0 to 9/);
    for (const time of ['24:00', '8:00', '12:60', '12.30', 'noon']) {
      refused(
        file({ main: menu, bye: end }, { hours: [{ from: time, to: '08:00', start: 'bye' }] }),
        /^hours\.0\.from: Give a time of day as HH:MM/,
      );
    }
    refused(file({ main: { ...menu, timeoutMs: -1 }, bye: end }), /^states\.main\.timeoutMs: /);
    refused(file({ main: { ...menu, timeoutMs: 1.5 }, bye: end }), /^states\.main\.timeoutMs: /);
    refused(file({ main: { ...menu, maxTries: 0 }, bye: end }), /^states\.main\.maxTries: /);
    refused(file({ main: menu, bye: end }, { answerAfterMs: '200' }), /^answerAfterMs: /);
    refused(file({ main: menu, bye: end }, { number: '555-0101' }), /^number: .*E\.164/);
    refused(
      file({ main: { prompt: 'P', collect: { min: 5, max: 4, next: 'bye' } }, bye: end }),
      /^states\.main\.collect\.min: min is larger than max/,
    );
    refused(
      file({ main: { prompt: 'P', collect: { max: 4, terminator: '5', next: 'bye' } }, bye: end }),
      /^states\.main\.collect\.terminator: /,
    );
    refused(
      file({ main: { prompt: 'P', collect: { max: 4, accept: ['12a'], next: 'bye' } }, bye: end }),
      /^states\.main\.collect\.accept\.0: /,
    );
    refused(
      file({ main: { ...menu, prompt: '' }, bye: end }),
      /^states\.main\.prompt: Only a state with "end" can have an empty prompt/,
    );
    refused(file({ main: { ...menu, onTimeout: { prompt: '' } }, bye: end }), /^states\.main\.onTimeout\.prompt: /);
    refused(file({ main: { prompt: 'P', end: 'explode' } }), /^states\.main\.end: /);
    refused(
      file({ main: { prompt: 'P', end: 'human', sound: { wav: 'a.wav', text: 'A' } } }),
      /^states\.main\.sound: Only a state with one of these ends/,
    );
    refused(file({ 'bad name': end }, { start: 'bad name' }), /^states\.bad name: A state name has/);
  });

  it('accepts prompts, keys, branches, ends and silence like those of real systems', () =>
    assert.deepEqual(
      refusals(
        file({
          main: {
            prompt: [
              { say: { byCall: ['Summer sale!', 'The wait is two minutes.', ''] }, bargeIn: false },
              { byTry: [['For sales, press 1.', { wav: 'ten.wav', text: 'For help, press 10.' }], '1 or 10.'] },
            ],
            keys: { 1: 'entry', 10: 'hold', '4XXX': 'hold' },
            onKey: { 0: { prompt: "0 isn't available here.", next: 'main' }, '5XXX': {} },
            onInvalid: { prompt: { byTry: ['Sorry.', 'One more try.'] } },
            stay: 'hold',
          },
          entry: {
            prompt: 'Enter your PIN.',
            collect: { min: 4, max: 4, next: 'unknown', accept: ['3333'], onReject: 'unknown' },
            branches: [{ entered: ['1111'], callers: ['+1202*', 'anonymous'], next: 'hold' }],
            stay: 'hold',
          },
          unknown: { prompt: 'Hello.', next: 'bye', branches: [{ callers: ['+12025550101'], next: 'hold' }] },
          hold: { prompt: 'Please hold.', end: 'hold-music', then: { afterMs: 20_000, next: 'person' } },
          person: { prompt: '', end: 'human' },
          bye: end,
        }),
      ),
      [],
    ));

  it('reports the place of a problem within a prompt', () => {
    const prompt = (value: unknown): object => file({ main: { ...menu, prompt: value }, bye: end });
    refused(prompt({ byTry: ['A', 5] }), /^states\.main\.prompt: byTry\.1: A prompt must be text/);
    refused(prompt([{ say: 'A', bargeIn: 'no' }]), /^states\.main\.prompt: 0: bargeIn: /);
    refused(prompt({ byCall: ['A'] }), /^states\.main\.prompt\.byCall: /);
    refused(prompt({ wav: 'a.wav' }), /^states\.main\.prompt: text: /);
    refused(prompt({ say: 'A', bargeIn: true, byTry: ['A', 'B'] }), /^states\.main\.prompt: .*"byTry"/);
    for (const value of [5, null, {}, { text: 'A' }])
      refused(prompt(value), /^states\.main\.prompt: A prompt must be text/);
    refused(prompt([]), /^states\.main\.prompt: /);
    refused(prompt({ byCall: ['', ''] }), /^states\.main\.prompt: Only a state with "end" can have an empty prompt/);
    refused(prompt({ byTry: ['A', 'B', 'C', 'D'] }), /^states\.main\.prompt: "byTry" has 4 prompts.*at most 3/);
    refused(
      file({ main: { prompt: { byTry: ['A', 'B'] }, end: 'busy' } }),
      /^states\.main\.prompt: "byTry" has 2.*at most 1/,
    );
    refused(
      file({ main: { ...menu, maxTries: 2, onKey: { 0: { prompt: { byTry: ['A', 'B'] } } } }, bye: end }),
      /^states\.main\.onKey\.0\.prompt: "byTry" has 2.*at most 1/,
    );
    refused(
      file({ main: { prompt: { say: 'A', bargeIn: false }, end: 'busy' } }),
      /^states\.main\.prompt: In a state with "end", keys have no effect/,
    );
  });

  it('rejects members that would have no effect', () => {
    const entry = { prompt: 'Enter.', collect: { min: 2, max: 4, terminator: '#', next: 'bye' } };
    const branch = (value: object, state: object = entry): object =>
      file({ main: { ...state, branches: [value] }, bye: end });
    refused(branch({ next: 'bye' }), /^states\.main\.branches\.0: A branch needs/);
    for (const entered of ['1', '12345', '12#'])
      refused(
        branch({ entered: ['12', entered], next: 'bye' }),
        /^states\.main\.branches\.0\.entered\.1: Callers can't enter/,
      );
    refused(
      branch({ entered: ['12'], next: 'bye' }, { prompt: 'A', next: 'bye' }),
      /^states\.main\.branches\.0\.entered: Callers enter digits only in/,
    );
    refused(branch({ callers: ['a b'], next: 'bye' }), /^states\.main\.branches\.0\.callers\.0: Give a caller ID/);
    refused(
      branch({ callers: ['a'], next: 'bye' }, menu),
      /^states\.main\.branches: Only a state with "collect" or "next"/,
    );
    refused(
      file({ main: { ...end, then: { afterMs: 5, next: 'main' } } }),
      /^states\.main\.then: Only a state with an "end"/,
    );
    refused(file({ main: { ...menu, then: { afterMs: 5, next: 'bye' } }, bye: end }), /^states\.main\.then: Only/);
    refused(
      file({ main: { prompt: 'A', end: 'busy', stay: 'main' } }),
      /^states\.main\.stay: Only a state with "keys"/,
    );
    refused(file({ main: { ...menu, stay: 'bye', onTimeout: {} }, bye: end }), /^states\.main\.onTimeout: With "stay"/);
    refused(file({ main: { ...entry, onKey: { 0: {} } }, bye: end }), /^states\.main\.onKey: Only a state with "keys"/);
    refused(file({ main: { ...menu, onKey: { 1: {} } }, bye: end }), /^states\.main\.onKey\.1: "keys" contains 1/);
    refused(file({ main: { ...menu, onKey: { A: {} } }, bye: end }), /^states\.main\.onKey\.A: Keys are 0 to 9/);
  });

  it('reports missing states of branches, of what follows an end or a wrong key, and of staying on the line', () =>
    refused(
      file({
        main: { ...menu, stay: 'a', onKey: { 0: { next: 'b' } } },
        bye: { prompt: 'A', next: 'last', branches: [{ callers: ['x'], next: 'c' }] },
        last: { prompt: 'A', end: 'busy', then: { afterMs: 5, next: 'd' } },
      }),
      /^states\.main\.stay: The state "a"/,
      /^states\.main\.onKey\.0\.next: The state "b"/,
      /^states\.bye\.branches\.0\.next: The state "c"/,
      /^states\.last\.then\.next: The state "d"/,
    ));

  it('rejects impossible faults', () => {
    for (const [field, value] of [
      ['loss', 1.1],
      ['loss', -0.1],
      ['jitterMs', -1],
      ['noiseDb', 3],
      ['rejectRate', 2],
      ['rejectWith', 200],
      ['rejectWith', 700],
      ['dropCallAfterMs', -1],
      ['seed', 1.5],
    ] as const) {
      refused(file({ main: menu, bye: end }, { faults: { [field]: value } }), new RegExp(`^faults\\.${field}: `));
    }
  });

  for (const candidate of [
    null,
    undefined,
    7,
    'main',
    [],
    {},
    { name: 'x' },
    { name: 'x', start: 'main', states: [] },
    { name: 'x', start: 'main', states: { main: null } },
  ]) {
    it(`rejects ${JSON.stringify(candidate) ?? 'undefined'} without an exception`, () =>
      assert.notDeepEqual(refusals(candidate), []));
  }
});
