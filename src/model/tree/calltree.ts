import {
  calltreeFileSchema,
  calltreeNodeMembers,
  type CalltreeFile,
  type CalltreeNode,
} from '../../contract/calltreeFile.ts';
import type { MappingJob, MappingRun } from '../../contract/mapping.ts';
import type { TreeNode } from '../../contract/tree.ts';
import type { FileProblem } from '../files/fileProblem.ts';
import { readJsonFile, type JsonFile } from '../files/jsonFile.ts';
import { UniqueNames } from './uniqueNames.ts';

export const calltreeSuffix = '.calltree.json';

/**
 * Returns a run's tree as a file for version control. Steps get ids by their position instead of the run's ids, so that
 * files of two runs differ only where the IVR does.
 */
export function calltreeOf(
  job: Pick<MappingJob, 'name' | 'phoneNumber'>,
  run: Pick<MappingRun, 'status' | 'completedAt'> | undefined,
  tree: TreeNode,
): CalltreeFile {
  const ids = new Map<string, string>();
  const named = withIds(tree, ids);
  return {
    name: job.name,
    phoneNumber: job.phoneNumber,
    mappedAt: run?.completedAt,
    status: run?.status,
    tree: fileNode(named, ids),
  };
}

export const calltreeText = (file: CalltreeFile): string => `${JSON.stringify(file, null, 2)}\n`;

/** Parses the text of a file; `file` is its name in the problems. */
export const readCalltree = (
  text: string,
  file: string,
): JsonFile<CalltreeFile> | { readonly problems: readonly FileProblem[] } =>
  readJsonFile(text, file, calltreeFileSchema);

interface IdentifiedNode {
  readonly node: TreeNode;
  readonly id: string;
  readonly children: readonly IdentifiedNode[];
}

function withIds(node: TreeNode, ids: Map<string, string>, id = 'root'): IdentifiedNode {
  if (node.stepId !== undefined) ids.set(node.stepId, id);
  const places = new UniqueNames('root', '');
  const children = (node.children ?? []).map((child) => {
    const way = segmentOf(child.digit ?? child.spokenResponse ?? child.label ?? '');
    return withIds(child, ids, places.take(id === 'root' ? way : `${id} > ${way}`, `${id} > ${way}`));
  });
  return { node, id, children };
}

/** A key or phrase as a part of an id. A phrase like several ("1 > 2"), or that begins with a quote, is quoted. */
const segmentOf = (way: string): string => (/^"|>/.test(way) ? JSON.stringify(way) : way);

function fileNode({ node, id, children }: IdentifiedNode, ids: ReadonlyMap<string, string>): CalltreeNode {
  const own = calltreeNodeMembers.flatMap((name) => (node[name] === undefined ? [] : [[name, node[name]] as const]));
  return {
    ...(Object.fromEntries(own) as CalltreeNode),
    stepId: id,
    ...(node.linksTo === undefined ? {} : { linksTo: ids.get(node.linksTo) ?? node.linksTo }),
    ...(children.length === 0 ? {} : { children: children.map((child) => fileNode(child, ids)) }),
  };
}
