import assert from 'node:assert/strict';
import { loadSnapshotSchema } from '../../../../../src/contract/loadPanel.ts';
import { SeenProgress } from '../../../../../src/editor/panels/reports/seenProgress.ts';
import { uuid } from '../../fakes.ts';
import { loadTest } from '../../testing/fakeRuns.ts';

const startedAt = '2026-11-21T10:00:00Z';
const t0 = Date.parse(startedAt);
const running = (placed: number, id = 5): ReturnType<typeof loadTest> =>
  loadTest(id, { status: 'running', startedAt, progress: { placed, answered: placed, active: placed, failed: 0 } });

describe('SeenProgress', () => {
  it('keeps one point per reading, never runs backwards, and keeps tests apart', () => {
    const seen = new SeenProgress();
    for (const [placed, now] of [
      [25, 1000],
      [50, 2000],
      [75, 1500],
      [75, 1500],
    ] as const)
      seen.add(running(placed), t0 + now);
    assert.deepEqual(
      seen.add(running(75), t0 + 1600).map(({ second, placed }) => [second, placed]),
      [
        [1, 25],
        [2, 75],
      ],
    );
    assert.deepEqual(
      seen.add(running(10, 6), t0 + 4000).map(({ second }) => second),
      [4],
    );
    assert.deepEqual(
      seen.add(running(100), t0 + 3000).map(({ second }) => second),
      [1, 2, 3],
    );
  });

  it("continues from an earlier window's points, once", () => {
    const seen = new SeenProgress();
    const kept = new SeenProgress().add(running(25), t0 + 1000);
    seen.goOn(uuid(5), kept);
    seen.add(running(50), t0 + 2000);
    seen.goOn(uuid(5), kept);
    assert.deepEqual(
      seen.add(running(75), t0 + 3000).map(({ second }) => second),
      [1, 2, 3],
    );
  });

  it('forgets a test that is over', () => {
    const seen = new SeenProgress();
    seen.add(running(25), t0 + 1000);
    assert.deepEqual(seen.add(loadTest(5), t0 + 2000), []);
    assert.deepEqual(seen.add(running(50), t0 + 3000).length, 1);
  });

  it('thins out the points of a long test, and keeps the first and the last', () => {
    const seen = new SeenProgress();
    let points = seen.add(running(1), t0 + 1000);
    for (let second = 2; second <= 3600; second += 1) points = seen.add(running(second), t0 + second * 1000);
    loadSnapshotSchema.shape.seen.parse(points);
    assert.deepEqual([points[0]?.second, points.at(-1)?.second], [1, 3600]);
  });
});
