import { element } from '../page/element.ts';
import { t } from '../page/l10n.ts';
import { part } from '../page/part.ts';
import type { MeasuredRow } from './figureRows.ts';
import { millisecondsFigure, secondsFigure } from './numbers.ts';
import { svg } from '../page/svg.ts';

const kinds = ['p50', 'p95', 'p99'] as const;
const figureOf = { s: secondsFigure, ms: millisecondsFigure } as const;

/** A bar for each quantity, up to its p50, p95 and p99. Bars with one unit share a scale, up to the longest. */
export class TimesChart {
  readonly element: HTMLElement;
  readonly #groups = element('div', { class: 'times stack' });
  #shown = '';

  constructor() {
    const key = kinds.map((kind, index) =>
      element(
        'li',
        {},
        svg('svg', { class: 'bar-sample', viewBox: '0 0 26 10', 'aria-hidden': 'true' }, ...stretch(kind, 0.5, 25, 9)),
        [
          t('p50: half of the calls within this time'),
          t('p95: 19 of 20 calls within this time'),
          t('p99: 99 of 100 calls within this time'),
        ][index],
      ),
    );
    this.element = part(
      'times-title',
      t('Times'),
      'part boxed',
      element('ul', { class: 'legend' }, ...key),
      this.#groups,
    );
  }

  show(rows: readonly MeasuredRow[]): void {
    const shown = JSON.stringify(rows);
    this.element.hidden = rows.length === 0;
    if (shown === this.#shown) return;
    this.#shown = shown;
    this.#groups.replaceChildren(
      ...(['s', 'ms'] as const).flatMap((unit) => group(unit, ...rows.filter((row) => row.unit === unit))),
    );
  }
}

function group(unit: MeasuredRow['unit'], ...rows: readonly MeasuredRow[]): HTMLElement[] {
  const most = Math.max(...rows.map(({ of }) => of.p99)) || 1;
  return rows.length === 0 ? [] : [element('ul', { class: 'times-group' }, ...rows.map((row) => bar(row, most)))];
}

function bar({ name, meaning, unit, of }: MeasuredRow, most: number): HTMLElement {
  const text = figureOf[unit];
  const ends = kinds.map((kind) => (100 * of[kind]) / most);
  // The widest is at the back.
  const stretches = kinds
    .toReversed()
    .flatMap((kind, index) => stretch(kind, 0, `${String(ends[2 - index] ?? 0)}%`, '100%'));
  return element(
    'li',
    { class: 'time-row' },
    element(
      'p',
      { class: 'bar-name' },
      element('span', {}, name),
      element('span', { class: 'quiet' }, ` · ${meaning}`),
    ),
    svg('svg', { class: 'bar', 'aria-hidden': 'true' }, ...stretches),
    element(
      'p',
      { class: 'bar-figures' },
      ...kinds.flatMap((kind) => [
        element('span', { class: 'quiet' }, `${kind} `),
        element('span', { class: 'bar-figure' }, `${text(of[kind])} ${unit}`),
        ' ',
      ]),
    ),
  );
}

/** Also distinguished by pattern: full, hatched, framed. */
function stretch(
  kind: (typeof kinds)[number],
  x: number,
  width: number | string,
  height: number | string,
): SVGElement[] {
  const box = { x, y: typeof height === 'number' ? 0.5 : 0, width, height };
  if (kind !== 'p95') return [svg('rect', { class: `stretch of-${kind}`, ...box })];
  return [
    svg('rect', { class: 'stretch of-p95', ...box }),
    svg('rect', { class: 'hatched', fill: 'url(#hatch)', ...box }),
  ];
}

/** Drawn once on the page; bars refer to it. */
export const hatchPattern = (): SVGElement =>
  svg(
    'svg',
    { class: 'unseen', 'aria-hidden': 'true' },
    ...Object.entries({ hatch: 'hatch', 'hatch-failed': 'hatch of-bad' }).map(([id, look]) =>
      svg(
        'pattern',
        { id, width: 5, height: 5, patternUnits: 'userSpaceOnUse', patternTransform: 'rotate(45)' },
        svg('line', { class: look, x1: 0, y1: 0, x2: 0, y2: 5 }),
      ),
    ),
  );
