import assert from 'node:assert/strict';
import { ivrFileSchema } from '../../src/contract/ivrFile.ts';
import { loadStatsSchema, type LoadTested } from '../../src/contract/loadTests.ts';
import { testStepSchema, type TestStep } from '../../src/contract/testConfigs.ts';
import type { LoadCaller } from '../../src/engine/load/loadCaller.ts';
import { localCaller } from '../../src/engine/load/localCaller.ts';
import { alignReferenceCalls, placeReferenceCall } from '../../src/engine/load/reference.ts';
import { runLoad } from '../../src/engine/load/runLoad.ts';
import { placeReferences } from '../../src/service/load/loadReference.ts';
import type { IvrSource } from '../../src/practice/ivrSource.ts';
import { VirtualCalls, type VirtualCall } from '../support/virtualCalls.ts';

const balance = 'Your balance is forty two dollars and ten cents.';
const states = {
  main: {
    prompt: 'Thank you for calling Orchard Bank. For your balance, press 1. For opening hours, press 2.',
    keys: { 1: 'balance', 2: 'hours' },
  },
  balance: { prompt: balance, next: 'bye' },
  hours: { prompt: 'We are open from nine to five.', next: 'bye' },
  bye: { prompt: 'Goodbye.', end: 'hangup' },
};

const bank = (name: string, change: object = {}, faults: object = {}, voice?: string): IvrSource => ({
  ivr: ivrFileSchema.parse({ name, start: 'main', states: { ...states, ...change }, faults, voice }),
  file: `${name}.ivr.json`,
  recordings: new Map(),
});
/** The bank, and what can be wrong with it. */
const banks = [
  bank('Bank'),
  bank('Other words', { balance: { prompt: 'Our computers are out of order today.', next: 'bye' } }),
  bank('Late', {
    balance: { prompt: 'One moment.', next: 'told', pauseMs: 8000 },
    told: { prompt: balance, next: 'bye' },
  }),
  bank('Dropped', {}, { dropCallAfterMs: 9000 }),
  bank('Silent', { balance: { prompt: '', end: 'dead-air' } }),
];

const whole = [
  {
    name: 'Menu',
    action: { type: 'dial' },
    expectedTranscript: 'Thank you for calling Orchard Bank. For your balance, press 1. For opening hours, press 2.',
  },
  {
    name: 'Balance',
    action: { type: 'press', keys: '1' },
    expectedTranscript: 'Your balance is forty two dollars and ten cents.',
    timing: { promptWithinSeconds: 3 },
  },
  { name: 'End', action: { type: 'expect' }, expectedTranscript: 'Goodbye', expectedEnd: 'hangup' },
].map((step) => testStepSchema.parse(step));

