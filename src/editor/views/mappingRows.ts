import { escapeMarkdown } from '../../base/escape.ts';
import type { MappingRun } from '../../contract/mapping.ts';
import { looks, mappingState } from '../../contract/runState.ts';
import { raisableLimit } from '../../contract/raisableLimit.ts';
import type { EndKind, TreeNode } from '../../contract/tree.ts';
import type { L10n } from '../basics/localise.ts';
import {
  countWords,
  endWord,
  limitWord,
  menuLabel,
  nodeStatusWord,
  mappingStateWord,
} from '../basics/words/mappingWords.ts';
import { inlineCode, markdownLines } from '../basics/words/markdownText.ts';
import { findStep, isRunning, newestRun, runOf, stepCount, type JobSnapshot } from '../store/snapshot.ts';
import type { RowModel } from './rowModel.ts';
import { elementId, type TreeElement } from './treeElement.ts';

/** The rows of the mappings view: jobs, their runs, and the menus that these found. */

export const jobElements = (jobs: readonly JobSnapshot[]): TreeElement[] =>
  jobs.map(({ job }) => ({ kind: 'job', jobId: job.id }));

/** Newest first. */
export function runElements(snapshot: JobSnapshot, l10n: L10n): TreeElement[] {
  const jobId = snapshot.job.id;
  const runs = snapshot.runs ?? [];
  if (runs.length === 0) return [{ kind: 'note', jobId, runNumber: undefined, text: l10n.t('Not started yet') }];
  return runs.map(({ runNumber }) => ({ kind: 'run', jobId, runNumber }));
}

/** Returns the root menu of a run, or a note why there is none. */
export function rootElements(snapshot: JobSnapshot, runNumber: number, l10n: L10n): TreeElement[] {
  const jobId = snapshot.job.id;
  const response = snapshot.trees.get(runNumber)?.response;
  const stepId = response?.tree?.stepId;
  if (stepId !== undefined) return [{ kind: 'menu', jobId, runNumber, stepId }];
  return [{ kind: 'note', jobId, runNumber, text: response?.message ?? l10n.t('No menu was found') }];
}

export function menuElements(snapshot: JobSnapshot, element: TreeElement & { kind: 'menu' }): TreeElement[] {
  const { jobId, runNumber } = element;
  return (findStep(treeOf(snapshot, element), element.stepId)?.at(-1)?.children ?? []).flatMap(({ stepId }) =>
    stepId === undefined ? [] : [{ kind: 'menu', jobId, runNumber, stepId } as const],
  );
}

export function parentElement(snapshot: JobSnapshot | undefined, element: TreeElement): TreeElement | undefined {
  const { jobId } = element;
  switch (element.kind) {
    case 'job':
      return undefined;
    case 'run':
      return { kind: 'job', jobId };
    case 'note':
      return element.runNumber === undefined
        ? { kind: 'job', jobId }
        : { kind: 'run', jobId, runNumber: element.runNumber };
    case 'menu': {
      const { runNumber } = element;
      const above = findStep(snapshot?.trees.get(runNumber)?.response.tree, element.stepId)?.at(-2)?.stepId;
      return above === undefined
        ? { kind: 'run', jobId, runNumber }
        : { kind: 'menu', jobId, runNumber, stepId: above };
    }
  }
}

/**
 * Returns undefined if the element's subject is gone.
 *
 * @param isCancelling the calls of the job are being hung up
 */
export function mappingRowOf(
  snapshot: JobSnapshot | undefined,
  element: TreeElement,
  l10n: L10n,
  isCancelling = false,
): RowModel | undefined {
  if (!snapshot) return undefined;
  switch (element.kind) {
    case 'job':
      return jobRow(snapshot, l10n, isCancelling);
    case 'run': {
      const run = runOf(snapshot, element.runNumber);
      return run && runRow(snapshot, run, element, l10n, isCancelling);
    }
    case 'menu': {
      const path = findStep(treeOf(snapshot, element), element.stepId);
      return path && menuRow(snapshot, path, element, l10n);
    }
    case 'note':
      return {
        id: elementId(element),
        label: '',
        description: element.text,
        contextValue: 'note',
        children: 'none',
        accessibilityLabel: element.text,
      };
  }
}

const treeOf = (snapshot: JobSnapshot, { runNumber }: { readonly runNumber: number }): TreeNode | null | undefined =>
  snapshot.trees.get(runNumber)?.response.tree;

function jobRow(snapshot: JobSnapshot, l10n: L10n, isCancelling: boolean): RowModel {
  const { job } = snapshot;
  const latest = newestRun(snapshot);
  const run = latest === undefined ? undefined : runOf(snapshot, latest);
  const running = isRunning(snapshot);
  const state = isCancelling
    ? l10n.t('cancelling…')
    : running
      ? l10n.t('running')
      : run
        ? mappingStateWord(run, l10n)
        : l10n.t('not started');
  const description = [state, ...(run ? countWords(run.stats, l10n) : [])].join(' · ');
  return {
    id: job.id,
    label: job.name,
    description,
    tooltip: markdownLines([
      `**${escapeMarkdown(job.name)}**`,
      job.name === job.phoneNumber ? undefined : escapeMarkdown(job.phoneNumber),
      job.tags.length === 0 ? undefined : job.tags.map(inlineCode).join(' '),
      ...(run ? runLines(run, l10n) : []),
    ]),
    icon: running ? looks.running : run ? looks[mappingState(run)] : { id: 'call-outgoing' },
    contextValue: [
      'job',
      running ? 'running' : 'idle',
      ...(run ? ['hasRuns'] : []),
      ...(raisableLimit(job, run) ? ['raisable'] : []),
    ].join(' '),
    children: 'collapsed',
    command: 'dialtree.mapping.openTree',
  };
}

