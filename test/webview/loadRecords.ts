import type { LoadSnapshot } from '../../src/contract/loadPanel.ts';
import type { LoadStats, LoadTest } from '../../src/contract/loadTests.ts';

const rampSeconds = 20;
const holdSeconds = 10;
const calls = 500;

/**
 * 500 calls over a ramp of 20 s, answered a second after they were placed, seven of which fail; the others are held for
 * 10 s and ended.
 */
export const bankTimeline: NonNullable<LoadStats['timeline']> = Array.from(
  { length: rampSeconds + holdSeconds + 1 },
  (_value, index) => {
    const second = index + 1;
    const placed = Math.min(calls, second * (calls / rampSeconds));
    const decided = Math.min(calls, Math.max(0, second - 1) * (calls / rampSeconds));
    const failed = [6, 9, 9, 13, 14, 17, 19].filter((at) => at <= second).length;
    const answered = decided - failed;
    const over = second > rampSeconds + holdSeconds ? 402 : second >= 26 ? 6 : 0;
    return { second, placed, answered, active: answered - over, failed };
  },
);

export const bankStats = {
  callsPlaced: calls,
  callsAnswered: 493,
  setupSuccess: 0.986,
  answerSeconds: { p50: 0.412, p95: 1.183, p99: 1.741 },
  promptSeconds: { p50: 0.184, p95: 0.337, p99: 0.612 },
  postDialSeconds: { p50: 0.097, p95: 0.288, p99: 0.43 },
  outcomes: { answered: 493, 'rejected 503': 4, busy: 2, noAnswer: 1 },
  callSeconds: 9893.4,
  callsWithoutPrompt: 2,
  callsEndedEarly: 6,
  hangUps: { us: 487, 'them Q.850 31': 4, them: 1, mediaTimeout: 1 },
  peakConcurrency: 488,
  setupsPerSecond: 25.04,
  audio: {
    packetsSent: 494_120,
    packetsReceived: 493_208,
    packetsLost: 611,
    packetsLate: 204,
    framesConcealed: 798,
    lossShare: 0.00165,
    jitterMs: { p50: 1.84, p95: 6.27, p99: 11.9 },
  },
  estimatedMos: { median: 4.38, p5: 4.21, worst: 3.02 },
  caller: { tickLatenessMs: { p50: 0.61, p95: 4.2, p99: 11.4 }, ticksMissed: 0, limited: false },
  timeline: bankTimeline,
} as const satisfies LoadStats;

const id = '00000000-0000-4000-8000-000000000071';
const startedAt = '2026-11-21T10:00:00Z';

export function endedTest(values: Partial<LoadTest> = {}): LoadSnapshot {
  return {
    type: 'snapshot',
    name: 'Harbour Bank: main menu',
    test: {
      id,
      phoneNumber: '+12025550101',
      concurrency: calls,
      rampSeconds,
      holdSeconds,
      status: 'completed',
      stats: bankStats,
      startedAt,
      completedAt: '2026-11-21T10:00:32Z',
      ...values,
    },
  };
}

/** The same on a machine that was too slow for that many calls. */
export const limitedTest = (): LoadSnapshot =>
  endedTest({
    stats: {
      ...bankStats,
      answerSeconds: { p50: 0.688, p95: 2.514, p99: 3.07 },
      audio: {
        ...bankStats.audio,
        packetsLate: 20_418,
        framesConcealed: 20_733,
        lossShare: 0.0426,
        jitterMs: { p50: 9.4, p95: 31.7, p99: 58.2 },
      },
      estimatedMos: { median: 3.71, p5: 2.98, worst: 1.62 },
      caller: { tickLatenessMs: { p50: 6.2, p95: 41.3, p99: 128.4 }, ticksMissed: 37, limited: true },
      warnings: [
        'The calling machine was the bottleneck: its 20 ms timer was 128 ms late at p99 (limit 20 ms) and skipped 2.4 % of the packets. It affected the measured times, jitter and MOS. Use fewer calls, a machine with free cores, or several machines.',
      ],
    },
  });

/** @param second of the test, as its progress gives it. */
export function runningTest(second: number): LoadSnapshot {
  const { second: _at, ...progress } = bankTimeline[second - 1] ?? { second };
  const { stats: _stats, completedAt: _completedAt, ...test } = endedTest().test;
  return {
    ...endedTest(),
    seen: bankTimeline.slice(0, second),
    test: { ...test, status: 'running', ...('placed' in progress && { progress }) },
  };
}

