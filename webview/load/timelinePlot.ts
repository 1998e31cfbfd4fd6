import './plotLanguage.ts';
import uPlot from 'uplot';
import type { TimelinePoint } from '../../src/contract/loadTests.ts';
import { element } from '../page/element.ts';
import { figure } from '../page/formats.ts';
import type { ColourName, ThemeColours } from '../page/themeColours.ts';
import { momentText } from './numbers.ts';
import type { TimelineMark } from './timelineMarks.ts';
import { seriesLooks, type Series } from './timelineSeries.ts';

/** What the plot shows. */
interface Plotted {
  readonly points: readonly TimelinePoint[];
  /** The time of the whole width, and the number of calls of the height; more if the points exceed them. */
  readonly seconds: number;
  readonly calls: number;
  /** In the order of time. */
  readonly marks: readonly TimelineMark[];
}

const origin: TimelinePoint = { second: 0, placed: 0, answered: 0, active: 0, failed: 0 };
const drawnSeries = Object.keys(seriesLooks) as readonly Series[];
const secondSteps = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 14_400, 28_800];
const callSteps = [1, 10, 100, 1000, 10_000, 100_000].flatMap((power) => [power, 2 * power, 5 * power]);
/** Pixels: of the lines with the axis of time, and of a row of marks above them. */
const plotHeight = 224;
const rowHeight = 16;
/** Pixels of a character in the name of a mark, a little wide, and of a name that is cut off. */
const characterWidth = 6.8;
const leastWidth = 48;

/** The lines of the timeline, their axes, their marks and a cursor. Its box is `over`, which takes attributes. */
export class TimelinePlot {
  readonly #plot: uPlot;
  readonly #marks = element('div', { class: 'marks' });
  #plotted: Plotted = { points: [], seconds: 1, calls: 0, marks: [] };
  #seconds = 1;
  #rows: readonly (readonly TimelineMark[])[] = [[]];

