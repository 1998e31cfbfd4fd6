import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { sentence } from '../../../../src/base/sentences.ts';
import type { LoadStats, LoadVerdict } from '../../../../src/contract/loadTests.ts';
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
  it('reports a pass if all criteria are met', () => {
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

  it('remains inconclusive if the calling machine was the bottleneck and a criterion is broken', () => {
    const { outcome, reason = '' } = new LoadJudge(criteria).judge(10, figures(0.8, 0.5, true));
    assert.equal(outcome, 'inconclusive');
    assert.match(reason, /^Set-up success is 80 %.* bottleneck/);
    assert.equal(new LoadJudge(criteria).judge(10, figures(1, 0.5, true)).outcome, 'pass', 'in spite of it');
  });

  it('remains inconclusive if a figure is missing, or the test was cut short', () => {
    const missing = new LoadJudge(criteria).judge(10, figures(1));
    assert.deepEqual(
      [missing.outcome, missing.reason],
      ['inconclusive', "Time to answer (p95) wasn't measured, because no call was answered. Required: ≤ 1 s."],
    );
    const cut = new LoadJudge(criteria).judge(10, figures(1, 0.5), [sentence`The test ended early: ${'Cancelled.'}`]);
    assert.deepEqual([cut.outcome, cut.reason], ['inconclusive', 'The test ended early: Cancelled.']);
    assert.equal(
      new LoadJudge(criteria).judge(10, figures(0.5), [sentence`The test ended early:`]).outcome,
      'fail',
      'broken by then',
    );
  });

  const tests = (passed: number, failed: number, inconclusive: number, unfinished: number): LoadStats => ({
    ...figures(1),
    tested: { passed, failed, inconclusive, errors: 0, unfinished, steps: [], failures: [], referenceSeconds: 1 },
  });
  const byTests = (stats: LoadStats, replaces = false) => new LoadJudge({ minPassed: 0.9 }, replaces).judge(10, stats);

  it('remains inconclusive if calls that could decide it were still running, or have no result', () => {
    const hung = byTests(tests(1, 0, 0, 99));
    assert.equal(hung.outcome, 'inconclusive');
    assert.match(hung.reason ?? '', /99 calls were still running at the end\. Use a longer hold\.$/);
    assert.equal(byTests(tests(99, 0, 0, 1)).outcome, 'pass');
    assert.equal(byTests(tests(60, 0, 0, 40), true).outcome, 'pass', 'replaced calls are always cut off');
    const undecided = byTests(tests(8, 0, 2, 0));
    assert.equal(undecided.outcome, 'inconclusive');
    assert.match(undecided.reason ?? '', /But 2 calls had no result/);
    assert.equal(byTests(tests(7, 2, 1, 0)).outcome, 'fail');
  });

  it('reports a failure if no call was answered', () => {
    const none = { ...figures(0), callsAnswered: 0 };
    assert.equal(new LoadJudge({ maxPostDialP95Seconds: 2 }).judge(10, none).reason, 'No call was answered.');
  });

  it('reports a failure if the called side ended every call, unless the calls carried out a test', () => {
    const met = { ...figures(1), callsAnswered: 5, callsEndedEarly: 5 };
    const judged = (stats: LoadStats): LoadVerdict => new LoadJudge({ minSetupSuccess: 0.9 }).judge(10, stats);
    assert.equal(judged(met).outcome, 'fail');
    assert.match(judged(met).reason ?? '', /^Every call ended before Dialtree hung up\./);
    assert.equal(judged({ ...met, callsEndedEarly: 4 }).outcome, 'pass');
    assert.equal(judged({ ...tests(5, 0, 0, 0), callsAnswered: 5, callsEndedEarly: 5 }).outcome, 'pass');
  });
});
