import { t } from '../page/l10n.ts';

export type Series = 'placed' | 'answered' | 'active' | 'failed';

/** In the order of the legend and the table. */
export const seriesWords: Readonly<Record<Series, string>> = {
  placed: t('Placed'),
  answered: t('Answered'),
  active: t('Active'),
  failed: t('Failed'),
};
export const allSeries = Object.keys(seriesWords) as readonly Series[];
