import type { TimelinePoint } from '../../src/contract/loadTests.ts';
import { element, on } from '../page/element.ts';
import { figure } from '../page/formats.ts';
import { t } from '../page/l10n.ts';
import { KeyedList } from '../report/keyedList.ts';
import { headOf, tableRow, wordsCell } from './table.ts';
import type { eventsOf } from './timelineMarks.ts';
import { allSeries, seriesWords } from './timelineSeries.ts';

/** The numbers of the timeline, created only while they are shown. */
export class TimelineTable {
  readonly element: HTMLDetailsElement;
  readonly #rows: KeyedList<TimelineRow>;
  readonly #events = element('th', { class: 'words', scope: 'col' }, t('Events'));
  #shown: readonly TimelineRow[] = [];

  constructor() {
    const body = element('tbody');
    this.#rows = new KeyedList<TimelineRow>(body, ({ point, event }) =>
      tableRow(
        figure(point.second),
        ...allSeries.map((series) => figure(point[series])),
        ...(event === undefined ? [] : [wordsCell(event)]),
      ),
    );
    this.element = element(
      'details',
      { class: 'numbers' },
      element('summary', {}, t('Show as a table')),
      element(
        'div',
        { class: 'scrolled', tabindex: '0', role: 'region', 'aria-label': t('Calls over time, as a table') },
        element(
          'table',
          {},
          element(
            'caption',
            { class: 'unseen' },
            t(
              'Calls at each second. “Active” is the number of calls at that moment. The other columns are running totals.',
            ),
          ),
          headOf(t('Second'), ...allSeries.map((series) => seriesWords[series]), this.#events),
          body,
        ),
      ),
    );
    on(this.element, 'toggle', () => this.#update());
  }

  show(points: readonly TimelinePoint[], events: ReturnType<typeof eventsOf>): void {
    this.#events.hidden = events.size === 0;
    this.#shown = points.map((point) => (events.size === 0 ? { point } : { point, event: events.get(point) ?? '' }));
    this.#update();
  }

  #update(): void {
    this.#rows.show(this.element.open ? this.#shown : []);
  }
}

/** `event`: absent if the table has no column for them. */
interface TimelineRow {
  readonly point: TimelinePoint;
  readonly event?: string;
}
