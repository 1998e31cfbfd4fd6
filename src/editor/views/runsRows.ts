import { escapeMarkdown } from '../../base/escape.ts';
import { looks, runState } from '../../contract/runState.ts';
import type { Run } from '../../contract/runs.ts';
import { runName, targetName } from '../../model/calls/targetName.ts';
import type { L10n } from '../basics/localise.ts';
import { joined, markdownLines } from '../basics/words/markdownText.ts';
import { runStateWord, runTypeWord } from '../basics/words/outcomeWords.ts';
import type { RowModel } from './rowModel.ts';

/** A row of the runs view; commands accept it as their argument. */
export type RunsElement =
  | { readonly kind: 'run'; readonly runId: string }
  | { readonly kind: 'group'; readonly groupId: string; readonly label: string }
  | { readonly kind: 'more' };

interface RunRowWords {
  readonly l10n: L10n;
  /** Its calls are being hung up. */
  readonly isCancelling?: boolean;
  readonly isPinned?: boolean;
  readonly moment: (iso: string) => string;
}

export function runRow(run: Run, { isCancelling, isPinned, l10n, moment }: RunRowWords): RowModel {
  const { load } = run;
  const name = runName(run);
  const target = targetName(run.phoneNumber);
  // All calls by hand have one name.
  const known = runState(run) === 'byHand' ? target : runStateWord(run, l10n);
  const state = isCancelling ? l10n.t('cancelling…') : known;
  const answered = load && answeredWords(run.status, load, l10n);
  const description = joined(' · ', [isPinned ? l10n.t('pinned') : undefined, state, answered, moment(run.startedAt)]);
  const kind = load ? l10n.t('load test, {0} simultaneous calls', load.concurrency) : runTypeWord(run.kind, l10n);
  return {
    id: run.id,
    label: name,
    description,
    tooltip: markdownLines([
      `**${escapeMarkdown(name)}**`,
      escapeMarkdown(`${kind}, ${state}`),
      escapeMarkdown(target),
      ...(load?.reason === undefined ? [] : [escapeMarkdown(load.reason)]),
      escapeMarkdown(spanOf(run, moment)),
    ]),
    icon: looks[runState(run)],
    contextValue: [
      load ? 'load' : 'run',
      run.status,
      ...(load || run.outcome === undefined ? [] : [run.outcome.toLowerCase()]),
      ...(run.kind === 'mission' ? ['mission'] : []),
      ...(isPinned ? ['pinned'] : []),
    ].join(' '),
    children: 'none',
    command: load ? 'dialtree.load.openReport' : 'dialtree.test.openReport',
    accessibilityLabel: `${name}, ${kind}, ${description}`,
  };
}

function answeredWords(
  status: Run['status'],
  { answered, setupSuccess, concurrency }: NonNullable<Run['load']>,
  l10n: L10n,
): string | undefined {
  if (status !== 'running')
    return setupSuccess === undefined ? undefined : l10n.t('{0}% set-up success', Math.round(setupSuccess * 1000) / 10);
  return answered === undefined ? undefined : l10n.t('{0} of {1} answered', answered, concurrency);
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
  { startedAt, completedAt }: Pick<Run, 'startedAt' | 'completedAt'>,
  moment: (iso: string) => string,
): string {
  if (completedAt === undefined) return moment(startedAt);
  const seconds = Math.round((Date.parse(completedAt) - Date.parse(startedAt)) / 1000);
  return `${moment(startedAt)}, ${String(seconds)} s`;
}
