import type { TimelineMark } from './timelineMarks.ts';

/** A mark on the chart, in pixels. */
export interface PlacedMark {
  readonly x: number;
  readonly kind: TimelineMark['kind'];
  /** Absent if none of the mark's labels fits. */
  readonly label?: { readonly text: string; readonly x: number; readonly anchor: 'start' | 'end' };
}

/** For text of 11 px; a little wide, so that labels don't touch. */
const characterWidth = 6.4;
/** Between a mark and a label. */
const gap = 5;

/**
 * Places the marks of one row, which are in the order of time. A label is to the right of its mark, or else to its left,
 * and doesn't reach another mark or label.
 */
export function placeMarks(
  marks: readonly TimelineMark[],
  xOf: (second: number) => number,
  { left, right }: { readonly left: number; readonly right: number },
): PlacedMark[] {
  let free = left;
  return marks.map(({ second, kind, labels }, index) => {
    const x = xOf(second);
    const next = marks[index + 1];
    const end = next ? xOf(next.second) : right;
    const places = labels.flatMap((text) => {
      const width = text.length * characterWidth;
      return [
        { text, anchor: 'start' as const, from: x + gap, to: x + gap + width },
        { text, anchor: 'end' as const, from: x - gap - width, to: x - gap },
      ];
    });
    const fitting = places.find(({ anchor, from, to }) => (anchor === 'start' ? to <= end : from >= free));
    free = Math.max(x, fitting?.to ?? x) + gap;
    return {
      x,
      kind,
      ...(fitting && {
        label: {
          text: fitting.text,
          x: fitting.anchor === 'start' ? fitting.from : fitting.to,
          anchor: fitting.anchor,
        },
      }),
    };
  });
}
