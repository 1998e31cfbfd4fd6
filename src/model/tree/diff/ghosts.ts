import { withoutUndefined } from '../../../base/withoutUndefined.ts';
import type { TreeNode } from '../../../contract/tree.ts';
import type { IndexedStep } from './indexedTree.ts';
import type { Match } from './matchTrees.ts';

/** The id of a base step that is put back. No step has such an id itself. */
export const ghostId = (base: IndexedStep): string => `base:${base.id}`;

/** Puts removed steps back into the current tree: below their menu, after the sibling that they followed. */
export function withGhosts(
  current: readonly IndexedStep[],
  gone: ReadonlySet<IndexedStep>,
  { ways, menus }: Match,
): TreeNode {
  const nodes = new Map<IndexedStep, TreeNode>();
  for (const step of current) place(step, { ...own(step), stepId: step.id }, nodes);
  const nowAt = (base: IndexedStep): IndexedStep | undefined => menus.current(base) ?? ways.current(base);
  const idOf = (base: IndexedStep): string | undefined => (gone.has(base) ? ghostId(base) : nowAt(base)?.id);
  for (const step of gone) {
    const { linksTo: _linksTo, ...rest } = own(step);
    const linksTo = step.behind === 'link' && step.leadsTo ? idOf(step.leadsTo) : undefined;
    nodes.set(step, { ...rest, stepId: ghostId(step), children: [], ...withoutUndefined({ linksTo }) });
  }
  for (const step of gone) {
    const { parent } = step;
    const ghost = nodes.get(step);
    const above = parent && nodes.get(gone.has(parent) ? parent : (nowAt(parent) ?? parent));
    if (!parent || !ghost || !above) continue;
    ghost.depth = (above.depth ?? 0) + 1;
    const siblings = (above.children ??= []);
    siblings.splice(behind(step, parent, siblings, nodes, ways), 0, ghost);
  }
  const [root] = current;
  return (root && nodes.get(root)) ?? {};
}

function place(step: IndexedStep, node: TreeNode, nodes: Map<IndexedStep, TreeNode>): void {
  const copy = { ...node, ...(step.node.children ? { children: [] } : {}) };
  nodes.set(step, copy);
  if (step.parent) (nodes.get(step.parent)?.children ?? []).push(copy);
}

function own({ node: { children: _children, ...fields } }: IndexedStep): TreeNode {
  return fields;
}

/** Returns the position after the nearest earlier sibling that still exists. */
function behind(
  step: IndexedStep,
  parent: IndexedStep,
  siblings: readonly TreeNode[],
  nodes: ReadonlyMap<IndexedStep, TreeNode>,
  ways: Match['ways'],
): number {
  for (let at = parent.children.indexOf(step) - 1; at >= 0; at -= 1) {
    const before = parent.children[at];
    const node = before && nodes.get(ways.current(before) ?? before);
    const found = node ? siblings.indexOf(node) : -1;
    if (found >= 0) return found + 1;
  }
  return 0;
}
