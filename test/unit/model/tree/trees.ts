import type { TreeNode, TreeResponse } from '../../../../src/contract/tree.ts';
import { flattenTree } from '../../../../src/model/tree/treeBuild.ts';

/** One line per node, indented by depth: branch, stepId, and what it is. */
export function treeText(tree: TreeNode | null | undefined): string[] {
  if (!tree) return ['no tree'];
  return flattenTree(tree).map((node) =>
    [
      `${'  '.repeat(node.depth ?? 0)}${node.digit ?? node.spokenResponse ?? node.label ?? 'root'}`,
      ...(node.hidden ? ['hidden'] : []),
      ...(node.status === 'linked'
        ? [
            `-> ${flattenTree(tree).find(({ stepId }) => stepId === node.linksTo)?.path ?? '?'}`.replace(
              /-> $/,
              '-> root',
            ),
          ]
        : []),
      ...(node.end === undefined ? [] : [node.end]),
    ].join(' '),
  );
}

interface Sketch {
  readonly end?: TreeNode['end'];
  readonly hidden?: boolean;
  readonly linksTo?: string;
  readonly status?: TreeNode['status'];
  readonly keys?: Readonly<Record<string, Sketch>>;
}

/** Creates a tree response from a sketch; a node's stepId is its path, "root" for the root. */
export function treeOf(sketch: Sketch, rest: Partial<TreeResponse> = {}): TreeResponse {
  const node = ({ end, hidden, linksTo, status, keys = {} }: Sketch, depth: number, path: string): TreeNode => ({
    stepId: path === '' ? 'root' : path,
    depth,
    path,
    isTerminal: end !== undefined,
    status: status ?? (linksTo === undefined ? 'explored' : 'linked'),
    ...(path === '' ? {} : { digit: path.split(' > ').at(-1) }),
    ...(end === undefined ? {} : { end }),
    ...(hidden ? { hidden } : {}),
    ...(linksTo === undefined ? {} : { linksTo }),
    children: Object.entries(keys).map(([key, child]) =>
      node(child, depth + 1, path === '' ? key : `${path} > ${key}`),
    ),
  });
  return { jobId: 'test', tree: node(sketch, 0, ''), ...rest };
}
