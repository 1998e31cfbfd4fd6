import type { MappingJob, MappingRun } from '../../../contract/mapping.ts';
import type { TreeNode, TreeResponse } from '../../../contract/tree.ts';
import { treeText } from '../../../model/tree/treeText.ts';
import type { Answer } from './answer.ts';

/** A line of this width holds the first sentence of most prompts. */
const lineWidth = 160;
const briefWidth = 70;

/**
 * Formats a mapped tree for a model: one line per menu, with its key, its end and the beginning of its prompt. Less
 * deep if space is short.
 */
export function treeAnswer(job: MappingJob, run: MappingRun | undefined, response: TreeResponse): Answer {
  const head = headOf(job, run);
  const { tree } = response;
  if (!tree) return [() => [...head, response.message ?? 'Nothing was found yet.'].join('\n')];
  const deepest = depthOf(tree);
  const outline = (depth: number, width: number) => () =>
    [
      ...head,
      ...(depth < deepest
        ? [`Shown to depth ${String(depth)} of ${String(deepest)}: read what lies deeper by its path.`]
        : []),
      treeText({ ...response, tree: toDepth(tree, depth) }, width),
    ].join('\n');
  return [
    outline(deepest, lineWidth),
    ...Array.from({ length: deepest }, (_, index) => outline(deepest - index, briefWidth)),
  ];
}

/** Returns the branch at a path of the tree, with complete prompts, or undefined if the path doesn't exist. */
export function branchAnswer(
  job: MappingJob,
  run: MappingRun | undefined,
  response: TreeResponse,
  path: string,
): Answer | undefined {
  const node = response.tree ? findPath(response.tree, path) : undefined;
  if (!node) return undefined;
  const whole = (depth: number) => () => [...headOf(job, run), ...promptLines(node, depth)].join('\n');
  const deepest = depthOf(node);
  return [whole(deepest), ...Array.from({ length: deepest }, (_, index) => whole(deepest - 1 - index))];
}

function headOf({ id, name, phoneNumber }: MappingJob, run: MappingRun | undefined): string[] {
  const title = `Mapping ${id} “${name}” of ${phoneNumber}`;
  if (!run) return [`${title}: not run yet.`];
  const { status, runNumber, limitReason, reason, stats } = run;
  return [
    `${title}, run ${String(runNumber)}: ${status}${limitReason === undefined ? '' : ` (${limitReason})`}, ${String(stats.nodesDiscovered)} steps found, ${String(stats.callsPlaced)} calls, ${String(Math.round(stats.callSeconds))} s of calls`,
    ...(reason === undefined ? [] : [reason]),
  ];
}

function promptLines(node: TreeNode, depth: number, indent = ''): string[] {
  return [
    `${indent}${nameOf(node)}: ${factsOf(node).join('; ')}`,
    ...(depth === 0 ? [] : (node.children ?? []).flatMap((child) => promptLines(child, depth - 1, `${indent}  `))),
  ];
}

function nameOf({ path = '', label = '', digit }: TreeNode): string {
  if (path === '') return 'first menu';
  return label === '' || label === digit ? path : `${path} (${label})`;
}

function factsOf(node: TreeNode): string[] {
  const { transcript = '', options = [], inputRequired, end, linksTo, status = 'explored', reason, latencyMs } = node;
  const offered = options.map(({ key, label }) => `${key} ${label}`).join(', ');
  return [
    transcript !== '' && `says “${transcript}”`,
    options.length > 0 && `offers ${offered}`,
    inputRequired && `asks for ${inputRequired.type}`,
    end !== undefined && `ends with ${end}`,
    linksTo !== undefined && 'leads back to a menu that is mapped elsewhere',
    status !== 'explored' && status !== 'linked' && (reason === undefined ? status : `${status}: ${reason}`),
    latencyMs !== undefined && `answers after ${(latencyMs / 1000).toFixed(1)} s`,
  ].filter((fact) => typeof fact === 'string');
}

function findPath(root: TreeNode, path: string): TreeNode | undefined {
  const wanted = waysOf(path);
  const find = (node: TreeNode): TreeNode | undefined => {
    if (waysOf(node.path ?? '').join(' > ') === wanted.join(' > ')) return node;
    for (const child of node.children ?? []) {
      const found = find(child);
      if (found) return found;
    }
    return undefined;
  };
  return find(root);
}

const waysOf = (path: string): string[] =>
  path
    .split('>')
    .map((way) => way.trim())
    .filter((way) => way !== '');
const depthOf = ({ children = [] }: TreeNode): number =>
  children.length === 0 ? 0 : 1 + Math.max(...children.map(depthOf));
const toDepth = (node: TreeNode, depth: number): TreeNode =>
  depth === 0
    ? { ...node, children: [] }
    : { ...node, children: (node.children ?? []).map((child) => toDepth(child, depth - 1)) };
