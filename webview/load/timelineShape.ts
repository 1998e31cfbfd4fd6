import type { TimelinePoint } from '../../src/contract/loadTests.ts';
import { placeMarks, type PlacedMark } from './markPlaces.ts';
import { momentText } from './numbers.ts';
import { roundTicks, scaleOf, secondTicks, spread } from './scale.ts';
import { allSeries, seriesWords, type Series } from './timelineSeries.ts';
import type { TimelineMark } from './timelineMarks.ts';

/** The geometry of the timeline, in pixels from its upper left corner. */
export interface TimelineShape {
  readonly width: number;
  readonly height: number;
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
  readonly xTicks: readonly { readonly x: number; readonly text: string }[];
  readonly yTicks: readonly { readonly y: number; readonly value: number }[];
  readonly lines: readonly {
    readonly series: Series;
    readonly path: string;
    readonly end: { readonly x: number; readonly y: number };
    readonly labelY: number | undefined;
  }[];
  /** Below the line of the active calls. */
  readonly area: string;
  /** In up to two rows above the lines: the stages, and what went wrong. */
  readonly marks: readonly (PlacedMark & { readonly labelY: number })[];
  readonly xOf: (second: number) => number;
  readonly yOf: (calls: number) => number;
  /** Returns the index in `points` of the point nearest to a position from the left; -1 if there are none. */
  readonly nearest: (x: number) => number;
}

interface TimelineFrame {
  readonly width: number;
  /** The time of the whole width, and the number of calls of the height; more if the points exceed them. */
  readonly seconds: number;
  readonly calls: number;
  readonly marks: readonly TimelineMark[];
}

const plotHeight = 240;
const rowHeight = 16;
/** Below this width, there is no space for labels at the ends of the lines. */
const labelledWidth = 520;
const labelGap = 15;
/** For the longest of these labels, and the space before it. */
const labelWidth = 12 + 8 * Math.max(...Object.values(seriesWords).map((word) => word.length));

/** All totals are 0 at T0. */
const origin: TimelinePoint = { second: 0, placed: 0, answered: 0, active: 0, failed: 0 };

export function timelineShape(points: readonly TimelinePoint[], frame: TimelineFrame): TimelineShape {
  const seconds = Math.max(frame.seconds, points.at(-1)?.second ?? 0, 1);
  const yValues = roundTicks(
    Math.max(frame.calls, ...points.flatMap((point) => allSeries.map((series) => point[series]))),
    5,
    true,
  );
  const most = yValues.at(-1) ?? 1;
  const isLabelled = frame.width >= labelledWidth && points.length > 0;
  const leftMargin = 12 + 7 * String(most).length;
  // A criterion can break at the very end, after the last point. A stage after the end didn't begin.
  const marks = frame.marks.filter(({ second, kind }) => kind !== 'stage' || second < seconds);
  const rows = [marks.filter(({ kind }) => kind === 'stage'), marks.filter(({ kind }) => kind !== 'stage')].filter(
    (row, index) => index === 0 || row.length > 0,
  );
  // The lines keep their height.
  const extra = (rows.length - 1) * rowHeight;
  const height = plotHeight + extra;
  const [top, bottom] = [22 + extra, height - 26];
  const right = Math.max(leftMargin + 40, frame.width - (isLabelled ? labelWidth : 14));
  const xOf = scaleOf(seconds, leftMargin, right);
  const yOf = scaleOf(most, bottom, top);
  const drawn = points.length === 0 || points[0]?.second === 0 ? points : [origin, ...points];
  const pathOf = (series: Series): string =>
    drawn
      .map((point, index) => `${index === 0 ? 'M' : 'L'}${place(xOf(point.second))} ${place(yOf(point[series]))}`)
      .join('');
  const last = points.at(-1);
  const ends = last ? allSeries.map((series) => yOf(last[series])) : [];
  const labels = spread(ends, labelGap, top, bottom);
  return {
    width: frame.width,
    height,
    left: leftMargin,
    right,
    top,
    bottom,
    xOf,
    yOf,
    xTicks: secondTicks(seconds, Math.max(2, Math.floor((right - leftMargin) / 70))).map((second) => ({
      x: xOf(second),
      text: momentText(second, seconds),
    })),
    yTicks: yValues.map((value) => ({ y: yOf(value), value })),
    lines: last
      ? allSeries.map((series, index) => ({
          series,
          path: pathOf(series),
          end: { x: xOf(last.second), y: yOf(last[series]) },
          labelY: isLabelled ? labels[index] : undefined,
        }))
      : [],
    area: last
      ? `${pathOf('active')}L${place(xOf(last.second))} ${place(bottom)}L${place(xOf(drawn[0]?.second ?? 0))} ${place(bottom)}Z`
      : '',
    marks: rows.flatMap((row, index) =>
      placeMarks(row, (second) => xOf(Math.min(second, seconds)), { left: 0, right: frame.width }).map((mark) => ({
        ...mark,
        labelY: top - 7 - extra + index * rowHeight,
      })),
    ),
    nearest: (x) =>
      points.reduce(
        (best, point, index) =>
          best < 0 || Math.abs(xOf(point.second) - x) < Math.abs(xOf(points[best]?.second ?? 0) - x) ? index : best,
        -1,
      ),
  };
}

const place = (value: number): string => String(Math.round(value * 10) / 10);
