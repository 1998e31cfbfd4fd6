import type { CalltreeNode } from '../../contract/calltreeFile.ts';

/** A step of a tree and the steps above it, the root first. */
export type TreePath = readonly CalltreeNode[];

/** Returns every path to a step without children. Links aren't followed. */
export function leafPaths(tree: CalltreeNode): TreePath[] {
  return allPaths(tree).filter((path) => (path.at(-1)?.children ?? []).length === 0);
}

/** Returns every path of the tree, parents before their children. */
export function allPaths(tree: CalltreeNode): TreePath[] {
  const paths: TreePath[] = [[tree]];
  for (const path of paths) for (const child of path.at(-1)?.children ?? []) paths.push([...path, child]);
  return paths;
}

/** Returns the paths by the ids of their last steps. If several steps share an id, links lead to the first. */
export function pathsById(paths: readonly TreePath[]): ReadonlyMap<string, TreePath> {
  const byId = new Map<string, TreePath>();
  for (const path of paths) {
    const stepId = path.at(-1)?.stepId;
    if (stepId !== undefined && !byId.has(stepId)) byId.set(stepId, path);
  }
  return byId;
}

export const pathText = (path: TreePath): string =>
  path.length === 1 ? 'the first prompt' : path.slice(1).map(wayOf).join(' > ');
/** Returns the key or phrase that leads to a step. */
export const wayOf = ({ digit, spokenResponse, label }: CalltreeNode): string => digit ?? spokenResponse ?? label ?? '';

/** Returns the keys and phrases with their labels: "1 accounts > 2 recent transactions". */
export const wayText = (path: TreePath): string =>
  path
    .slice(1)
    .map((node) => (node.digit === undefined ? wayOf(node) : `${node.digit} ${node.label ?? ''}`.trim()))
    .join(' > ');
