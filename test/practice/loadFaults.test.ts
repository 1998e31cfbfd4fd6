import assert from 'node:assert/strict';
import { fileURLToPath } from 'node:url';
import type { IvrFile } from '../../src/contract/ivrFile.ts';
import { createDialer } from '../../src/engine/call/conversation.ts';
import { loadIvr, type IvrSource } from '../../src/practice/ivrSource.ts';
import { findInstallation, speechAssets } from '../../src/service/basics/installation.ts';
import { createSpeechEngine } from '../../src/speech/engine.ts';
import type { SpeechEngine } from '../../src/speech/ear.ts';
import { startSipAgent } from '../../src/telephony/agent.ts';
import { knownSpeech } from '../support/knownSpeech.ts';
import { ServiceFixture } from '../support/serviceFixture.ts';
import { VariedPractice } from '../support/variedPractice.ts';

const number = '+12025550101';
const bankFile = fileURLToPath(new URL('../../media/samples/bank.ivr.json', import.meta.url));
/** About twelve of them at a time. */
const load = { concurrency: 24, rampSeconds: 16, holdSeconds: 40 };

const outOfOrder = 'Our computers are out of order today.';
const references = 2;
/** Shorter than the silence that ends a test as dead air. */
const lateSeconds = 9;

const steps = [
  { name: 'Answer', action: { type: 'dial' } },
  { name: 'Accounts', action: { type: 'press', keys: '1' } },
  {
    name: 'Balance',
    action: { type: 'press', keys: '1' },
    expectedTranscript: 'Please enter your eight digit account number followed by the pound key.',
    timing: { promptWithinSeconds: 4 },
  },
  {
    name: 'Account number',
    action: { type: 'press', keys: '12345678#' },
    expectedTranscript: 'You have two hundred dollars in your account.',
    timing: { promptWithinSeconds: 4 },
  },
  { name: 'End', action: { type: 'hangUp' } },
] as const;

