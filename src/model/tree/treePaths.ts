import type { CalltreeNode } from '../../contract/calltreeFile.ts';

/** A step of a tree with those above it, the root first. */
export type TreePath = readonly CalltreeNode[];

/** Every path to a step below which there is none; a link is followed no further. */
export function leafPaths(tree: CalltreeNode): TreePath[] {
  return allPaths(tree).filter((path) => (path.at(-1)?.children ?? []).length === 0);
}

/** Every path of the tree, parents before their children. */
export function allPaths(tree: CalltreeNode): TreePath[] {
  const paths: TreePath[] = [[tree]];
  for (const path of paths) for (const child of path.at(-1)?.children ?? []) paths.push([...path, child]);
  return paths;
}

/** The paths by the ids of the steps they lead to; of steps with one id the first, which links to it lead to. */
export function pathsById(paths: readonly TreePath[]): ReadonlyMap<string, TreePath> {
  const byId = new Map<string, TreePath>();
  for (const path of paths) {
    const stepId = path.at(-1)?.stepId;
    if (stepId !== undefined && !byId.has(stepId)) byId.set(stepId, path);
  }
  return byId;
}

/** The keys and phrases from the root on. */
export const pathText = (path: TreePath): string =>
  path.length === 1 ? 'the first prompt' : path.slice(1).map(wayOf).join(' > ');
/** The key or phrase that leads to a step. */
export const wayOf = ({ digit, spokenResponse, label }: CalltreeNode): string => digit ?? spokenResponse ?? label ?? '';

/** The keys and phrases with what the menus call them: "1 accounts > 2 hear recent transactions". */
export const wayText = (path: TreePath): string =>
  path
    .slice(1)
    .map((node) => (node.digit === undefined ? wayOf(node) : `${node.digit} ${node.label ?? ''}`.trim()))
    .join(' > ');