type Criterion = NonNullable<LoadStats['verdict']>['criteria'][number];
const broken = (name: Criterion['name'], limit: number, value: number, sinceSecond: number, text: string) =>
  ({ name, limit, value, met: false, sinceSecond, text }) as const;
const met = (name: Criterion['name'], limit: number, value: number, text: string) =>
  ({ name, limit, value, met: true, text }) as const;
const counts = { passed: 0, failed: 0, inconclusive: 0, errors: 0, notReached: 0 };
/** The same calls, which carried out a test. */
export const testedLoad = (): LoadSnapshot =>
  endedTest({
    stats: {
      ...bankStats,
      tested: {
        passed: 487,
        failed: 4,
        inconclusive: 0,
        errors: 2,
        unfinished: 3,
        steps: [
          {
            name: 'Greeting',
            ...counts,
            passed: 491,
            errors: 2,
            responseSeconds: { p50: 0.2, p95: 0.31, p99: 0.4 },
          },
          {
            name: 'Balance',
            ...counts,
            passed: 487,
            failed: 4,
            notReached: 2,
            responseSeconds: { p50: 0.4, p95: 1.7, p99: 3 },
          },
        ],
        failures: [
          {
            call: 41,
            second: 1.6,
            outcome: 'FAIL',
            step: 'Balance',
            row: 2,
            reason: 'Step “Balance”: Unexpected words were heard.',
            recording: { audioUrl: 'http://127.0.0.1:1/call', stepMs: 4000 },
          },
          { call: 302, second: 12.1, outcome: 'ERROR', step: 'Greeting', reason: 'The line <b>failed</b>.' },
        ],
        references: [{ row: 2, audioUrl: 'http://127.0.0.1:1/reference', stepMs: [0, 3000] }],
        referenceSeconds: 21.4,
      },
      verdict: {
        outcome: 'fail',
        reason: 'The share of passed calls is 98.8 %. Required: ≥ 99 %. It has been broken since second 14.',
        criteria: [
          broken('minPassed', 0.99, 0.9878, 14, 'The share of passed calls is 98.8 %. Required: ≥ 99 %.'),
          met('maxLoss', 0.01, 0.001, 'Loss is 0.1 %. Required: ≤ 1 %.'),
        ],
      },
    },
  });

/** A peak that the called side doesn't bear: criteria break, and Dialtree halves its rate. */
export function stagedLoad(): LoadSnapshot {
  const timeline = bankTimeline.map((point) => {
    const { second } = point;
    const wanted = second <= 5 ? 40 * second : second <= 10 ? 200 : second <= 15 ? 200 + 60 * (second - 10) : 500;
    const placed = second <= 25 ? wanted : 500;
    const failed = Math.max(0, Math.min(60, (second - 14) * 12));
    const answered = Math.max(0, placed - failed - (second < 15 ? 5 : 0));
    const active = second <= 25 ? answered : Math.max(50, answered - (second - 25) * 90);
    return { second, placed, answered, active, failed };
  });
  const { stats } = testedLoad().test;
  return endedTest({
    concurrency: 200,
    rampSeconds: 5,
    holdSeconds: 5,
    stages: [
      { concurrency: 500, rampSeconds: 6, holdSeconds: 9 },
      { concurrency: 50, rampSeconds: 3, holdSeconds: 2 },
    ],
    stats: {
      ...bankStats,
      ...(stats?.tested && { tested: stats.tested }),
      timeline,
      callsAnswered: 440,
      setupSuccess: 0.88,
      outcomes: { answered: 440, 'rejected 503': 60 },
      rateHalvedAtSeconds: [18, 20],
      warnings: [
        'The called side refused 60 calls for lack of room (486, 503, 600 or 603), so Dialtree reduced its rate to at most 12.5 calls per second.',
      ],
      verdict: {
        outcome: 'fail',
        reason: 'Set-up success is 88 %. Required: ≥ 99 %. It has been broken since second 17.',
        criteria: [
          broken('minSetupSuccess', 0.99, 0.88, 17, 'Set-up success is 88 %. Required: ≥ 99 %.'),
          broken('maxLoss', 0.001, 0.00165, 17, 'Loss is 0.17 %. Required: ≤ 0.1 %.'),
          met('minMos', 4, 4.21, 'Estimated MOS in 19 of 20 calls is 4.21. Required: ≥ 4.'),
        ],
      },
    },
  });
}