  /** `onRead` is called when the cursor moves. */
  constructor(within: HTMLElement, colours: ThemeColours, onRead: () => void) {
    const colour = (name: ColourName) => () => colours.of(name);
    const axis = {
      stroke: colour('--dt-quiet'),
      font: ['11px', getComputedStyle(within).fontFamily].join(' '),
      ticks: { stroke: colour('--dt-line'), width: 1, size: 4 },
    };
    this.#plot = new uPlot(
      {
        width: 0,
        height: 0,
        padding: [() => 6 + rowHeight * this.#rows.length, 16, 0, 0],
        legend: { show: false },
        cursor: {
          y: false,
          drag: { x: false, y: false },
          points: {
            size: 8,
            fill: (_plot, index) => colours.of(seriesLooks[drawnSeries[index - 1] ?? 'active'].colour),
          },
          move: (_plot, left) => [left < 0 ? left : this.#placeOf(this.#indexAt(left)), 0],
        },
        scales: {
          x: { time: false, range: () => [0, this.#seconds] },
          y: { range: (_plot, _least, most) => [0, Math.max(1, this.#plotted.calls, most) * 1.04] },
        },
        axes: [
          {
            ...axis,
            size: 28,
            space: 70,
            incrs: secondSteps,
            grid: { show: false },
            border: { show: true, stroke: colour('--dt-line'), width: 1 },
            values: (_plot, seconds) => seconds.map((second) => momentText(second, this.#seconds)),
          },
          {
            ...axis,
            size: (_plot, values: readonly string[] | null) =>
              14 + 7 * Math.max(1, ...(values ?? []).map(({ length }) => length)),
            space: 34,
            incrs: callSteps,
            grid: { stroke: colour('--load-grid'), width: 1 },
            ticks: { show: false },
            values: (_plot, calls) => calls.map(figure),
          },
        ],
        series: [
          {},
          ...drawnSeries.map((series): uPlot.Series => {
            const { colour: name, dash, cap } = seriesLooks[series];
            return {
              stroke: colour(name),
              width: 2,
              dash: [...dash],
              points: { show: false },
              ...(cap && { cap }),
              ...(series === 'active' && { fill: colour('--load-area') }),
            };
          }),
        ],
        hooks: { draw: [() => this.#drawMarks()], setCursor: [onRead] },
      },
      undefined,
      within,
    );
    this.#plot.over.append(this.#marks);
  }

  get root(): HTMLElement {
    return this.#plot.root;
  }

  get over(): HTMLElement {
    return this.#plot.over;
  }

  get canvas(): HTMLElement {
    return this.#plot.ctx.canvas;
  }

  /** Index of the point at the cursor; undefined without a cursor. */
  get at(): number | undefined {
    const { left = -1 } = this.#plot.cursor;
    return left < 0 ? undefined : this.#indexAt(left);
  }

  /** Moves the cursor to a point, or removes it. */
  moveTo(at: number | undefined): void {
    this.#plot.setCursor({ left: at === undefined ? -10 : this.#placeOf(at), top: 0 });
  }

  show(plotted: Plotted, width: number): void {
    const { points, marks } = plotted;
    const { at } = this;
    this.#plotted = plotted;
    this.#seconds = Math.max(plotted.seconds, points.at(-1)?.second ?? 0, 1);
    // A criterion can break at the very end, after the last point. A stage after the end didn't begin.
    const stages = marks.filter(({ second, kind }) => kind === 'stage' && second < this.#seconds);
    const others = marks.filter(({ kind }) => kind !== 'stage');
    this.#rows = others.length === 0 ? [stages] : [stages, others];
    const drawn = points[0]?.second === 0 ? points : [origin, ...points];
    this.#plot.batch(() => {
      this.#plot.setSize({ width, height: plotHeight + rowHeight * this.#rows.length });
      this.#plot.setData([
        drawn.map(({ second }) => second),
        ...drawnSeries.map((series) => drawn.map((point) => point[series])),
      ]);
    });
    // Its point can have another place now.
    if (at !== undefined) this.moveTo(at < points.length ? at : undefined);
  }

  /** After a change of colours. */
  redraw(): void {
    this.#plot.redraw(false);
    // The points at the cursor.
    this.moveTo(this.at);
  }

  #placeOf(at: number): number {
    return this.#plot.valToPos(this.#plotted.points[at]?.second ?? 0, 'x');
  }

  /** Returns the index of the point nearest to a position. The lines can begin before the first point. */
  #indexAt(left: number): number {
    return Math.max(0, this.#plot.posToIdx(left) - (this.#plot.data[0].length - this.#plotted.points.length));
  }

  /** A name is to the right of its mark, or to its left if there is more room. It doesn't reach another one. */
  #drawMarks(): void {
    const end = this.#plot.valToPos(this.#seconds, 'x');
    this.#marks.replaceChildren(
      ...this.#rows.flatMap((row, index) => {
        const places = row.map(({ second }) => this.#plot.valToPos(Math.min(second, this.#seconds), 'x'));
        let free = 0;
        return row.map(({ kind, text }, at) => {
          const place = places[at] ?? 0;
          const [left, right] = [place - free, (places[at + 1] ?? end) - place];
          const width = text.length * characterWidth;
          const isLeft = right < width && left > right;
          const room = isLeft ? left : right;
          const mark = element('div', { class: `mark of-${kind}` });
          mark.style.left = `${String(place)}px`;
          mark.style.top = `${String(rowHeight * (index - this.#rows.length))}px`;
          free = place;
          if (room >= Math.min(width, leastWidth)) {
            const name = element('span', { class: `mark-name cut${isLeft ? ' is-left' : ''}`, title: text }, text);
            name.style.maxWidth = `${String(room)}px`;
            mark.append(name);
            if (!isLeft) free += Math.min(width, room);
          }
          return mark;
        });
      }),
    );
  }
}
