import { t } from '../page/l10n.ts';
import { svg } from '../page/svg.ts';
import type { ColourName } from '../page/themeColours.ts';

export type Series = 'placed' | 'answered' | 'active' | 'failed';

/** In the order of the legend and the table. */
export const seriesWords: Readonly<Record<Series, string>> = {
  placed: t('Placed'),
  answered: t('Answered'),
  active: t('Active'),
  failed: t('Failed'),
};
export const allSeries = Object.keys(seriesWords) as readonly Series[];

interface Look {
  readonly colour: ColourName;
  readonly dash: readonly number[];
  readonly cap?: 'round';
}

/** In the order of drawing: dashed lines are above the solid one, so that both are visible where they coincide. */
export const seriesLooks: Readonly<Record<Series, Look>> = {
  active: { colour: '--dt-active', dash: [] },
  answered: { colour: '--dt-explored', dash: [7, 4] },
  placed: { colour: '--dt-quiet', dash: [1, 4], cap: 'round' },
  failed: { colour: '--dt-failed', dash: [8, 3, 2, 3] },
};

export function lineSample(series: Series): SVGElement {
  const { colour, dash, cap } = seriesLooks[series];
  return svg(
    'svg',
    { class: 'line-sample', viewBox: '0 0 26 8', 'aria-hidden': 'true' },
    svg('line', {
      x1: 1,
      y1: 4,
      x2: 25,
      y2: 4,
      stroke: `var(${colour})`,
      'stroke-width': 2,
      'stroke-dasharray': dash.join(' '),
      'stroke-linecap': cap,
    }),
  );
}
