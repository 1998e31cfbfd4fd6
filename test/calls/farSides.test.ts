import assert from 'node:assert/strict';
import { ivrFileSchema } from '../../src/contract/ivrFile.ts';
import { loadStatsSchema, type LoadStats, type LoadTested } from '../../src/contract/loadTests.ts';
import { testStepSchema, type TestStep } from '../../src/contract/testConfigs.ts';
import type { RunOutcome } from '../../src/contract/testRuns.ts';
import type { LoadCaller } from '../../src/engine/load/loadCaller.ts';
import { localCaller } from '../../src/engine/load/localCaller.ts';
import { alignReferenceCalls, placeReferenceCall } from '../../src/engine/load/reference.ts';
import { runLoad } from '../../src/engine/load/runLoad.ts';
import type { IvrSource } from '../../src/practice/ivrSource.ts';
import { endSoundOf } from '../../src/practice/sounds.ts';
import type { IncomingCallLeg, MediaOptions } from '../../src/telephony/call.ts';
import { BadNetwork, changedLeg, impairments, type WireFault } from '../support/badFarSides.ts';
import { seededRandom } from '../support/telephonyLink.ts';
import { VirtualCalls } from '../support/virtualCalls.ts';
import type { VirtualClock } from '../support/virtualClock.ts';

const voice = 'rms';
const menu = 'Thank you for calling Orchard Bank. For your balance, press 1. For opening hours, press 2.';
const balance = 'Your balance is forty two dollars and ten cents.';
const goodbye = 'Goodbye.';
const states = {
  main: { prompt: menu, keys: { 1: 'balance', 2: 'hours' } },
  balance: { prompt: balance, next: 'bye' },
  hours: { prompt: 'We are open from nine to five.', next: 'bye' },
  bye: { prompt: goodbye, end: 'hangup' },
};
const whole = [
  { name: 'Menu', action: { type: 'dial' }, expectedTranscript: menu },
  {
    name: 'Balance',
    action: { type: 'press', keys: '1' },
    expectedTranscript: balance,
    timing: { promptWithinSeconds: 3 },
  },
  { name: 'End', action: { type: 'expect' }, expectedTranscript: goodbye, expectedEnd: 'hangup' },
].map((step) => testStepSchema.parse(step));

interface FarSide {
  readonly change?: object;
  readonly faults?: object;
  readonly ivr?: object;
  readonly voice?: string;
  /** Changes each prompt's audio. */
  readonly pcm?: (pcm: Int16Array, prompt: string) => Int16Array;
  readonly wire?: WireFault;
  readonly leg?: (leg: IncomingCallLeg, clock: VirtualClock) => IncomingCallLeg | undefined;
  readonly impair?: (clock: VirtualClock) => NonNullable<MediaOptions['impairRtp']>;
}
const louder = (pcm: Int16Array, db: number): Int16Array => pcm.map((v) => Math.round(v * 10 ** (db / 20)));
const stretched = (pcm: Int16Array, factor: number): Int16Array =>
  Int16Array.from({ length: Math.floor(pcm.length * factor) }, (_, i) => {
    const at = i / factor,
      low = Math.floor(at);
    return Math.round((pcm[low] ?? 0) * (1 - at + low) + (pcm[low + 1] ?? 0) * (at - low));
  });
const noise = (ms: number, db: number): Int16Array => {
  const random = seededRandom(7);
  return Int16Array.from({ length: ms * 8 }, () =>
    Math.round((random() + random() + random() - 1.5) * 2 * 32767 * 10 ** (db / 20)),
  );
};
const repeated = (pcm: Int16Array, ms: number): Int16Array =>
  Int16Array.from({ length: ms * 8 }, (_, i) => pcm[i % pcm.length] ?? 0);
const sdpOf = (law: 0 | 8) => (host: string, port: number) =>
  `v=0\r\no=- 9 9 IN IP4 ${host}\r\ns=-\r\nc=IN IP4 ${host}\r\nt=0 0\r\nm=audio ${String(port)} RTP/AVP ${String(law)} 101\r\na=rtpmap:101 telephone-event/8000\r\n`;
