import assert from 'node:assert/strict';
import { loadBudget } from '../../../../src/model/calls/callBudget.ts';

describe('the budget of a load test', () => {
  const steady = { concurrency: 10, rampSeconds: 0, holdSeconds: 100, callsPerSecond: 1e6 };
  const near = (actual: number, expected: number): void => {
    assert.ok(Math.abs(actual - expected) < 0.1, `${String(actual)} instead of ${String(expected)}`);
  };

  it('covers the hold of each call, and up to five seconds until it has ended', () => {
    const { calls, seconds, secondsOfRun } = loadBudget(steady);
    near(seconds, 10 * 105);
    assert.deepEqual([calls, secondsOfRun], [10, seconds]);
    near(loadBudget({ ...steady, rampSeconds: 20 }).seconds, 10 * 105 + (20 * 11) / 2);
  });

  it('follows the stages up and down', () => {
    const stages = [
      { concurrency: 30, rampSeconds: 10, holdSeconds: 50 },
      { concurrency: 5, rampSeconds: 10, holdSeconds: 200 },
    ];
    const { calls, seconds } = loadBudget({ ...steady, stages });
    assert.equal(calls, 30);
    near(seconds, 10 * 100 + 10 * 20.5 + 30 * 50 + 10 * 17 + 5 * 200 + 30 * 5);
  });

  it('has no reference calls if the calls are heard live, which nevertheless finish on the way down', () => {
    const stages = [{ concurrency: 5, rampSeconds: 0, holdSeconds: 100 }];
    const { calls, seconds } = loadBudget({ ...steady, stages, testRows: 1, isLive: true });
    assert.equal(calls, 10);
    near(seconds, 10 * 205);
  });

  it('places new calls at the full rate until the end of the last stage', () => {
    const load = { ...steady, callsPerSecond: 2, replace: true };
    const stages = [{ concurrency: 4, rampSeconds: 0, holdSeconds: 60 }];
    assert.equal(loadBudget({ ...load, stages }).calls, Math.ceil(2 * (4.5 + 100 + 60)) + 1);
  });

  it("counts tests that aren't cut off until the end, and the reference calls", () => {
    const stages = [{ concurrency: 2, rampSeconds: 0, holdSeconds: 50 }];
    const { calls, seconds } = loadBudget({ ...steady, stages, testRows: 1 });
    assert.equal(calls, 12);
    near(seconds, 10 * 155 + 2 * 155);
    const threeRows = loadBudget({ ...steady, stages, testRows: 3 });
    assert.equal(threeRows.calls, 16);
    near(threeRows.seconds, 10 * 155 + 6 * 155);
  });
});
