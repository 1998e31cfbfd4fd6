import assert from 'node:assert/strict';
import {
  courseSeconds,
  fewestCalls,
  peakCalls,
  secondsForEachCall,
  timedStages,
} from '../../../../src/model/calls/loadCourse.ts';

describe('the course of a load test', () => {
  const simple = { concurrency: 11, rampSeconds: 5, holdSeconds: 60, callsPerSecond: 50 };
  const spike = {
    ...simple,
    stages: [
      { concurrency: 111, rampSeconds: 1, holdSeconds: 30 },
      { concurrency: 10, rampSeconds: 1, holdSeconds: 20 },
    ],
  };

  it('has one stage by default', () => {
    assert.deepEqual([peakCalls(simple), fewestCalls(simple)], [11, 11]);
    assert.deepEqual([courseSeconds(simple), secondsForEachCall(simple)], [65, 60]);
    assert.equal(courseSeconds({ ...simple, callsPerSecond: 0.1 }), 160);
  });

  it('starts each stage at the end of the one before, and stretches only ramps upwards', () =>
    assert.deepEqual(
      timedStages({ ...spike, callsPerSecond: 10 }).map(({ from, startsAt, rampEndsAt, endsAt }) => [
        from,
        startsAt,
        rampEndsAt,
        endsAt,
      ]),
      [
        [0, 0, 5, 65],
        [11, 65, 74.9, 104.9],
        [111, 104.9, 105.9, 125.9],
      ],
    ));

  it('has as many calls as its largest stage, and places one for each rise', () => {
    assert.deepEqual([peakCalls(spike), fewestCalls(spike)], [111, 111]);
    const steps = { concurrency: 5, stages: [2, 8, 8, 4].map((concurrency) => ({ ...simple, concurrency })) };
    assert.deepEqual([peakCalls(steps), fewestCalls(steps)], [8, 11]);
  });

  it('gives each call the time from the last rise to the end', () =>
    assert.ok(Math.abs(secondsForEachCall(spike) - 51) < 1e-9));
});
