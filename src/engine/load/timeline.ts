import type { LoadStats } from '../../contract/loadTests.ts';
import { loadTimelinePoints } from '../../contract/loadTests.ts';

type Point = NonNullable<LoadStats['timeline']>[number];

/** One point per second, thinned out evenly when there are too many. */
export class Timeline {
  #points: Point[] = [];
  #stride = 1;
  #seen = 0;

  add(point: Point): void {
    if (this.#seen++ % this.#stride !== 0) return;
    this.#points.push(point);
    if (this.#points.length < loadTimelinePoints) return;
    this.#points = this.#points.filter((_, index) => index % 2 === 0);
    this.#stride *= 2;
  }

  points(): Point[] {
    return [...this.#points];
  }
}
