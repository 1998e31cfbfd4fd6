import { loadState, looks, testState } from '../../contract/runState.ts';
import type { LoadTest } from '../../contract/loadTests.ts';
import type { TestRun } from '../../contract/testRuns.ts';
import { targetName } from '../../model/calls/targetName.ts';
import type { L10n } from '../basics/localise.ts';
import { escapeMarkdown, joined, markdownLines } from '../basics/words/markdownText.ts';
import { loadStateWord, runTypeWord, testStateWord } from '../basics/words/outcomeWords.ts';
import type { RowModel } from './rowModel.ts';

/** A row of the runs view; commands accept it as their argument. */
export type RunsElement =
  | { readonly kind: 'run'; readonly runId: string }
  | { readonly kind: 'load'; readonly loadTestId: string }
  | { readonly kind: 'group'; readonly groupId: string; readonly label: string }
  | { readonly kind: 'more' };

interface RunRowWords {
  readonly name: string;
  readonly l10n: L10n;
  /** Its calls are being hung up. */
  readonly isCancelling?: boolean;
  readonly isPinned?: boolean;
  readonly moment: (iso: string) => string;
}

export function runRow(run: TestRun, { name, isCancelling, isPinned, l10n, moment }: RunRowWords): RowModel {
  const state = isCancelling ? l10n.t('cancelling…') : testStateWord(run, l10n);
  const description = joined(' · ', [isPinned ? l10n.t('pinned') : undefined, state, moment(run.startedAt)]);
  const type = runTypeWord(run.runType, l10n);
  return {
    id: run.id,
    label: name,
    description,
    tooltip: markdownLines([
      `**${escapeMarkdown(name)}**`,
      escapeMarkdown(`${type}, ${state}`),
      escapeMarkdown(targetName(run.phoneNumber)),
      escapeMarkdown(spanOf(run, moment)),
    ]),
    icon: looks[testState(run)],
    contextValue: [
      'run',
      run.status,
      ...(run.outcome === undefined ? [] : [run.outcome.toLowerCase()]),
      ...(run.runType === 'mission' ? ['mission'] : []),
      ...(isPinned ? ['pinned'] : []),
    ].join(' '),
    children: 'none',
    command: 'dialtree.test.openReport',
    accessibilityLabel: `${name}, ${type}, ${description}`,
  };
}

export function loadRow(test: LoadTest, { name, isCancelling, isPinned, l10n, moment }: RunRowWords): RowModel {
  const { status, concurrency, progress, stats } = test;
  const state = isCancelling ? l10n.t('cancelling…') : loadStateWord(test, l10n);
  const answered =
    status === 'running'
      ? progress && l10n.t('{0} of {1} answered', progress.answered, concurrency)
      : stats && l10n.t('{0}% set-up success', Math.round(stats.setupSuccess * 1000) / 10);
  const description = joined(' · ', [isPinned ? l10n.t('pinned') : undefined, state, answered, moment(test.startedAt)]);
  const kind = l10n.t('load test, {0} simultaneous calls', concurrency);
  return {
    id: test.id,
    label: name,
    description,
    children: 'none',
    tooltip: markdownLines([
      `**${escapeMarkdown(name)}**`,
      escapeMarkdown(`${kind}, ${state}`),
      escapeMarkdown(targetName(test.phoneNumber)),
      ...(test.reason === undefined ? [] : [escapeMarkdown(test.reason)]),
      escapeMarkdown(spanOf(test, moment)),
    ]),
    icon: looks[loadState(test)],
    contextValue: ['load', status, ...(isPinned ? ['pinned'] : [])].join(' '),
    command: 'dialtree.load.openReport',
    accessibilityLabel: `${name}, ${kind}, ${description}`,
  };
}

export const groupRow = ({ groupId, label }: { readonly groupId: string; readonly label: string }): RowModel => ({
  id: groupId,
  label,
  contextValue: 'group',
  children: 'expanded',
});

/** @param isFull older rows replace the current ones. */
export const moreRow = (isFull: boolean, l10n: L10n): RowModel => ({
  id: 'more',
  label: isFull ? l10n.t('Show older runs…') : l10n.t('Load more…'),
  icon: { id: 'fold-down' },
  contextValue: 'more',
  children: 'none',
  command: 'dialtree.runs.loadMore',
});

function spanOf(
  { startedAt, completedAt }: Pick<TestRun, 'startedAt' | 'completedAt'>,
  moment: (iso: string) => string,
): string {
  if (completedAt === undefined) return moment(startedAt);
  const seconds = Math.round((Date.parse(completedAt) - Date.parse(startedAt)) / 1000);
  return `${moment(startedAt)}, ${String(seconds)} s`;
}
