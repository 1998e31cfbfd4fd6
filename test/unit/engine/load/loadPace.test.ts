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

  describe('with stages', () => {
    const course = {
      concurrency: 2,
      rampSeconds: 0,
      holdSeconds: 10,
      callsPerSecond: 1000,
      stages: [
        { concurrency: 4, rampSeconds: 4, holdSeconds: 6 },
        { concurrency: 1, rampSeconds: 3, holdSeconds: 5 },
      ],
    };
    const started = (options: Partial<ConstructorParameters<typeof LoadPace>[0]> = {}): LoadPace => {
      const pace = new LoadPace({ ...course, ...options }, 0);
      for (const due of [0, 1, 10_001, 12_001]) pace.take(due);
      return pace;
    };

    it('rises over the ramp of each stage, and drops over the ramp of the last one', () => {
      const pace = new LoadPace({ ...course, callsPerSecond: 10 }, 1000);
      assert.deepEqual(times(pace), [1000, 1100, 11_100, 13_100]);
      assert.deepEqual([pace.rampEnd, pace.end], [1100, 29_100]);
      assert.deepEqual(
        [21_099, 21_100, 22_100, 22_101, 60_000].map((now) => pace.drop(now)),
        [0, 1, 1, 0, 1],
      );
      assert.equal(pace.nextDrop(), undefined);
      assert.equal(pace.satisfied, true);
    });

    it('stretches a ramp upwards that is steeper than the cap', () => {
      const pace = new LoadPace({ ...course, callsPerSecond: 0.2 }, 0);
      assert.deepEqual(times(pace), [0, 5000, 15_000, 19_980]);
      assert.equal(pace.end, 34_000);
    });

    it("doesn't hang up a call for one that ended by itself", () => {
      const pace = started();
      pace.lose();
      assert.equal(pace.next(), undefined);
      assert.deepEqual([pace.drop(60_000), pace.satisfied], [2, true]);
    });

    it("doesn't place calls any more that the target has dropped below", () => {
      const pace = new LoadPace(course, 0);
      pace.take(0);
      pace.take(1);
      assert.deepEqual([pace.drop(21_000), pace.next(), pace.satisfied], [0, 12_001, false]);
      assert.deepEqual([pace.drop(60_000), pace.next(), pace.satisfied], [1, undefined, true]);
    });

    it('takes back a replacement that is due', () => {
      const pace = started();
      pace.owe();
      pace.owe();
      assert.deepEqual([pace.drop(60_000), pace.satisfied], [1, true]);
    });

    it('waits for calls that end by themselves, and counts them for the next rise', () => {
      const stages = [...course.stages, { concurrency: 3, rampSeconds: 0, holdSeconds: 5 }];
      const pace = started({ stages, finishesCalls: true });
      assert.equal(pace.drop(20_000 + 3000), 0);
      // Four calls instead of one.
      pace.owe();
      assert.equal(pace.drop(60_000), 0);
      assert.deepEqual([pace.take(60_000), pace.take(60_000), pace.satisfied], [false, false, true]);
      pace.owe();
      assert.equal(pace.take(60_000), true);
    });
  });
});
