import type { MappingRun } from '../../../src/contract/mapping.ts';
import type { PanelSnapshot } from '../../../src/contract/panel.ts';
import { stateOf } from '../../../src/contract/runState.ts';
import type { TreeNode } from '../../../src/contract/tree.ts';
import type { TreeChange, TreeChangeKind } from '../../../src/contract/treeDiff.ts';
import { diffTrees } from '../../../src/model/tree/diff/treeDiff.ts';
import { t } from '../../page/l10n.ts';
import { shownRun } from '../shownRun.ts';
import type { TreeIndex } from '../treeIndex.ts';

/** The comparison of a snapshot's tree with its base: the tree with removed steps put back, and the differences. */
export interface ComparedTree {
  readonly title: string;
  readonly tree: TreeNode;
  /** In the tree's order. */
  readonly changes: readonly TreeChange[];
  /** By stepId of `tree`. */
  readonly marks: Readonly<Record<string, readonly TreeChangeKind[]>>;
  readonly unsure: number;
}

export function comparisonOf(snapshot: PanelSnapshot): ComparedTree | undefined {
  const {
    base,
    tree: { tree },
  } = snapshot;
  if (!base || !tree) return undefined;
  const cutShort = { base: base.isCutShort === true, current: isCutShort(shownRun(snapshot)) };
  return { title: base.title, ...diffTrees(base.tree, tree, cutShort) };
}

export const isCutShort = (run: MappingRun | undefined): boolean =>
  run !== undefined && ['cancelled', 'interrupted'].includes(stateOf(run.status, run.endedBy));

/** Returns how a step differs. A saved tree names its steps by their phrases, which can be any word. */
export const marksAt = ({ marks }: ComparedTree, { stepId }: TreeNode): readonly TreeChangeKind[] =>
  stepId !== undefined && Object.hasOwn(marks, stepId) ? (marks[stepId] ?? []) : [];

/** Returns the keys of the different nodes, in the tree's order, each once. */
export function changedKeys(comparison: ComparedTree, { nodes }: TreeIndex): string[] {
  return nodes.filter(({ node }) => marksAt(comparison, node).length > 0).map(({ key }) => key);
}

export const changesAt = ({ changes }: ComparedTree, stepId: string | undefined): TreeChange[] =>
  stepId === undefined
    ? []
    : changes.filter(
        (change) =>
          change.stepId === stepId || (change.stepId === undefined && `base:${change.baseStepId ?? ''}` === stepId),
      );

export const changeKinds: readonly TreeChangeKind[] = [
  'added',
  'removed',
  'moved',
  'reworded',
  'renumbered',
  'relinked',
  'slower',
];

/** On a card: a sign and a word, because not everyone can distinguish colours. */
export const changeMarks: Readonly<Record<TreeChangeKind, string>> = {
  added: `+ ${t('added')}`,
  removed: `− ${t('removed')}`,
  moved: `⇄ ${t('moved')}`,
  reworded: `≠ ${t('reworded')}`,
  renumbered: `# ${t('on another key')}`,
  relinked: `↪ ${t('leads elsewhere')}`,
  slower: `◷ ${t('slower')}`,
};
