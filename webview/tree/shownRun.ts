import type { MappingRun } from '../../src/contract/mapping.ts';
import { mappingState } from '../../src/contract/runState.ts';
import type { PanelSnapshot } from '../../src/contract/panel.ts';
import { treeCounts } from '../../src/model/tree/treeCounts.ts';
import { cutShortWords } from '../page/cutShort.ts';
import { callsText, menusText } from '../page/countTexts.ts';
import { decimalText, durationOf, figure } from '../page/formats.ts';
import { t } from '../page/l10n.ts';

export function shownRun({ job, runs, version, tree }: PanelSnapshot): MappingRun | undefined {
  const number = version ?? tree.runNumber ?? job?.currentRun?.runNumber;
  if (number === undefined) return runs[0];
  return (
    runs.find(({ runNumber }) => runNumber === number) ??
    (job?.currentRun?.runNumber === number ? job.currentRun : undefined)
  );
}

export const runStatusWords: Readonly<Record<ReturnType<typeof mappingState>, string>> = {
  ...cutShortWords,
  running: t('Running'),
  completed: t('Completed'),
  failed: t('Failed'),
  limited: t('Stopped at a limit'),
  uncertain: t('Uncertain'),
};
/** Inside a line. */
const statusWords: Readonly<Record<ReturnType<typeof mappingState>, string>> = {
  cancelled: t('cancelled'),
  interrupted: t('interrupted'),
  running: t('running'),
  completed: t('completed'),
  failed: t('failed'),
  limited: t('stopped at a limit'),
  uncertain: t('uncertain'),
};

/** "Run 3 · completed · 12 menus · 1.2× the minimum" */
export function runLabel(run: MappingRun, isCancelling: boolean): string {
  return [
    t('Run {0}', run.runNumber),
    isCancelling && run.status === 'running' ? t('cancelling…') : statusWords[mappingState(run)],
    menusText(treeCounts(run.stats).menus),
    ratioOf(run),
  ]
    .filter((part) => part !== undefined)
    .join(' · ');
}

/** Read out when a run changes its state. */
export function runSentence(run: MappingRun): string {
  const { runNumber, stats } = run;
  const found = `${menusText(treeCounts(stats).menus)}, ${callsText(stats.callsPlaced)}`;
  switch (mappingState(run)) {
    case 'running':
      return t('Run {0} is in progress.', runNumber);
    case 'cancelled':
      return t('Run {0} was cancelled. Totals: {1}.', runNumber, found);
    case 'interrupted':
      return t('Run {0} was interrupted. Totals: {1}.', runNumber, found);
    case 'completed':
      return t('Run {0} is complete. Totals: {1}.', runNumber, found);
    case 'failed':
      return t('Run {0} failed. Totals: {1}.', runNumber, found);
    case 'limited':
      return t('Run {0} stopped at a limit. Totals: {1}.', runNumber, found);
    case 'uncertain':
      return t('Run {0} ended, but its tree may be wrong. Totals: {1}.', runNumber, found);
  }
}

interface Count {
  readonly name: string;
  readonly value: string;
  readonly meaning: string;
}

export function countsOf(run: MappingRun): Count[] {
  const { stats, inFlightCount, status } = run;
  const { menus, toExplore, ends } = treeCounts(stats);
  const counts: (Count | undefined)[] = [
    {
      name: stats.callsPlaced === 1 ? t('call') : t('calls'),
      value: figure(stats.callsPlaced),
      meaning:
        stats.callsFailed > 0 ? t('Calls placed, {0} of which failed', figure(stats.callsFailed)) : t('Calls placed'),
    },
    status === 'running' || inFlightCount > 0
      ? { name: t('active'), value: figure(inFlightCount), meaning: t('Calls in progress now') }
      : undefined,
    { name: menus === 1 ? t('menu') : t('menus'), value: figure(menus), meaning: t('Menus heard') },
    toExplore > 0
      ? {
          name: toExplore === 1 ? t('option to explore') : t('options to explore'),
          value: figure(toExplore),
          meaning: t('Options that menus offer, and that no call has followed yet'),
        }
      : undefined,
    { name: ends === 1 ? t('end') : t('ends'), value: figure(ends), meaning: t('Steps where a path ends') },
    {
      name: t('linked'),
      value: figure(stats.linkedMenus),
      meaning: t('Steps that lead to a menu already in the tree'),
    },
    { name: t('call time'), value: durationOf(stats.callSeconds), meaning: t('Total time of all calls') },
    // Only of a whole tree.
    stats.limit && status === 'completed'
      ? {
          name: t('the minimum'),
          value: `${decimalText(stats.limit.ratio, 1)}×`,
          meaning: t(
            'The time that the run took, compared with the least that any caller needs who already knows this tree: {0}',
            durationOf(stats.limit.minimumWallSeconds),
          ),
        }
      : undefined,
  ];
  return counts.filter((count) => count !== undefined);
}

const ratioOf = ({ status, stats: { limit } }: MappingRun): string | undefined =>
  limit && status === 'completed' ? t('{0}× the minimum', decimalText(limit.ratio, 1)) : undefined;
