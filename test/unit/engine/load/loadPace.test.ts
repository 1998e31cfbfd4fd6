import assert from 'node:assert/strict';
import { LoadPace } from '../../../../src/engine/load/loadPace.ts';

/** Returns the times at which a caller that is `late` by this much places its calls. */
function times(pace: LoadPace, late: (index: number) => number = () => 0): number[] {
  const placed: number[] = [];
  for (let now = 0; ;) {
    const due = pace.next();
    if (due === undefined) return placed;
    now = Math.max(now, due) + late(placed.length);
    pace.take(now);
    placed.push(now);
  }
}

describe('the pace of a load test', () => {
  it('spreads the calls over the ramp', () => {
    const pace = new LoadPace({ concurrency: 4, rampSeconds: 2, callsPerSecond: 100 }, 1000);
    assert.deepEqual(times(pace), [1000, 1500, 2000, 2500]);
    assert.equal(pace.rampEnd, 3000);
    assert.equal(pace.satisfied, true);
  });

  it('stretches a ramp that is steeper than the cap', () => {
    const pace = new LoadPace({ concurrency: 5, rampSeconds: 0, callsPerSecond: 10 }, 0);
    assert.deepEqual(times(pace), [0, 100, 200, 300, 400]);
    assert.equal(pace.rampEnd, 400);
  });

  it('keeps its rate although every timer is late, and makes no burst after a stall', () => {
    const coarse = times(new LoadPace({ concurrency: 200, rampSeconds: 0, callsPerSecond: 100 }, 0), () => 5);
    assert.ok((coarse.at(-1) ?? 0) < 200 * 10 + 20, `took ${String(coarse.at(-1))} ms`);
    const stalled = times(new LoadPace({ concurrency: 100, rampSeconds: 0, callsPerSecond: 50 }, 0), (index) =>
      index === 20 ? 3000 : 0,
    );
    for (let from = 21; from + 50 < stalled.length; from += 1)
      assert.ok((stalled[from + 50] ?? 0) - (stalled[from] ?? 0) >= 980);
  });

  it('replaces calls within the cap, after the first calls that are due', () => {
    const pace = new LoadPace({ concurrency: 2, rampSeconds: 10, callsPerSecond: 4 }, 0);
    pace.take(0);
    pace.owe();
    pace.owe();
    assert.equal(pace.satisfied, false);
    assert.deepEqual(times(pace), [250, 500, 5000]);
    assert.equal(pace.satisfied, true);
  });
});
