import type { CalltreeNode } from '../../../contract/calltreeFile.ts';
import type { TreeNode } from '../../../contract/tree.ts';
import type { TreeChange, TreeChangeKind } from '../../../contract/treeDiff.ts';
import { atOnce, type Sliced } from '../../sliced.ts';
import { ghostId, withGhosts } from './ghosts.ts';
import { goneSteps } from './goneSteps.ts';
import { indexTree } from './indexedTree.ts';
import { matchTrees } from './matchTrees.ts';
import { textReader } from './spokenText.ts';
import { added, removed, stepChanges } from './stepChanges.ts';
import { WordWeights } from './wordWeights.ts';

export interface TreeDiff {
  /** In the order of `tree`. */
  readonly changes: readonly TreeChange[];
  /**
   * The present tree with the removed steps put back at their old places; their stepIds are `base:` and the id in the
   * base. Every step has a stepId of its own.
   */
  readonly tree: TreeNode;
  /** By stepId of `tree`; steps without a change have no entry. */
  readonly marks: Readonly<Record<string, readonly TreeChangeKind[]>>;
}

/**
 * What differs between two mapped trees of one IVR. A step is the same where it has its place and similar words, else
 * where its words are found again, else where it kept its key; what recognition hears differently from call to call is
 * no change.
 *
 * Only what both runs called and heard is compared. A step that failed, was skipped, is pending, or was not tried in
 * one of the trees proves nothing: it is neither added nor removed, and neither is what stands below it. The same holds
 * for a hidden key, which a run tries only where it has the time. Below an added or removed menu every step counts as
 * added or removed; below a moved one none counts as moved. Time grows about linearly with the number of steps.
 */
export const diffTrees = (base: TreeNode | CalltreeNode, current: TreeNode | CalltreeNode): TreeDiff =>
  atOnce(diffTreesSliced(base, current));

/** The same, for whoever must not be busy for long. */
export function* diffTreesSliced(base: TreeNode | CalltreeNode, current: TreeNode | CalltreeNode): Sliced<TreeDiff> {
  const read = textReader();
  const before = indexTree(base, read);
  yield;
  const after = indexTree(current, read);
  yield;
  const match = yield* matchTrees(before, after);
  const weights = new WordWeights([...before, ...after].map(({ label }) => label));
  const gone = goneSteps(before, match, weights);
  yield;
  const come = goneSteps(after, { ways: match.ways.reversed(), menus: match.menus.reversed() }, weights);
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
  return inOrder(tree, found);
}

/** How many changes there are of each kind. */
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

function inOrder(tree: TreeNode, found: ReadonlyMap<string, readonly TreeChange[]>): TreeDiff {
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
