import type { TimelinePoint } from '../../src/contract/loadTests.ts';
import { element, on } from '../page/element.ts';
import { figure } from '../page/formats.ts';
import { t } from '../page/l10n.ts';
import { KeyedList } from '../report/keyedList.ts';
import { allSeries, seriesWords } from './timelineSeries.ts';

/** The numbers of the timeline, created only while they are shown. */
export class TimelineTable {
  readonly element: HTMLDetailsElement;
  readonly #rows: KeyedList<TimelinePoint>;
  #points: readonly TimelinePoint[] = [];

  constructor() {
    const body = element('tbody');
    this.#rows = new KeyedList<TimelinePoint>(body, (point) =>
      element(
        'tr',
        {},
        element('th', { scope: 'row' }, figure(point.second)),
        ...allSeries.map((series) => element('td', {}, figure(point[series]))),
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
          element(
            'thead',
            {},
            element(
              'tr',
              {},
              element('th', { scope: 'col' }, t('Second')),
              ...allSeries.map((series) => element('th', { scope: 'col' }, seriesWords[series])),
            ),
          ),
          body,
        ),
      ),
    );
    on(this.element, 'toggle', () => {
      this.#update();
    });
  }

  show(points: readonly TimelinePoint[]): void {
    this.#points = points;
    this.#update();
  }

  #update(): void {
    this.#rows.show(this.element.open ? this.#points : []);
  }
}
