import assert from 'node:assert/strict';
import type { LoadCriteria, LoadStats } from '../../../../src/contract/loadTests.ts';
import { measureCriteria } from '../../../../src/model/load/criteria.ts';

const percentiles = (p95: number): { p50: number; p95: number; p99: number } => ({ p50: 0, p95, p99: 10 });
const step = (p95: number | undefined) => ({
  name: 'One',
  passed: 3,
  failed: 0,
  inconclusive: 0,
  errors: 0,
  notReached: 0,
  ...(p95 !== undefined && { responseSeconds: percentiles(p95) }),
});
const stats: LoadStats = {
  callsPlaced: 200,
  callsAnswered: 198,
  setupSuccess: 0.99,
  outcomes: {},
  callSeconds: 2580.5,
  answerSeconds: percentiles(0.25),
  promptSeconds: percentiles(0.4),
  audio: {
    packetsSent: 1,
    packetsReceived: 1,
    packetsLost: 0,
    packetsLate: 0,
    framesConcealed: 0,
    lossShare: 0.0051,
    jitterMs: percentiles(2),
  },
  estimatedMos: { median: 4.3, p5: 4.1, worst: 3.9 },
  tested: {
    passed: 3,
    failed: 1,
    inconclusive: 0,
    errors: 0,
    unfinished: 9,
    steps: [step(undefined), step(1.5), step(0.5)],
    failures: [],
    referenceSeconds: 20,
  },
};
const measured = (criteria: LoadCriteria, of = stats) =>
  measureCriteria(of, criteria).map(({ met, text }) => [met, text]);

describe('the criteria of a load test', () => {
  it('pass at the limit', () => {
    const atTheLimit: LoadCriteria = {
      minPassed: 0.75,
      minSetupSuccess: 0.99,
      maxAnswerP95Seconds: 0.25,
      maxPromptP95Seconds: 0.4,
      maxResponseP95Seconds: 1.5,
      maxLoss: 0.0051,
      maxJitterP95Ms: 2,
      minMos: 4.1,
    };
    assert.deepEqual(
      measured(atTheLimit).map(([met]) => met),
      Array.from({ length: 8 }, () => true),
    );
  });

  it('have a sentence each', () => {
    const harder: LoadCriteria = {
      minPassed: 1,
      minSetupSuccess: 0.991,
      maxAnswerP95Seconds: 0.2,
      maxPromptP95Seconds: 0.3999,
      maxResponseP95Seconds: 1,
      maxLoss: 0.005,
      maxJitterP95Ms: 1,
      minMos: 4.2,
    };
    assert.deepEqual(measured(harder), [
      [false, 'The share of passed calls is 75 %. Required: ≥ 100 %.'],
      [false, 'Set-up success is 99 %. Required: ≥ 99.1 %.'],
      [false, 'Time to answer (p95) is 0.25 s. Required: ≤ 0.2 s.'],
      [false, 'Time from the answer to the prompt (p95) is 0.4 s. Required: ≤ 0.3999 s.'],
      [false, 'Response time of the slowest step (p95) is 1.5 s. Required: ≤ 1 s.'],
      [false, 'Loss is 0.51 %. Required: ≤ 0.5 %.'],
      [false, 'Jitter (p95) is 2 ms. Required: ≤ 1 ms.'],
      [false, 'Estimated MOS in 19 of 20 calls is 4.1. Required: ≥ 4.2.'],
    ]);
  });

  it("fail if they weren't measured", () => {
    assert.deepEqual(measured({ maxPostDialP95Seconds: 2 }), [
      [false, "Post-dial delay (p95) wasn't measured, because no call rang before it was answered. Required: ≤ 2 s."],
    ]);
    assert.deepEqual(measured({ minSetupSuccess: 0 }, { ...stats, callsPlaced: 0 }), [
      [false, "Set-up success wasn't measured, because no call was placed. Required: ≥ 0 %."],
    ]);
  });

  it("don't measure the prompts of a called side that is often silent", () => {
    const silent = { ...stats, callsAnswered: 100, callsWithoutPrompt: 6 };
    assert.deepEqual(measured({ maxPromptP95Seconds: 1 }, silent), [
      [
        false,
        "Time from the answer to the prompt (p95) wasn't measured, because more than 5 % of the answered calls heard nothing. Required: ≤ 1 s.",
      ],
    ]);
    assert.deepEqual(
      measured({ maxPromptP95Seconds: 1 }, { ...silent, callsWithoutPrompt: 5 }).map(([met]) => met),
      [true],
    );
  });

  it('show enough digits to distinguish a value from its limit', () =>
    assert.deepEqual(measured({ minSetupSuccess: 0.99 }, { ...stats, setupSuccess: 0.98996 }), [
      [false, 'Set-up success is 98.996 %. Required: ≥ 99 %.'],
    ]));
});