function runRow(
  snapshot: JobSnapshot,
  run: MappingRun,
  element: TreeElement & { kind: 'run' },
  l10n: L10n,
  isCancelling: boolean,
): RowModel {
  const newest = newestRun(snapshot) === run.runNumber;
  const label = l10n.t('Run {0}', run.runNumber);
  const isEnding = isCancelling && run.status === 'running';
  const state = isEnding ? l10n.t('cancelling…') : mappingStateWord(run, l10n);
  const description = [state, ...countWords(run.stats, l10n)].join(' · ');
  return {
    id: elementId(element),
    label,
    description,
    tooltip: markdownLines([`**${label}**`, ...runLines(run, l10n)]),
    icon: looks[mappingState(run)],
    contextValue: [
      'run',
      run.status,
      ...(newest ? ['newest'] : []),
      ...(newest && raisableLimit(snapshot.job, run) ? ['raisable'] : []),
    ].join(' '),
    children: newest ? 'expanded' : 'collapsed',
    command: 'dialtree.mapping.openTree',
  };
}

function runLines(run: MappingRun, l10n: L10n): (string | undefined)[] {
  const { stats } = run;
  const { limit } = stats;
  return [
    [mappingStateWord(run, l10n), ...(run.limitReason === undefined ? [] : [limitWord(run.limitReason, l10n)])].join(
      ': ',
    ),
    run.reason === undefined ? undefined : escapeMarkdown(run.reason),
    [
      ...countWords(stats, l10n),
      ...(stats.callsFailed === 0 ? [] : [l10n.t('{0} failed', stats.callsFailed)]),
      ...(run.inFlightCount === 0 ? [] : [l10n.t('{0} in progress', run.inFlightCount)]),
      l10n.t('{0} s of call time', Math.round(stats.callSeconds)),
    ].join(', '),
    l10n.t('Deepest level: {0}, linked menus: {1}', stats.maxDepthReached, stats.linkedMenus),
    // Only of a whole tree.
    limit && run.status === 'completed'
      ? l10n.t(
          '{0} s, {1}× the minimum: with perfect knowledge of this tree, {3} calls would take {2} s',
          Math.round(limit.elapsedSeconds),
          limit.ratio.toFixed(1),
          Math.round(limit.minimumWallSeconds),
          limit.minimumCalls,
        )
      : undefined,
  ];
}

/**
 * In larger trees, the user expands menus, because the editor would otherwise read all of them at each change of a
 * count.
 */
const maxOpened = 200;

function menuRow(
  snapshot: JobSnapshot,
  path: readonly TreeNode[],
  element: TreeElement & { kind: 'menu' },
  l10n: L10n,
): RowModel | undefined {
  const [[root], node] = [path, path.at(-1)];
  if (!root || !node) return undefined;
  const label = menuLabel(node, l10n);
  const linked = node.linksTo === undefined ? undefined : findStep(root, node.linksTo)?.at(-1);
  const description = menuDescription(node, linked, l10n);
  const children = (node.children ?? []).length;
  return {
    id: elementId(element),
    label,
    ...(description !== '' && { description }),
    tooltip: menuTooltip(node, label, l10n),
    icon: menuIcon(node),
    contextValue: [
      'menu',
      ...(node.status === undefined ? [] : [node.status]),
      ...(node.audioUrl === undefined ? [] : ['audio']),
    ].join(' '),
    children: children === 0 ? 'none' : node === root || stepCount(root) <= maxOpened ? 'expanded' : 'collapsed',
    command: 'dialtree.mapping.openTree',
    accessibilityLabel: description === '' ? label : `${label}, ${description}`,
  };
}

function menuDescription(node: TreeNode, linked: TreeNode | undefined, l10n: L10n): string {
  const words: string[] = [];
  if (linked) words.push(`→ ${menuLabel(linked, l10n)}`);
  else if (node.end !== undefined) words.push(endWord(node.end, l10n));
  else if (node.status !== undefined && node.status !== 'explored') words.push(nodeStatusWord(node.status, l10n));
  if (node.hidden === true) words.push(l10n.t('hidden'));
  if (node.unsure === true) words.push(l10n.t('unsure'));
  return words.join(' · ');
}

function menuTooltip(node: TreeNode, label: string, l10n: L10n): string {
  const offered = [
    ...(node.options ?? []).map((option) => `${option.key} ${option.label}`),
    ...(node.phrases ?? []).map((phrase) => `“${phrase}”`),
  ];
  const parts = [
    markdownLines([
      `**${escapeMarkdown(label)}**`,
      node.end === undefined ? undefined : endWord(node.end, l10n),
      node.unsure === true
        ? l10n.t('This machine was busy, so this step may be different or may not exist. Map again to confirm.')
        : undefined,
      node.reason === undefined ? undefined : escapeMarkdown(node.reason),
    ]),
    ...(node.transcript === undefined ? [] : [`> ${escapeMarkdown(node.transcript)}`]),
    ...(offered.length === 0 ? [] : [escapeMarkdown(offered.join(', '))]),
  ];
  return parts.join('\n\n');
}

const endIcons: Record<EndKind, string> = {
  hangup: 'debug-disconnect',
  'transfer-ringback': 'call-outgoing',
  human: 'person',
  'hold-music': 'debug-pause',
  voicemail: 'mail',
  fax: 'file',
  busy: 'mute',
  'dead-air': 'mute',
  input: 'symbol-numeric',
};

function menuIcon({ status, end }: TreeNode): { id: string; color?: string } {
  if (status !== undefined && status !== 'explored') return looks[status];
  return { id: end === undefined ? 'list-tree' : endIcons[end] };
}
