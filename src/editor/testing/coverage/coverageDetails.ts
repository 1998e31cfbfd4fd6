import { groupBy } from '../../../base/groupBy.ts';
import { parseTree, type Node } from 'jsonc-parser';
import type { CalltreeFile, CalltreeNode } from '../../../contract/calltreeFile.ts';
import { readCalltree } from '../../../model/tree/calltree.ts';
import { placesIn, type FilePlace } from '../../../model/files/fileProblem.ts';
import { nodeAt } from '../../../model/files/nodeAt.ts';
import { coverTree, type Walk } from '../../../model/tests/pathCoverage.ts';
import type { TreePath } from '../../../model/tree/treePaths.ts';

/** A step of a tree's file and its branches: how often each was used, and where it is in the file. */
export interface CoveredStep {
  readonly executed: number;
  readonly from: FilePlace;
  readonly to: FilePlace;
  readonly ways: readonly { readonly executed: number; readonly at: FilePlace; readonly label: string }[];
}

interface CoverableTree {
  readonly calltree: CalltreeFile;
  readonly cover: (walks: readonly Walk[]) => CoveredStep[];
}

/** Returns undefined if the text isn't a tree. */
export function coverableTree(text: string, file: string): CoverableTree | undefined {
  const read = readCalltree(text, file);
  if ('problems' in read) return undefined;
  const plain = text.replace(/^\uFEFF/, '');
  const root = parseTree(plain, [], { allowTrailingComma: true });
  const calltree = read.value;
  const place = placesIn(plain);
  return {
    calltree,
    cover: (walks) => stepsOf(calltree.tree, walks, (path) => nodeAt(root, path), place),
  };
}

function stepsOf(
  tree: CalltreeNode,
  walks: readonly Walk[],
  find: (path: (string | number)[]) => Node | undefined,
  place: (offset: number) => FilePlace,
): CoveredStep[] {
  const { statements, branches } = coverTree(tree, walks);
  const waysFrom = groupBy(branches, ({ path }) => path.at(-2));
  return statements.flatMap(({ path, executed }) => {
    const node = find(jsonPath(path));
    if (!node) return [];
    const ways = (waysFrom.get(path.at(-1)) ?? []).map((branch) => ({
      executed: branch.executed,
      at: place(find(jsonPath(branch.path))?.offset ?? node.offset),
      label: wayLabel(branch.path.at(-1)),
    }));
    return [{ executed, from: place(node.offset), to: place(ownEnd(node)), ways }];
  });
}

const wayLabel = ({ digit, spokenResponse, label = '' }: CalltreeNode = {}): string =>
  digit === undefined ? `“${spokenResponse ?? label}”` : label === '' ? digit : `${digit} ${label}`;

const jsonPath = (path: TreePath): (string | number)[] => [
  'tree',
  ...path.slice(1).flatMap((node, index) => ['children', (path[index]?.children ?? []).indexOf(node)]),
];

/** Returns the end of a step's own lines, before those of the steps below it. */
function ownEnd(node: Node): number {
  const members = node.children ?? [];
  const at = members.findIndex(({ children: [name] = [] }) => name?.value === 'children');
  const below = members[at]?.children?.[1];
  if (at < 0 || (below?.children ?? []).length === 0) return node.offset + node.length;
  const last = members[at - 1];
  return last ? last.offset + last.length : node.offset + 1;
}
