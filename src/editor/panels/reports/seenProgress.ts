import { loadTimelinePoints } from '../../../contract/loadTests.ts';
import type { LoadTest, TimelinePoint } from '../../../contract/loadTests.ts';

/**
 * The progress of running load tests as this window saw it go by: the service tells the course of a test when it is
 * over. Outlives the panels that show it.
 */
export class SeenProgress {
  readonly #points = new Map<string, readonly TimelinePoint[]>();

  /** Takes up what a page of an earlier window has kept. */
  goOn(loadTestId: string, points: readonly TimelinePoint[]): void {
    if (!this.#points.has(loadTestId)) this.#points.set(loadTestId, points);
  }

  /**
   * Takes in what was read of a test, and gives all that was seen of it; nothing of one that is over.
   * @param now Unix time in milliseconds.
   */
  add(
    { id, status, progress, startedAt }: Pick<LoadTest, 'id' | 'status' | 'progress' | 'startedAt'>,
    now: number,
  ): readonly TimelinePoint[] {
    if (status !== 'running') {
      this.#points.delete(id);
      return [];
    }
    const before = this.#points.get(id) ?? [];
    const points = progress ? withPoint(before, { second: (now - Date.parse(startedAt)) / 1000, ...progress }) : before;
    this.#points.set(id, points);
    return points;
  }
}

function withPoint(before: readonly TimelinePoint[], point: TimelinePoint): readonly TimelinePoint[] {
  const last = before.at(-1);
  // A service on another machine has another clock; the line never runs backwards.
  const second = Math.max(last?.second ?? 0, Math.round(point.second * 10) / 10);
  const points = [...(second === last?.second ? before.slice(0, -1) : before), { ...point, second }];
  return points.length > loadTimelinePoints
    ? points.filter((_point, index) => index % 2 === 0 || index === points.length - 1)
    : points;
}