const isBye = (text: string): boolean => /^CSeq: \d+ BYE/m.test(text);

type Expected = 'PASS' | readonly [outcome: RunOutcome, step: string, reason: RegExp];
const otherPrompt = (step: string): Expected => ['FAIL', step, /heard something other than the reference calls/];
const deadAir: Expected = ['FAIL', 'Menu', /: Dead air: nothing was heard for 10 s\.$/];
const refuse =
  (status: number): NonNullable<FarSide['leg']> =>
  (leg) => {
    leg.reject(status);
    return undefined;
  };

/** What one call in two meets, and what the load test reports of it. */
const rows: readonly (readonly [name: string, side: FarSide, expected: Expected])[] = [
  ['silence from the answer', { pcm: (pcm) => new Int16Array(pcm.length) }, deadAir],
  [
    'no RTP',
    { impair: impairments.none() },
    ['FAIL', 'Menu', /: No audio arrived: Dialtree received no RTP packets\./],
  ],
  ['loud noise', { pcm: () => noise(20_000, -20) }, otherPrompt('Menu')],
  ['music', { pcm: () => repeated(endSoundOf('music'), 20_000) }, otherPrompt('Menu')],
  ['a ringing tone', { pcm: () => repeated(endSoundOf('ringback'), 20_000) }, otherPrompt('Menu')],
  ['a fax', { pcm: () => repeated(endSoundOf('fax'), 20_000) }, otherPrompt('Menu')],
  ['A-law', { impair: impairments.alaw() }, 'PASS'],
  [
    'a codec that was not agreed',
    { impair: impairments.payloadType(18) },
    ['FAIL', 'Menu', /: The called side sends audio as G729, although/],
  ],
  [
    'a re-INVITE to A-law',
    { wire: { reinvite: { afterMs: 3000, sdp: sdpOf(8) } }, impair: impairments.alaw() },
    'PASS',
  ],
  ['a re-INVITE to another port', { wire: { portShift: 1000, reinvite: { afterMs: 3000, sdp: sdpOf(0) } } }, 'PASS'],
  ['RTP from another port', { wire: { portShift: 1000 } }, 'PASS'],
  [
    'keys that are ignored',
    { change: { main: { prompt: menu, keys: { 9: 'hours', 2: 'balance' } } } },
    ['FAIL', 'Balance', /: Wrong menu: this is what step “Menu” expects\.$/],
  ],
  ['a loss of 5 %', { impair: impairments.loss(0.05, 4) }, 'PASS'],
  ['jitter of 100 ms', { impair: impairments.jitter(100, 3) }, 'PASS'],
  ['duplicate packets', { impair: impairments.duplicates() }, 'PASS'],
  ['reordered packets', { impair: impairments.reordered() }, 'PASS'],
  [
    'a hang-up right after the answer',
    { faults: { dropCallAfterMs: 0 } },
    ['FAIL', 'Menu', /: Early hang-up: The other side hung up 0\.0 s into the call/],
  ],
  [
    'a hang-up during the menu',
    { faults: { dropCallAfterMs: 3000 } },
    ['FAIL', 'Menu', /: Early hang-up: the call ended before the expected words/],
  ],
  [
    'a hang-up during a later prompt',
    { faults: { dropCallAfterMs: 9000 } },
    ['FAIL', 'Balance', /: Early hang-up: the call ended before the expected words/],
  ],
  [
    'a refusal while it rings',
    {
      leg: (leg, clock) => {
        leg.ring();
        clock.setTimeout(() => leg.reject(480), 2000);
        return undefined;
      },
    },
    ['FAIL', 'Menu', /: The call wasn't answered \(SIP 480\)\. Check that the phone/],
  ],
  ['486', { leg: refuse(486) }, ['FAIL', 'Menu', /: The number was busy \(SIP 486\)\. Try again later/]],
  ['503', { leg: refuse(503) }, ['FAIL', 'Menu', /: The call was refused \(SIP 503\)\. Try again later/]],
  [
    'no response',
    { wire: { loses: () => true } },
    ['FAIL', 'Menu', /: The called side didn't respond to this call: no response from /],
  ],
  [
    'no answer',
    {
      leg: (leg) => {
        leg.ring();
        return undefined;
      },
    },
    ['FAIL', 'Menu', /: The call wasn't answered within 60 s\.$/],
  ],
  ['an answer after 5 s', { ivr: { answerAfterMs: 5000 } }, 'PASS'],
  [
    'prompts 3 s late',
    { pcm: (pcm) => Int16Array.from([...new Int16Array(24_800), ...pcm]) },
    ['FAIL', 'Balance', /: The answer began after 3\.\d s, not within 3 s\.$/],
  ],
  [
    'a BYE that is lost',
    { wire: { loses: isBye } },
    ['FAIL', 'End', /Expected: The called side hangs up\. Instead: The line is silent\.$/],
  ],
  [
    'no response to our BYE',
    { wire: { loses: (text, isFromCallee) => isFromCallee && isBye(text) && text.startsWith('SIP/2.0') } },
    'PASS',
  ],
  [
    'an ACK that is lost',
    { wire: { loses: (text, isFromCallee) => !isFromCallee && text.startsWith('ACK ') } },
    'PASS',
  ],
  ['prompts 3 dB quieter', { pcm: (pcm) => louder(pcm, -3) }, 'PASS'],
  ['prompts 10 dB quieter', { pcm: (pcm) => louder(pcm, -10) }, 'PASS'],
  ['prompts 6 dB louder', { pcm: (pcm) => louder(pcm, 6) }, 'PASS'],
  ['prompts too quiet to hear', { pcm: (pcm) => louder(pcm, -30) }, deadAir],
  ['a clock 0.5 % slow', { pcm: (pcm) => stretched(pcm, 1.005) }, 'PASS'],
  ['a clock 0.5 % fast', { pcm: (pcm) => stretched(pcm, 0.995) }, 'PASS'],
  ['prompts without their first 200 ms', { pcm: (pcm) => pcm.slice(2080) }, otherPrompt('Balance')],
  ['prompts without their last 200 ms', { pcm: (pcm) => pcm.slice(0, -3200) }, otherPrompt('Balance')],
  ['another voice', { voice: 'slt' }, otherPrompt('Menu')],
  ['a key that works only after the prompt', { ivr: { bargeIn: false } }, 'PASS'],
  ['noise on the line', { faults: { noiseDb: -50 } }, 'PASS'],
];

describe('bad far sides under load', function () {
  let calls: VirtualCalls;
  before(async () => {
    calls = await VirtualCalls.open('far-sides');
  });
  after(async () => assert.deepEqual(await calls.close(), []));

  const sourceOf = async (
    name: string,
    { change = {}, faults = {}, ivr = {}, voice: own, pcm }: FarSide,
  ): Promise<IvrSource> => {
    const all: Record<string, object> = { ...states, ...change };
    const recordings = new Map<string, Int16Array>();
    if (pcm)
      for (const [state, value] of Object.entries(all)) {
        const { prompt } = value as { prompt: string };
        recordings.set(`${state}.wav`, pcm(await calls.speak(prompt, voice), prompt));
        all[state] = { ...value, prompt: { wav: `${state}.wav`, text: prompt } };
      }
    return {
      ivr: ivrFileSchema.parse({ name, start: 'main', states: all, faults, voice: own ?? voice, ...ivr }),
      file: `${name}.ivr.json`,
      recordings,
    };
  };

  async function load(
    sides: readonly FarSide[],
    concurrency: number,
    sideOf: (call: number) => number,
    steps: readonly TestStep[] = whole,
  ): Promise<LoadStats> {
    const sources = await Promise.all(sides.map((side, index) => sourceOf(`Side ${String(index)}`, side)));
    let arrived = 0;
    return calls.to(
      sources,
      async ({ targets, agent, clock, dialer }) => {
        const signal = new AbortController().signal;
        const place = async () => {
          const call = await placeReferenceCall({ target: targets[0] ?? '', dialer, clock, signal, steps });
          assert.equal(call.ended.outcome, 'PASS', call.ended.reason);
          return call;
        };
        const reference = alignReferenceCalls(await place(), await place());
        const inner = localCaller(agent, clock);
        let placed = 0;
        const caller: LoadCaller = {
          ...inner,
          place: (plan, listener) => {
            placed += 1;
            return inner.place({ ...plan, target: targets[sideOf(placed)] ?? '' }, listener);
          },
        };
        for await (const event of runLoad({
          target: '',
          caller,
          clock,
          signal,
          scripts: [{ steps, reference }],
          concurrency,
          rampSeconds: 10,
          holdSeconds: 120,
          criteria: { minPassed: 1 },
          abortWhen: { failureShare: 1 },
        }))
          if (event.type === 'ended') return loadStatsSchema.parse(event.stats);
        throw new Error('no end');
      },
      {
        network: (clock) => new BadNetwork(clock, (call) => (call > 2 ? sides[sideOf(call - 2)]?.wire : undefined)),
        onCall: (leg, clock) => {
          arrived += 1;
          if (arrived <= 2) return leg;
          const side = sides[Number(/side-(\d+)/.exec(leg.requestUri)?.[1])];
          const changed = side?.leg ? side.leg(leg, clock) : leg;
          const { impair } = side ?? {};
          return changed && impair
            ? changedLeg(changed, {
                answer: () => leg.answer({ impairRtp: impair(clock) }),
              })
            : changed;
        },
      },
    );
  }

  describe('one call in two', () => {
    let tested: LoadTested;
    before(async () => {
      const good: FarSide = {};
      const stats = await load([good, ...rows.map(([, side]) => side)], rows.length * 2, (call) =>
        call % 2 === 0 ? call / 2 : 0,
      );
      tested = stats.tested ?? assert.fail();
    });

    for (const [index, [name, , expected]] of rows.entries())
      it(`meets ${name}`, () => {
        const failure = tested.failures.find(({ call }) => call === 2 * (index + 1));
        if (expected === 'PASS' || !failure) {
          assert.deepEqual([failure], [expected === 'PASS' ? undefined : expected]);
          return;
        }
        const [outcome, step, reason] = expected;
        assert.deepEqual([failure.outcome, failure.step], [outcome, step]);
        assert.match(failure.reason ?? '', reason);
      });

    it('has no effect on the others', () => {
      assert.deepEqual(
        tested.failures.filter(({ call }) => call % 2 === 1),
        [],
      );
      const { passed, failed, inconclusive, errors, unfinished } = tested;
      assert.deepEqual(
        [passed, failed, inconclusive, errors, unfinished],
        [rows.length + countOf('PASS'), countOf('FAIL'), countOf('INCONCLUSIVE'), 0, 0],
      );
    });
  });

  it('says how much was lost on a call that lost so much that prompts sound different', async () => {
    const { tested, verdict } = await load([{}, { impair: impairments.loss(0.2, 3) }], 4, (call) =>
      call % 2 === 0 ? 1 : 0,
    );
    assert.deepEqual([tested?.failed, tested?.errors], [0, 0]);
    assert.ok((tested?.inconclusive ?? 0) > 0);
    for (const { call, outcome, reason } of tested?.failures ?? []) {
      assert.deepEqual([call % 2, outcome], [0, 'INCONCLUSIVE']);
      assert.match(reason ?? '', /\d % of the audio packets of this call were lost or late\.$/);
    }
    assert.equal(verdict?.outcome, 'inconclusive');
  });
});

const countOf = (wanted: RunOutcome): number =>
  rows.filter(([, , expected]) => (expected === 'PASS' ? expected : expected[0]) === wanted).length;
