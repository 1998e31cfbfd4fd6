import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { StepTimeline } from '../../../../src/engine/load/stepTimeline.ts';

describe('StepTimeline', () => {
  it('counts calls by step and second', () => {
    const timeline = new StepTimeline(2);
    timeline.add(0, 0.4, true);
    timeline.add(0, 2.9, false);
    timeline.add(1, 2, true);
    assert.deepEqual(timeline.of(0), { calls: [1, 0, 1], notPassed: [0, 0, 1] });
    assert.deepEqual(timeline.of(1), { calls: [0, 0, 1], notPassed: [0, 0, 0] });
  });

  it('widens its columns in a long test, and loses no call', () => {
    const timeline = new StepTimeline(1);
    for (let second = 0; second < 1000; second += 1) timeline.add(0, second, second % 10 !== 0);
    const { calls, notPassed } = timeline.of(0);
    assert.equal(timeline.columnSeconds, 64);
    assert.ok(calls.length <= 30);
    const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
    assert.deepEqual([sum(calls), sum(notPassed)], [1000, 100]);
  });
});
