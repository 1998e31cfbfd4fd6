import type { LoadTest, TimelinePoint } from '../../src/contract/loadTests.ts';
import { peakCalls } from '../../src/model/calls/loadCourse.ts';
import { element, on, setAttributes, setText } from '../page/element.ts';
import { figure } from '../page/formats.ts';
import { language, t } from '../page/l10n.ts';
import { part } from '../page/part.ts';
import { ThemeColours } from '../page/themeColours.ts';
import { momentText } from './numbers.ts';
import { plannedSecondsOf } from './plan.ts';
import { eventsOf, marksOf } from './timelineMarks.ts';
import { TimelinePlot } from './timelinePlot.ts';
import { allSeries, lineSample, seriesWords } from './timelineSeries.ts';
import { TimelineTable } from './timelineTable.ts';
import { timelineSentence } from './words.ts';

/** The number of points that PageUp and PageDown skip. */
const page = 10;

/**
 * How many calls were placed, answered, active and failed over the seconds of the test. A cursor reads single seconds,
 * by mouse and keyboard.
 */
export class TimelineChart {
  readonly element: HTMLElement;
  readonly #legend = element('ul', { class: 'legend' });
  readonly #values = allSeries.map((series) => ({ series, value: element('strong') }));
  readonly #moment = element('li', { class: 'legend-moment' });
  readonly #nothing = element('p', { class: 'quiet chart-nothing' });
  readonly #table = new TimelineTable();
  readonly #frame = element('div', { class: 'plot' });
  readonly #colours: ThemeColours;
  /** Created when the width is known. */
  #plot: TimelinePlot | undefined;
  #points: readonly TimelinePoint[] = [];
  #events: ReadonlyMap<TimelinePoint, string> = new Map();
  #test: LoadTest | undefined;
  #width = 0;

  constructor() {
    this.#legend.append(
      ...this.#values.map(({ series, value }) =>
        element('li', {}, lineSample(series), `${seriesWords[series]} `, value),
      ),
      this.#moment,
    );
    this.#frame.append(this.#nothing);
    const content = [this.#legend, this.#frame, this.#table.element];
    this.element = part('timeline-title', t('Calls over time'), 'part boxed', ...content);
    this.#colours = new ThemeColours(this.element, () => this.#plot?.redraw());
    new ResizeObserver(([entry]) => {
      const width = Math.floor(entry?.contentRect.width ?? 0);
      if (width === this.#width) return;
      this.#width = width;
      this.#draw();
    }).observe(this.#frame);
  }

  show(test: LoadTest, points: readonly TimelinePoint[]): void {
    const isOther = test.id !== this.#test?.id;
    this.#test = test;
    this.#points = points;
    this.#events = eventsOf(points, marksOf(test));
    this.#table.show(points, this.#events);
    this.#draw();
    if (isOther) this.#plot?.moveTo(undefined);
  }

  #create(): TimelinePlot {
    const plot = new TimelinePlot(this.#frame, this.#colours, () => this.#read());
    setAttributes(plot.canvas, { role: 'img' });
    setAttributes(plot.over, {
      role: 'slider',
      tabindex: '0',
      'aria-label': t('Time since the start of the test'),
      'aria-valuemin': '0',
    });
    on(plot.over, 'blur', () => plot.moveTo(undefined));
    on(plot.over, 'keydown', (event) => {
      const to = this.#place(plot, event.key);
      if (to === null) return;
      event.preventDefault();
      plot.moveTo(to);
    });
    return plot;
  }

  /** Returns where a key leads: an index, undefined for the end, or null for another key. */
  #place(plot: TimelinePlot, key: string): number | undefined | null {
    const last = this.#points.length - 1;
    const at = plot.at ?? last;
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

  #draw(): void {
    const test = this.#test;
    if (!test || this.#width === 0) return;
    this.#plot ??= this.#create();
    const isRunning = test.status === 'running';
    const isEmpty = this.#points.length === 0;
    setAttributes(this.#plot.canvas, { 'aria-label': timelineSentence(this.#points, isRunning) });
    this.#plot.over.inert = isEmpty;
    // Before the first call, the axes show the plan; afterwards there is nothing for them to show.
    this.#plot.root.hidden = isEmpty && !isRunning;
    for (const part of [this.#legend, this.#table.element]) part.hidden = isEmpty;
    this.#nothing.hidden = !isEmpty;
    setText(
      this.#nothing,
      isRunning ? t('No calls have been placed yet.') : t('This load test has no stored timeline.'),
    );
    this.#plot.show(
      {
        points: this.#points,
        seconds: isRunning ? plannedSecondsOf(test) : 0,
        calls: isRunning ? peakCalls(test) : 0,
        marks: marksOf(test),
      },
      this.#width,
    );
    this.#read();
  }

  /** Shows the values at the cursor, or the last ones. */
  #read(): void {
    const at = this.#plot?.at;
    const point = this.#points[at ?? this.#points.length - 1];
    if (!this.#plot || !point) return;
    const moment = momentText(point.second, this.#points.at(-1)?.second ?? 0);
    for (const { series, value } of this.#values) setText(value, figure(point[series]));
    setText(
      this.#moment,
      at !== undefined
        ? t('at {0}', moment)
        : this.#test?.status === 'running'
          ? t('now, {0}', moment)
          : t('at the end, {0}', moment),
    );
    setAttributes(this.#plot.over, {
      'aria-valuemax': String(this.#points.length - 1),
      'aria-valuenow': String(at ?? this.#points.length - 1),
      'aria-valuetext': [
        `${moment}: ${allSeries.map((series) => `${figure(point[series])} ${seriesWords[series].toLocaleLowerCase(language)}`).join(', ')}`,
        ...(this.#events.has(point) ? [this.#events.get(point)] : []),
      ].join('. '),
    });
  }
}
