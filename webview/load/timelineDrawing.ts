import { figure } from '../page/formats.ts';
import { svg } from '../page/svg.ts';
import { seriesWords, type Series } from './timelineSeries.ts';
import type { TimelineShape } from './timelineShape.ts';

export const lineSample = (series: Series): SVGElement =>
  svg(
    'svg',
    { class: 'line-sample', viewBox: '0 0 26 8', 'aria-hidden': 'true' },
    svg('line', { class: `line of-${series}`, x1: 1, y1: 4, x2: 25, y2: 4 }),
  );

/** Dashed lines are above the solid one, so that both are visible where they coincide. */
const depths: Readonly<Record<Series, number>> = { active: 0, answered: 1, placed: 2, failed: 3 };

/** Everything that doesn't follow the cursor. */
export function drawTimeline(shape: TimelineShape): SVGElement[] {
  const { left, right, bottom, xTicks, yTicks, lines, area, marks } = shape;
  const lastTick = xTicks.length - 1;
  return [
    ...yTicks.flatMap(({ y, value }) => [
      svg('line', { class: value === 0 ? 'axis' : 'grid', x1: left, x2: right, y1: y, y2: y }),
      svg('text', { class: 'tick', x: left - 8, y: y + 4, 'text-anchor': 'end' }, figure(value)),
    ]),
    ...xTicks.flatMap(({ x, text }, index) => [
      svg('line', { class: 'axis', x1: x, x2: x, y1: bottom, y2: bottom + 4 }),
      svg(
        'text',
        { class: 'tick', x, y: bottom + 18, 'text-anchor': index === lastTick && x > right - 12 ? 'end' : 'middle' },
        text,
      ),
    ]),
    ...marks.map(({ x, kind, labelY }) =>
      svg('line', { class: `mark of-${kind}`, x1: x, x2: x, y1: labelY - 8, y2: bottom }),
    ),
    ...marks.flatMap(({ label, labelY }) =>
      label
        ? [svg('text', { class: 'mark-name', x: label.x, y: labelY, 'text-anchor': label.anchor }, label.text)]
        : [],
    ),
    ...(area === '' ? [] : [svg('path', { class: 'area', d: area })]),
    ...lines
      .toSorted((a, b) => depths[a.series] - depths[b.series])
      .map(({ series, path }) => svg('path', { class: `line of-${series}`, d: path })),
    ...lines.flatMap(({ series, end, labelY }) =>
      labelY === undefined
        ? []
        : [
            ...(Math.abs(labelY - end.y) < 3
              ? []
              : [
                  svg('path', {
                    class: 'lead',
                    d: `M${String(end.x + 2)} ${String(end.y)}L${String(end.x + 9)} ${String(labelY)}`,
                  }),
                ]),
            svg('text', { class: 'line-name', x: end.x + 12, y: labelY + 4 }, seriesWords[series]),
          ],
    ),
  ];
}
