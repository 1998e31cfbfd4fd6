import type { LoadStats } from '../../src/contract/loadTests.ts';

export type TimelinePoint = NonNullable<LoadStats['timeline']>[number];
export type Series = 'placed' | 'answered' | 'active' | 'failed';

/** In the order of the legend and the table. */
export const seriesWords: Readonly<Record<Series, string>> = { placed: 'Placed', answered: 'Answered', active: 'Active', failed: 'Failed' };
export const allSeries = Object.keys(seriesWords) as readonly Series[];