describe('load test that carries out a test', function () {
  let calls: VirtualCalls;
  before(async () => {
    calls = await VirtualCalls.open('tested-load');
  });
  after(async () => assert.deepEqual(await calls.close(), []));

  /**
   * The nth call goes to the IVR that `bankOf` returns. The reference calls go to the first one, or the second of them
   * to `second`.
   */
  async function load(
    { targets, agent, clock, dialer }: VirtualCall,
    concurrency: number,
    bankOf: (call: number) => number,
    steps: readonly TestStep[] = whole,
    second?: number,
  ): Promise<{ readonly tested: LoadTested | undefined; readonly warnings: readonly string[] }> {
    const signal = new AbortController().signal;
    const place = async (target: string | undefined = targets[0]) => {
      const call = await placeReferenceCall({ target: target ?? '', dialer, clock, signal, steps });
      assert.equal(call.ended.outcome, 'PASS', call.ended.reason);
      return call;
    };
    const reference = alignReferenceCalls(
      await place(),
      await place(second === undefined ? undefined : targets[second]),
    );
    const inner = localCaller(agent, clock);
    let placed = 0;
    const caller: LoadCaller = {
      ...inner,
      place: (plan, listener) => {
        placed += 1;
        return inner.place({ ...plan, target: targets[bankOf(placed)] ?? '' }, listener);
      },
    };
    const scripts = [{ steps, reference }];
    for await (const event of runLoad({
      target: targets[0] ?? '',
      caller,
      clock,
      signal,
      scripts,
      concurrency,
      rampSeconds: 5,
      holdSeconds: 60,
    }))
      if (event.type === 'ended') {
        const { tested, warnings = [] } = loadStatsSchema.parse(event.stats);
        return { tested, warnings };
      }
    throw new Error('no end');
  }

  it('passes on every call to an IVR that behaves like the reference', async () => {
    const { tested, warnings } = await calls.to(banks, (call) => load(call, 12, () => 0));
    assert.deepEqual([tested?.passed, tested?.failures, warnings], [12, [], []]);
    assert.deepEqual(
      tested?.steps.map(({ name, passed }) => [name, passed]),
      [
        ['Menu', 12],
        ['Balance', 12],
        ['End', 12],
      ],
    );
    assert.ok((tested.steps[1]?.responseSeconds?.p95 ?? 9) < 1);
  });

  it('finds every fault in its call and step, and nothing else', async () => {
    const faulty = new Map([
      [4, 1],
      [9, 2],
      [15, 3],
      [22, 4],
    ]);
    const { tested, warnings } = await calls.to(banks, (call) => load(call, 25, (number) => faulty.get(number) ?? 0));
    assert.deepEqual(
      tested?.failures
        .toSorted((a, b) => a.call - b.call)
        .map(({ call, second, step, outcome }) => [call, Math.round(second), step, outcome]),
      // A call begins each 200 ms.
      [
        [4, 1, 'Balance', 'FAIL'],
        [9, 2, 'Balance', 'FAIL'],
        [15, 3, 'Balance', 'FAIL'],
        [22, 4, 'Balance', 'FAIL'],
      ],
    );
    assert.match(tested.failures.find(({ call }) => call === 15)?.reason ?? '', /Early hang-up/);
    assert.deepEqual([tested.passed, tested.failed, warnings], [21, 4, []]);
    assert.match(
      tested.failures.find(({ call }) => call === 4)?.reason ?? '',
      /heard something other than the reference calls/,
    );
  });

  it('fails calls on which the words were right but sounded different', async () => {
    const other = bank('Another voice', {}, {}, 'slt');
    const { tested } = await calls.to([banks[0]!, other], (call) => load(call, 6, (number) => (number > 4 ? 1 : 0)));
    assert.deepEqual([tested?.passed, tested?.failed, tested?.inconclusive], [4, 2, 0]);
    assert.deepEqual(
      tested?.failures.map(({ outcome, step }) => [outcome, step]),
      [
        ['FAIL', 'Menu'],
        ['FAIL', 'Menu'],
      ],
    );
  });

  it("doesn't compare what differed on the second reference call", async () => {
    const amounts = [
      'forty two dollars and ten cents',
      'nine dollars',
      'six hundred and fifty one dollars and two cents',
    ];
    /** With and without a pause after the words that are always the same. */
    for (const [begins, pauseMs] of [
      ['Your balance is', 0],
      ['Your balance is', 500],
    ] as const) {
      const varying = amounts.map((amount) =>
        pauseMs === 0
          ? bank(amount, { balance: { prompt: `${begins} ${amount}.`, next: 'bye' } })
          : bank(amount, {
              balance: { prompt: begins, next: 'amount', pauseMs },
              amount: { prompt: `${amount}.`, next: 'bye' },
            }),
      );
      const steps = [whole[0]!, testStepSchema.parse({ ...whole[1], expectedTranscript: begins }), whole[2]!];
      const far = [
        ...varying,
        bank('Other words', { balance: { prompt: 'Our computers are out of order.', next: 'bye' } }),
      ];
      const { tested } = await calls.to(far, (call) =>
        load(call, 9, (number) => (number === 7 ? 3 : number % 3), steps, 1),
      );
      assert.deepEqual([tested?.passed, tested?.failures.map(({ call, step }) => [call, step])], [8, [[7, 'Balance']]]);
    }
  });

  for (const gapMs of [300, 550, 800])
    it(`recognises prompts whatever the silence between them, if it was ${String(gapMs)} ms on the reference call`, async () => {
      const withGap = (pauseMs: number): IvrSource =>
        bank(`Gap ${String(pauseMs)}`, { balance: { prompt: balance, next: 'bye', pauseMs } });
      const gaps = [gapMs, 300, 450, 550, 650, 800, 1200].map((pauseMs, index) => ({
        ...withGap(pauseMs),
        ivr: { ...withGap(pauseMs).ivr, name: `Gap ${String(index)}` },
      }));
      const { tested } = await calls.to(gaps, (call) => load(call, gaps.length, (number) => number - 1));
      assert.deepEqual([tested?.passed, tested?.failures], [gaps.length, []]);
    });

  it('presses a key during a prompt, wherever that cut the prompt on the reference call', async () => {
    const early = testStepSchema.parse({ ...whole[0], expectedTranscript: 'Thank you for calling Orchard Bank' });
    const { tested } = await calls.to(banks, (call) => load(call, 6, () => 0, [early, ...whole.slice(1)]));
    assert.deepEqual([tested?.passed, tested?.failures], [6, []]);
  });

  it('says in one sentence if nearly every call differs from the reference at one step', async () => {
    const { tested, warnings } = await calls.to(banks, (call) => load(call, 8, () => 1));
    assert.equal(tested?.failed, 8);
    assert.match(warnings.join(' '), /Nearly every call hears another prompt at the step “Balance”/);
  });

  it('places no other call if late recognition made the called side repeat its prompts', async () => {
    const { failure } = await calls.to(
      banks.slice(0, 1),
      ({ target, dialer, clock }) =>
        placeReferences(
          { target, dialer, clock, guarded: false, forbiddenKeys: '' },
          {
            plans: [{ type: 'script', steps: whole }],
            signal: new AbortController().signal,
            holdSeconds: 240,
            budgetSeconds: undefined,
            onCall: () => Promise.resolve(),
            onAudio: () => Promise.resolve(),
          },
        ),
      { recognitionMs: 7000 },
    );
    assert.match(
      failure?.reason ?? '',
      /^The reference call was answered too late: speech recognition took up to \d+\.\d s/,
    );
  });
});
