import { groupBy } from '../../base/groupBy.ts';
import { withoutUndefined } from '../../base/withoutUndefined.ts';
import type { TreeNode } from '../../contract/tree.ts';
import { upwards } from './upwards.ts';

/** A node as it is found and stored: without its children, with the id of its parent. */
export interface TreeStep extends Omit<TreeNode, 'children'> {
  readonly stepId: string;
  readonly parentId?: string | undefined;
}

interface Branch {
  step: TreeStep;
  readonly children: Branch[];
}

/**
 * Nests steps into the tree that is shown. A menu that several paths reach is expanded where it is nearest the root,
 * whichever path was explored first; the other paths link to it. What is below an unsure step is unsure too, so a menu
 * isn't expanded there if it was also found elsewhere. Null without a root.
 */
export function buildTree(steps: readonly TreeStep[]): TreeNode | null {
  const branches = new Map(steps.map((step): [string, Branch] => [step.stepId, { step, children: [] }]));
  let root: Branch | undefined;
  for (const branch of branches.values()) {
    const parent = branch.step.parentId === undefined ? undefined : branches.get(branch.step.parentId);
    if (parent) parent.children.push(branch);
    else if (branch.step.parentId === undefined) root ??= branch;
  }
  if (!root) return null;
  // A key is faster than waiting.
  for (const { children } of branches.values()) children.sort((a, b) => waits(a) - waits(b));
  expandNearestRoot(root, branches);
  return nest(root, 0, '', false);
}

const waits = ({ step }: Branch): number => (step.byWaiting === true ? 1 : 0);

function expandNearestRoot(root: Branch, branches: ReadonlyMap<string, Branch>): void {
  const order = breadthFirst(root);
  const rank = new Map(order.map((branch, index) => [branch, index]));
  const unsure = new Set<Branch>();
  for (const branch of order)
    if (branch.step.unsure === true || unsure.has(branch))
      for (const below of [branch, ...branch.children]) unsure.add(below);
  const linking = groupBy(order, ({ step }) => step.linksTo);
  const link = (branch: Branch, { step: { stepId } }: Branch): void => {
    branch.step = { ...branch.step, linksTo: stepId };
    const others = linking.get(stepId) ?? [];
    others.push(branch);
    linking.set(stepId, others);
  };
  for (const branch of order) {
    if (branch.step.status !== 'linked' || branch.step.linksTo === undefined) continue;
    const target = resolve(branch.step.linksTo, branches);
    if (!target || target === branch) continue;
    if (
      (rank.get(branch) ?? Infinity) > (rank.get(target) ?? Infinity) ||
      rank.get(target) === undefined ||
      (unsure.has(branch) && !unsure.has(target)) ||
      isAbove(branch, target)
    ) {
      if (branch.step.linksTo !== target.step.stepId) link(branch, target);
      branch.children.length = 0;
      continue;
    }
    expandAt(branch, target);
    link(target, branch);
    for (const other of linking.get(target.step.stepId) ?? [])
      if (other.step.linksTo === target.step.stepId) link(other, branch);
  }
}

/** Expands the menu at `branch`, and replaces its earlier expansion by a link. */
function expandAt(branch: Branch, target: Branch): void {
  const { linksTo: _linksTo, ...own } = branch.step;
  const { options, phrases } = target.step;
  branch.step = { ...own, status: 'explored', ...withoutUndefined({ options, phrases }) };
  target.step = { ...target.step, status: 'linked' };
  branch.children.splice(0, branch.children.length, ...target.children.splice(0));
}

/** Follows links to links. Returns undefined if they lead nowhere. */
function resolve(id: string, branches: ReadonlyMap<string, Branch>): Branch | undefined {
  const next = ({ step }: Branch): Branch | undefined =>
    step.status === 'linked' && step.linksTo !== undefined ? branches.get(step.linksTo) : undefined;
  const last = [...upwards(branches.get(id), (branch) => branch && next(branch))].at(-1);
  return last?.step.status === 'linked' && last.step.linksTo !== undefined ? undefined : last;
}

const isAbove = (branch: Branch, other: Branch): boolean =>
  branch.children.some((child) => child === other || isAbove(child, other));

function breadthFirst(root: Branch): Branch[] {
  const order = [root];
  for (const branch of order) order.push(...branch.children);
  return order;
}

function nest(branch: Branch, depth: number, path: string, isBelowUnsure: boolean): TreeNode {
  const { parentId: _parentId, ...fields } = branch.step;
  const isUnsure = isBelowUnsure || fields.unsure === true;
  const children = branch.children.map((child) => {
    const way = child.step.digit ?? child.step.spokenResponse ?? child.step.label ?? '';
    return nest(child, depth + 1, path === '' ? way : `${path} > ${way}`, isUnsure);
  });
  return { ...fields, ...(isUnsure && { unsure: true }), depth, path, children };
}

/** Returns every node with empty `children`, parents before their children. */
export function flattenTree(tree: TreeNode): TreeNode[] {
  const nodes: TreeNode[] = [];
  const visit = (node: TreeNode): void => {
    nodes.push({ ...node, children: [] });
    node.children?.forEach(visit);
  };
  visit(tree);
  return nodes;
}