/** Real calls over SIP and RTP, from a service's calling thread to the practice bank. */
describe('load test of the practice bank', function () {
  this.timeout(120_000);
  const fixture = new ServiceFixture();
  let speech: SpeechEngine;
  let bank: IvrSource;
  let practice: VariedPractice | undefined;

  before(async () => {
    const installation = findInstallation();
    speech = createSpeechEngine({ assetsDir: speechAssets(installation), workerUrl: installation.speechWorker });
    bank = await loadIvr(bankFile);
  });
  afterEach(async () => {
    await fixture.close();
    const errors = (await practice?.close()) ?? [];
    practice = undefined;
    assert.deepEqual(errors, []);
  });
  after(() => speech.close());

  /** Returns the bank with another state or recording, or with a fault of the practice. */
  const changed = (
    states: IvrFile['states'],
    { faults = {}, recordings = [] }: { faults?: Partial<IvrFile['faults']>; recordings?: [string, Int16Array][] } = {},
  ): IvrSource => ({
    ...bank,
    ivr: {
      ...bank.ivr,
      states: { ...bank.ivr.states, ...states },
      faults: { ...bank.ivr.faults, ...faults },
    },
    recordings: new Map(recordings),
  });

  it('finds each fault in its call and step, and nothing else', async () => {
    const { number: enter, balance } = bank.ivr.states;
    assert.ok(typeof enter?.prompt === 'string' && typeof balance?.prompt === 'string');
    const whole = await speech.speak(enter.prompt, bank.ivr.voice);
    const half = whole.subarray(0, whole.length / 2);
    const spokenBalance = await speech.speak(balance.prompt, bank.ivr.voice);
    const late = Int16Array.from([...new Int16Array(lateSeconds * 8000), ...spokenBalance]);
    const faulty = new Map([
      // The longest calls come first: the IVR repeats this prompt twice.
      [4, { step: 'Balance', source: changed({ number: { ...enter, prompt: outOfOrder } }) }],
      [9, { step: 'Account number', source: changed({}, { faults: { deadAirState: 'balance' } }) }],
      [
        15,
        {
          step: 'Account number',
          source: changed(
            { balance: { ...balance, prompt: { wav: 'late.wav', text: balance.prompt } } },
            { recordings: [['late.wav', late]] },
          ),
        },
      ],
      [
        22,
        {
          step: 'Balance',
          source: changed(
            { number: { prompt: { wav: 'half.wav', text: enter.prompt }, end: 'hangup' } },
            { recordings: [['half.wav', half]] },
          ),
        },
      ],
    ]);
    // The reference calls come first.
    practice = await VariedPractice.start([bank, ...[...faulty.values()].map(({ source }) => source)], {
      speech,
      ivrOf: (call) => faulty.get(call - references)?.source ?? bank,
    });
    const known = knownSpeech([
      { text: enter.prompt, pcm: whole },
      { text: balance.prompt, pcm: spokenBalance },
    ]);
    const { client } = await fixture.start({
      routes: { [number]: practice.uri },
      parts: {
        openDialer: async () => {
          const agent = await startSipAgent({ host: '127.0.0.1' });
          return {
            dialer: createDialer({ agent, speech: known }),
            recognise: () => Promise.resolve(outOfOrder),
            receive: () => Promise.reject(new Error('no calls come in')),
            close: () => agent.close(),
          };
        },
      },
    });
    const { id: profileId } = await client.call('createProfile', { name: 'Quick keys', keyToneMs: 60, keyGapMs: 60 });
    const config = await client.call('createTestConfig', {
      name: 'Balance',
      phoneNumber: number,
      profileId,
      steps: [...steps],
    });
    const launched = await client.call('runLoadTest', { configId: config.id, ...load });
    const { status, reason, stats } = await client.waitForLoadTest(launched.id);
    assert.deepEqual([status, reason], ['completed', undefined]);
    const tested = stats?.tested ?? assert.fail();
    const failures = tested.failures.toSorted((one, other) => one.call - other.call);
    assert.deepEqual(
      failures.map(({ call, step, outcome }) => [call, step, outcome]),
      [...faulty].map(([call, { step }]) => [call, step, 'FAIL']),
    );
    assert.deepEqual(
      failures.map(
        ({ reason: why = '' }) => /^Step “.*”: (Unexpected|Dead air|The answer began|Early hang-up)/.exec(why)?.[1],
      ),
      ['Unexpected', 'Dead air', 'The answer began', 'Early hang-up'],
    );
    assert.deepEqual(
      failures.map(({ heard }) => heard),
      [outOfOrder, undefined, undefined, undefined],
    );
    const { arrivals } = practice;
    for (const { call, second } of failures) {
      const arrived = ((arrivals[call + references - 1] ?? 0) - (arrivals[references] ?? 0)) / 1000;
      assert.ok(Math.abs(arrived - second) < 1, `call ${String(call)}: ${String(arrived)}, not ${String(second)}`);
    }
    const { concurrency } = load;
    assert.deepEqual(
      [arrivals.length, stats?.callsPlaced, stats?.callsAnswered, stats?.outcomes],
      [concurrency + references, concurrency, concurrency, { answered: concurrency }],
    );
    assert.ok((stats?.peakConcurrency ?? 0) >= 6, 'the calls are simultaneous');
    const { passed, failed, inconclusive, errors, unfinished } = tested;
    assert.deepEqual([passed, failed, inconclusive, errors, unfinished], [20, 4, 0, 0, 0]);
    assert.deepEqual(
      tested.steps.map((step) => [step.name, step.passed, step.failed, step.notReached]),
      [
        ['Answer', 24, 0, 0],
        ['Accounts', 24, 0, 0],
        ['Balance', 22, 2, 0],
        ['Account number', 20, 2, 2],
        // A late prompt fails its step, but doesn't end the call.
        ['End', 21, 0, 3],
      ],
    );
  });
});
