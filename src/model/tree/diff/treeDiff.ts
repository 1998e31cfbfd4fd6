import type { CalltreeNode } from '../../../contract/calltreeFile.ts';
import type { TreeNode } from '../../../contract/tree.ts';
import type { TreeChange, TreeChangeKind } from '../../../contract/treeDiff.ts';
import { atOnce, type Sliced } from '../../sliced.ts';
import { ghostId, withGhosts } from './ghosts.ts';
import { goneSteps } from './goneSteps.ts';
import { indexTree, type IndexedStep } from './indexedTree.ts';
import { matchTrees } from './matchTrees.ts';
import { textReader } from './spokenText.ts';
import { added, removed, stepChanges } from './stepChanges.ts';
import { WordWeights } from './wordWeights.ts';

export interface TreeDiff {
  /** In the order of `tree`. */
  readonly changes: readonly TreeChange[];
  /**
   * The current tree with the removed steps put back at their old places. Their stepIds are `base:` and the id in the
   * base. Every step has a unique stepId.
   */
  readonly tree: TreeNode;
  /** By stepId of `tree`. Unchanged steps have no entry. */
  readonly marks: Readonly<Record<string, readonly TreeChangeKind[]>>;
  /** Unsure steps of both trees, which weren't compared. */
  readonly unsure: number;
}

/** The trees of runs that were cut short: what they lack isn't removed, and what only the other one has isn't added. */
interface CutShortTrees {
  readonly base?: boolean;
  readonly current?: boolean;
}

/**
 * Returns the differences between two mapped trees of one IVR. A step is the same if it has the same place and similar
 * words, otherwise if its words are found elsewhere, otherwise if it kept its key. Recognition errors aren't changes.
 *
 * Only what both runs called and heard is compared. A step that failed, was skipped, is pending, or wasn't tried in one
 * of the trees proves nothing: neither it nor what is below it is added or removed. The same applies to a hidden key,
 * which a run tries only if it has time, and to unsure steps. Below an added or removed menu, every step counts as
 * added or removed; below a moved one, none counts as moved. Time grows about linearly with the number of steps.
 */
export const diffTrees = (
  base: TreeNode | CalltreeNode,
  current: TreeNode | CalltreeNode,
  isCutShort?: CutShortTrees,
): TreeDiff => atOnce(diffTreesSliced(base, current, isCutShort));

/** The same, without blocking other work. */
export function* diffTreesSliced(
  base: TreeNode | CalltreeNode,
  current: TreeNode | CalltreeNode,
  isCutShort: CutShortTrees = {},
): Sliced<TreeDiff> {
  const read = textReader();
  const before = indexTree(base, read);
  yield;
  const after = indexTree(current, read);
  yield;
  const match = yield* matchTrees(before, after);
  const weights = new WordWeights([...before, ...after].map(({ label }) => label));
  const gone = isCutShort.current === true ? new Set<IndexedStep>() : goneSteps(before, match, weights);
  yield;
  const come =
    isCutShort.base === true
      ? new Set<IndexedStep>()
      : goneSteps(after, { ways: match.ways.reversed(), menus: match.menus.reversed() }, weights);
  yield;
  const tree = withGhosts(after, gone, match);
  yield;

  const found = new Map<string, TreeChange[]>();
  const note = (id: string, changes: readonly TreeChange[]): void => {
    if (changes.length > 0) found.set(id, [...(found.get(id) ?? []), ...changes]);
  };
  for (const step of gone) note(ghostId(step), [removed(step)]);
  for (const step of come) note(step.id, [added(step)]);
  for (const [from, to] of match.ways.entries()) {
    note(to.id, stepChanges(from, to, match));
    yield;
  }
  for (const [from, to] of match.menus.entries())
    if (!match.ways.are(from, to)) note(to.id, stepChanges(from, to, match));
  yield;
  const unsure = [...before, ...after].filter(({ node }) => node.unsure === true).length;
  return { ...inOrder(tree, found), unsure };
}

export function countChanges(changes: readonly TreeChange[]): Record<TreeChangeKind, number> {
  const counts: Record<TreeChangeKind, number> = {
    added: 0,
    removed: 0,
    moved: 0,
    reworded: 0,
    renumbered: 0,
    relinked: 0,
    slower: 0,
  };
  for (const { kind } of changes) counts[kind] += 1;
  return counts;
}

function inOrder(tree: TreeNode, found: ReadonlyMap<string, readonly TreeChange[]>): Omit<TreeDiff, 'unsure'> {
  const changes: TreeChange[] = [];
  const marks = new Map<string, TreeChangeKind[]>();
  const open = [tree];
  for (let node = open.pop(); node; node = open.pop()) {
    const own = found.get(node.stepId ?? '') ?? [];
    changes.push(...own);
    if (own.length > 0 && node.stepId !== undefined) marks.set(node.stepId, [...new Set(own.map(({ kind }) => kind))]);
    open.push(...(node.children ?? []).toReversed());
  }
  return { changes, tree, marks: Object.fromEntries(marks) };
}
