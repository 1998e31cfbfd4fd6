import { loadTimelinePoints, type LoadTest, type TimelinePoint } from '../../../contract/loadTests.ts';

/**
 * The progress of running load tests, as this window saw it, because the service returns a timeline only after the end.
 * It outlives the panels that show it.
 */
export class SeenProgress {
  readonly #points = new Map<string, readonly TimelinePoint[]>();

  /** Adds the points that a page of an earlier window kept. */
  goOn(loadTestId: string, points: readonly TimelinePoint[]): void {
    if (!this.#points.has(loadTestId)) this.#points.set(loadTestId, points);
  }

  /**
   * Adds a reading of a test, and returns all points so far, or nothing for a test that is over.
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
  // A service on another machine has another clock. The line never runs backwards.
  const second = Math.max(last?.second ?? 0, Math.round(point.second * 10) / 10);
  const points = [...(second === last?.second ? before.slice(0, -1) : before), { ...point, second }];
  return points.length > loadTimelinePoints
    ? points.filter((_point, index) => index % 2 === 0 || index === points.length - 1)
    : points;
}
