import type { TreeNode } from '../../src/contract/tree.ts';

/** A tree's nodes by key, each with its position in its family. */
export interface IndexedNode {
  /** The stepId, or the key or phrase from the parent if a node has none. Unique in the tree. */
  readonly key: string;
  readonly node: TreeNode;
  readonly parent: IndexedNode | undefined;
  readonly children: readonly IndexedNode[];
  readonly depth: number;
  /** Among its siblings, from 1. */
  readonly position: number;
  readonly siblings: number;
}

export interface TreeIndex {
  readonly root: IndexedNode;
  /** Parents before children, in the tree's order. */
  readonly nodes: readonly IndexedNode[];
  readonly byKey: ReadonlyMap<string, IndexedNode>;
}

export function treeIndexOf(tree: TreeNode): TreeIndex {
  const byKey = new Map<string, IndexedNode>();

  const add = (node: TreeNode, parent: IndexedNode | undefined, position: number, siblings: number): IndexedNode => {
    const wanted = node.stepId ?? `${parent?.key ?? ''}/${node.digit ?? node.voicePrompt ?? position}`;
    const key = byKey.has(wanted) ? `${wanted}~${byKey.size}` : wanted;
    const children: IndexedNode[] = [];
    const indexed: IndexedNode = {
      key,
      node,
      parent,
      children,
      depth: parent ? parent.depth + 1 : 0,
      position,
      siblings,
    };
    byKey.set(key, indexed);
    const family = node.children ?? [];
    for (const [at, child] of family.entries()) children.push(add(child, indexed, at + 1, family.length));
    return indexed;
  };

  const root = add(tree, undefined, 1, 1);
  return { root, nodes: [...byKey.values()], byKey };
}

/** Nearest first. */
export function ancestorsOf(node: IndexedNode): IndexedNode[] {
  const ancestors: IndexedNode[] = [];
  for (let above = node.parent; above; above = above.parent) ancestors.push(above);
  return ancestors;
}

/** Returns the node itself, or the outermost collapsed ancestor that hides it. */
export function shownFor(node: IndexedNode, collapsed: ReadonlySet<string>): IndexedNode {
  return ancestorsOf(node).findLast(({ key }) => collapsed.has(key)) ?? node;
}

/** Returns the node with the same path from the root in another run of the job, where stepIds differ. */
export function sameWay(node: IndexedNode, index: TreeIndex): IndexedNode | undefined {
  if (!node.parent) return index.root;
  const parent = sameWay(node.parent, index);
  const { digit, voicePrompt } = node.node;
  return parent?.children.find((child) => child.node.digit === digit && child.node.voicePrompt === voicePrompt);
}

/** Returns nodes that are being explored, and all their ancestors. */
export function livePath(index: TreeIndex): ReadonlySet<string> {
  const live = new Set<string>();
  for (const indexed of index.nodes) {
    if (indexed.node.status !== 'exploring') continue;
    for (let node: IndexedNode | undefined = indexed; node && !live.has(node.key); node = node.parent)
      live.add(node.key);
  }
  return live;
}
