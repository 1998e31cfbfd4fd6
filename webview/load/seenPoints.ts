import type { LoadTest } from '../../src/contract/loadTests.ts';
import { allSeries } from './timelinePoint.ts';
import type { TimelinePoint } from './timelinePoint.ts';

/** As many as the timeline of a record holds; more than this a chart cannot show. */
const mostPoints = 300;

/** What is kept by `setState`. */
export interface SeenState { readonly loadTestId: string; readonly seen: readonly TimelinePoint[] }

/** The progress of a test as this page saw it go by: a running test has no timeline of its own yet. */
export class SeenPoints {
  #loadTestId: string | undefined;
  #points: TimelinePoint[] = [];

  /** @param stored what `setState` kept, or anything. */
  constructor(stored: unknown) {
    if (!isState(stored)) return;
    this.#loadTestId = stored.loadTestId;
    this.#points = [...stored.seen];
  }

  get points(): readonly TimelinePoint[] { return this.#points; }

  /** Takes in what a snapshot tells, and gives what is to be kept. @param now Unix time in milliseconds. */
  add({ id, status, progress, startedAt }: Pick<LoadTest, 'id' | 'status' | 'progress' | 'startedAt'>, now: number): SeenState {
    if (id !== this.#loadTestId) this.#points = [];
    this.#loadTestId = id;
    if (status === 'running' && progress) this.#push({ second: (now - Date.parse(startedAt)) / 1000, ...progress });
    return { loadTestId: id, seen: this.#points };
  }

  #push(point: TimelinePoint): void {
    const last = this.#points.at(-1);
    // A service on another machine has another clock; the line never runs backwards.
    const second = Math.max(last?.second ?? 0, Math.round(point.second * 10) / 10);
    if (second === last?.second) this.#points.pop();
    this.#points.push({ ...point, second });
    if (this.#points.length > mostPoints) this.#points = this.#points.filter((_point, index) => index % 2 === 0 || index === this.#points.length - 1);
  }
}

function isState(value: unknown): value is SeenState {
  if (typeof value !== 'object' || value === null) return false;
  const { loadTestId, seen } = value as Partial<Record<keyof SeenState, unknown>>;
  return typeof loadTestId === 'string' && Array.isArray(seen) && seen.every(isPoint);
}

const isPoint = (value: unknown): boolean => typeof value === 'object' && value !== null && ['second', ...allSeries].every((name) => Number.isFinite((value as Record<string, unknown>)[name]));
