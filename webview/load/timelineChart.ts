import type { LoadTest, TimelinePoint } from '../../src/contract/loadTests.ts';
import { peakCalls } from '../../src/model/calls/loadCourse.ts';
import { element, on, setAttributes, setText } from '../page/element.ts';
import { figure } from '../page/formats.ts';
import { language, t } from '../page/l10n.ts';
import { part } from '../page/part.ts';
import { momentText } from './numbers.ts';
import { plannedSecondsOf } from './plan.ts';
import { svg } from '../page/svg.ts';
import { drawTimeline, lineSample } from './timelineDrawing.ts';
import { eventsOf, marksOf } from './timelineMarks.ts';
import { allSeries, seriesWords } from './timelineSeries.ts';
import { TimelineTable } from './timelineTable.ts';
import { timelineShape, type TimelineShape } from './timelineShape.ts';
import { timelineSentence } from './words.ts';

/** The number of points that PageUp and PageDown skip. */
const page = 10;

/**
 * How many calls were placed, answered, active and failed over the seconds of the test. A cursor reads single seconds,
 * by mouse and keyboard.
 */
export class TimelineChart {
  readonly element: HTMLElement;
  readonly #drawing = svg('svg', { class: 'timeline', role: 'img' });
  readonly #cursor = svg('g', { class: 'cursor' });
  readonly #slider = element('div', {
    class: 'timeline-slider',
    role: 'slider',
    tabindex: '0',
    'aria-label': t('Time since the start of the test'),
    'aria-valuemin': '0',
  });
  readonly #legend = element('ul', { class: 'legend' });
  readonly #values = allSeries.map((series) => ({ series, value: element('strong') }));
  readonly #moment = element('li', { class: 'legend-moment' });
  readonly #nothing = element('p', { class: 'quiet chart-nothing' });
  readonly #table = new TimelineTable();
  readonly #plot: HTMLElement;
  #points: readonly TimelinePoint[] = [];
  #events: ReadonlyMap<TimelinePoint, string> = new Map();
  #test: LoadTest | undefined;
  #shape: TimelineShape | undefined;
  /** Index of the point; undefined follows the last one. */
  #at: number | undefined;
  #width = 0;

  constructor() {
    this.#legend.append(
      ...this.#values.map(({ series, value }) =>
        element('li', {}, lineSample(series), `${seriesWords[series]} `, value),
      ),
      this.#moment,
    );
    this.#plot = element('div', { class: 'plot' }, this.#drawing, this.#slider, this.#nothing);
    const content = [this.#legend, this.#plot, this.#table.element];
    this.element = part('timeline-title', t('Calls over time'), 'part boxed', ...content);
    on(this.#slider, 'pointermove', ({ clientX }) =>
      this.#read(this.#shape?.nearest(clientX - this.#plot.getBoundingClientRect().left)),
    );
    on(this.#slider, 'pointerleave', () => this.#read(undefined));
    on(this.#slider, 'blur', () => this.#read(undefined));
    on(this.#slider, 'keydown', (event) => {
      const to = this.#place(event.key);
      if (to === null) return;
      event.preventDefault();
      this.#read(to);
    });
    new ResizeObserver(([entry]) => {
      const width = Math.floor(entry?.contentRect.width ?? 0);
      if (width === this.#width) return;
      this.#width = width;
      this.#draw();
    }).observe(this.#plot);
  }

  show(test: LoadTest, points: readonly TimelinePoint[]): void {
    if (test.id !== this.#test?.id) this.#at = undefined;
    this.#test = test;
    this.#points = points;
    if (this.#at !== undefined && this.#at >= points.length) this.#at = undefined;
    this.#events = eventsOf(points, marksOf(test));
    this.#table.show(points, this.#events);
    this.#draw();
  }

  /** Returns where a key leads: an index, undefined for the end, or null for another key. */
  #place(key: string): number | undefined | null {
    const last = this.#points.length - 1;
    const at = this.#at ?? last;
    const to = {
      ArrowLeft: at - 1,
      ArrowDown: at - 1,
      ArrowRight: at + 1,
      ArrowUp: at + 1,
      PageDown: at - page,
      PageUp: at + page,
      Home: 0,
    }[key];
    if (key === 'End' || key === 'Escape') return undefined;
    return to === undefined ? null : Math.min(last, Math.max(0, to));
  }

  #read(at: number | undefined): void {
    this.#at = at === -1 ? undefined : at;
    this.#point();
  }

  #draw(): void {
    const test = this.#test;
    if (!test || this.#width === 0) return;
    const isRunning = test.status === 'running';
    const last = this.#points.at(-1);
    const shape = timelineShape(this.#points, {
      width: this.#width,
      seconds: isRunning ? plannedSecondsOf(test) : (last?.second ?? 1),
      calls: isRunning ? peakCalls(test) : 0,
      marks: marksOf(test),
    });
    this.#shape = shape;
    setAttributes(this.#drawing, {
      width: String(shape.width),
      height: String(shape.height),
      viewBox: `0 0 ${String(shape.width)} ${String(shape.height)}`,
      'aria-label': timelineSentence(this.#points, isRunning),
    });
    this.#drawing.replaceChildren(...drawTimeline(shape), this.#cursor);
    for (const [name, value] of [
      ['left', shape.left],
      ['top', shape.top],
      ['width', shape.right - shape.left],
      ['height', shape.bottom - shape.top],
    ] as const)
      this.#slider.style.setProperty(name, `${String(value)}px`);
    const isEmpty = this.#points.length === 0;
    // Before the first call, the axes show the plan; afterwards there is nothing for them to show.
    this.#plot.classList.toggle('is-bare', isEmpty && !isRunning);
    for (const part of [this.#slider, this.#legend, this.#table.element]) part.hidden = isEmpty;
    this.#nothing.hidden = !isEmpty;
    setText(
      this.#nothing,
      isRunning ? t('No calls have been placed yet.') : t('This load test has no stored timeline.'),
    );
    this.#point();
  }

  #point(): void {
    const shape = this.#shape;
    const point = this.#points[this.#at ?? this.#points.length - 1];
    if (!shape || !point) return this.#cursor.replaceChildren();
    const moment = momentText(point.second, this.#points.at(-1)?.second ?? 0);
    for (const { series, value } of this.#values) setText(value, figure(point[series]));
    setText(
      this.#moment,
      this.#at !== undefined
        ? t('at {0}', moment)
        : this.#test?.status === 'running'
          ? t('now, {0}', moment)
          : t('at the end, {0}', moment),
    );
    setAttributes(this.#slider, {
      'aria-valuemax': String(this.#points.length - 1),
      'aria-valuenow': String(this.#at ?? this.#points.length - 1),
      'aria-valuetext': [
        `${moment}: ${allSeries.map((series) => `${figure(point[series])} ${seriesWords[series].toLocaleLowerCase(language)}`).join(', ')}`,
        ...(this.#events.has(point) ? [this.#events.get(point)] : []),
      ].join('. '),
    });
    if (this.#at === undefined) return this.#cursor.replaceChildren();
    const x = shape.xOf(point.second);
    this.#cursor.replaceChildren(
      svg('line', { x1: x, x2: x, y1: shape.top, y2: shape.bottom }),
      ...allSeries.map((series) =>
        svg('circle', { class: `dot of-${series}`, cx: x, cy: shape.yOf(point[series]), r: 3.5 }),
      ),
    );
  }
}
