import type { LoadStats } from '../../src/contract/loadTests.ts';
import { element } from '../page/element.ts';
import { t } from '../page/l10n.ts';
import { pairsOf, part } from '../page/part.ts';
import { callRows, measuredRows, soundRows } from './figureRows.ts';
import { millisecondsFigure, secondsFigure } from './numbers.ts';
import { headOf, tableRow } from './table.ts';

export class FigureTable {
  readonly element: HTMLElement;
  readonly #body = element('tbody');
  readonly #table = element(
    'table',
    {},
    element('caption', { class: 'unseen' }, t('Percentiles')),
    headOf(t('Metric'), 'p50', 'p95', 'p99'),
    this.#body,
  );
  readonly #calls = element('dl', { class: 'singles', 'aria-label': t('Calls') });
  readonly #sound = element('dl', { class: 'singles', 'aria-label': t('Audio') });
  #shown = '';

  constructor() {
    this.element = part(
      'figures-title',
      t('All figures'),
      'part boxed',
      element(
        'div',
        { class: 'figures' },
        element('div', { class: 'figure-column stack' }, this.#table, this.#calls),
        this.#sound,
      ),
      element(
        'p',
        { class: 'quiet footnote' },
        t(
          'Percentiles use the nearest-rank method, so each one is a measured value. MOS is an E-model estimate (ITU-T G.107) from loss, delay and codec, not a rating by listeners.',
        ),
      ),
    );
  }

  show(stats: LoadStats): void {
    const rows = measuredRows(stats);
    const shown = JSON.stringify([rows, callRows(stats), soundRows(stats)]);
    if (shown === this.#shown) return;
    this.#shown = shown;
    this.#table.hidden = rows.length === 0;
    this.#body.replaceChildren(
      ...rows.map(({ name, unit, of }) => {
        const text = (value: number): string =>
          `${unit === 's' ? secondsFigure(value) : millisecondsFigure(value)} ${unit}`;
        return tableRow(name, text(of.p50), text(of.p95), text(of.p99));
      }),
    );
    for (const [list, singles] of [
      [this.#calls, callRows(stats)],
      [this.#sound, soundRows(stats)],
    ] as const) {
      list.hidden = singles.length === 0;
      list.replaceChildren(...pairsOf(singles));
    }
  }
}
