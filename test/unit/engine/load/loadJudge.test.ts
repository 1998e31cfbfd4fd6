import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { LoadStats } from '../../../../src/contract/loadTests.ts';
import { LoadJudge } from '../../../../src/engine/load/loadJudge.ts';

const criteria = { minSetupSuccess: 0.9, maxAnswerP95Seconds: 1 };
const figures = (setupSuccess: number, answerP95?: number, limited = false): LoadStats => ({
  callsPlaced: 100,
  callsAnswered: 100,
  setupSuccess,
  outcomes: {},
  callSeconds: 100,
  ...(answerP95 !== undefined && { answerSeconds: { p50: 0, p95: answerP95, p99: answerP95 } }),
  caller: { tickLatenessMs: { p50: 0, p95: 0, p99: 0 }, ticksMissed: 0, limited },
});

describe('the verdict of a load test', () => {
  it('is a pass if all criteria are met', () => {
    const { outcome, reason } = new LoadJudge(criteria).judge(10, figures(1, 0.5));
    assert.deepEqual([outcome, reason], ['pass', undefined]);
  });

  it('names the criterion that broke first, and when', () => {
    const judge = new LoadJudge(criteria);
    judge.watch(1, figures(0.8, 0.5));
    judge.watch(2, figures(1, 0.5));
    judge.watch(3, figures(1, 1.5));
    judge.watch(4, figures(0.8, 1.5));
    const verdict = judge.judge(5, figures(0.8, 1.5));
    assert.equal(verdict.outcome, 'fail');
    assert.equal(verdict.reason, 'Time to answer (p95) is 1.5 s. Required: ≤ 1 s. It has been broken since second 3.');
    assert.deepEqual(
      verdict.criteria.map(({ name, met, sinceSecond }) => [name, met, sinceSecond]),
      [
        ['minSetupSuccess', false, 4],
        ['maxAnswerP95Seconds', false, 3],
      ],
    );
  });

  it('is inconclusive if the calling machine was the bottleneck and a criterion is broken', () => {
    const { outcome, reason = '' } = new LoadJudge(criteria).judge(10, figures(0.8, 0.5, true));
    assert.equal(outcome, 'inconclusive');
    assert.match(reason, /^Set-up success is 80 %.* bottleneck/);
    assert.equal(new LoadJudge(criteria).judge(10, figures(1, 0.5, true)).outcome, 'pass', 'in spite of it');
  });

  it('is inconclusive if a figure is missing, or the test was cut short', () => {
    const missing = new LoadJudge(criteria).judge(10, figures(1));
    assert.deepEqual(
      [missing.outcome, missing.reason],
      ['inconclusive', "Time to answer (p95) wasn't measured, because no call was answered. Required: ≤ 1 s."],
    );
    const cut = new LoadJudge(criteria).judge(10, figures(1, 0.5), 'Cancelled.');
    assert.deepEqual([cut.outcome, cut.reason], ['inconclusive', 'The test ended early: Cancelled.']);
    assert.equal(new LoadJudge(criteria).judge(10, figures(0.5), 'Cancelled.').outcome, 'fail', 'broken by then');
  });
});
