import type { MappingJob, MappingRun } from '../../../contract/mapping.ts';
import type { TreeNode, TreeResponse } from '../../../contract/tree.ts';
import { treeText } from '../../../model/treeText.ts';
import type { Answer } from './answer.ts';

/** So wide a line holds the first sentence of most prompts. */
const lineWidth = 160;
const briefWidth = 70;

/** A mapped tree as a model reads it: a line a menu, with its key, how it ends and how its prompt begins; shallower where room is short. */
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

/** What lies at a path of the tree, with the whole of each prompt. Undefined where there is no such path. */
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
  const {
    path,
    label,
    digit,
    transcript,
    end,
    options = [],
    inputRequired,
    linksTo,
    status,
    reason,
    latencyMs,
    children = [],
  } = node;
  const facts = [
    ...(transcript === undefined || transcript === '' ? [] : [`says “${transcript}”`]),
    ...(options.length === 0 ? [] : [`offers ${options.map((option) => `${option.key} ${option.label}`).join(', ')}`]),
    ...(inputRequired ? [`asks for ${inputRequired.type}`] : []),
    ...(end === undefined ? [] : [`ends with ${end}`]),
    ...(linksTo === undefined ? [] : ['leads back to a menu that is mapped elsewhere']),
    ...(status === undefined || status === 'explored' || status === 'linked'
      ? []
      : [`${status}${reason === undefined ? '' : `: ${reason}`}`]),
    ...(latencyMs === undefined ? [] : [`answers after ${(latencyMs / 1000).toFixed(1)} s`]),
  ];
  const name =
    path === undefined || path === ''
      ? 'first menu'
      : `${path}${label === undefined || label === '' || label === digit ? '' : ` (${label})`}`;
  return [
    `${indent}${name}: ${facts.join('; ')}`,
    ...(depth === 0 ? [] : children.flatMap((child) => promptLines(child, depth - 1, `${indent}  `))),
  ];
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
