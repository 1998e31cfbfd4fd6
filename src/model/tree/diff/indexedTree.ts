import type { CalltreeNode } from '../../../contract/calltreeFile.ts';
import type { TreeNode } from '../../../contract/tree.ts';
import { UniqueNames } from '../uniqueNames.ts';
import { upwards } from '../upwards.ts';
import { textReader, type SpokenText } from './spokenText.ts';

/** What follows a step: a menu, the end of the call, a menu elsewhere in the tree, or something unknown. */
export type Behind = 'menu' | 'end' | 'link' | 'unknown';

export interface IndexedStep {
  /** Unique in its tree, even if the file names none or one twice. */
  readonly id: string;
  readonly node: TreeNode | CalltreeNode;
  readonly parent: IndexedStep | undefined;
  readonly children: IndexedStep[];
  readonly depth: number;
  /** The key or phrase that leads here. */
  readonly way: string;
  readonly label: SpokenText;
  readonly words: SpokenText;
  readonly behind: Behind;
  /** It was called and heard. Steps that didn't answer, were left out or are pending prove nothing. */
  readonly isProven: boolean;
  /** The menu that follows this step; for a link, its target. */
  leadsTo: IndexedStep | undefined;
}

const unproven = new Set(['pending', 'exploring', 'failed', 'skipped']);

/** Returns every step, parents before their children, nearest the root first. */
export function indexTree(tree: TreeNode | CalltreeNode, read = textReader()): readonly IndexedStep[] {
  const ids = new UniqueNames();
  const byOwnId = new Map<string, IndexedStep>();
  const steps: IndexedStep[] = [];
  const add = (node: TreeNode | CalltreeNode, parent: IndexedStep | undefined): void => {
    const way = node.digit ?? node.spokenResponse ?? node.label ?? '';
    const step: IndexedStep = {
      id: ids.take(node.stepId ?? (parent ? `${parent.id} > ${way}` : 'root')),
      node,
      parent,
      children: [],
      depth: (parent?.depth ?? -1) + 1,
      way,
      label: read(node.label ?? node.spokenResponse),
      words: read(node.transcript),
      behind: behindOf(node),
      isProven: !unproven.has(node.status ?? ''),
      leadsTo: undefined,
    };
    steps.push(step);
    parent?.children.push(step);
    if (node.stepId !== undefined && !byOwnId.has(node.stepId)) byOwnId.set(node.stepId, step);
  };
  add(tree, undefined);
  for (const step of steps) for (const child of step.node.children ?? []) add(child, step);
  for (const step of steps) step.leadsTo = menuBehind(step, byOwnId);
  return steps;
}

function behindOf(node: TreeNode | CalltreeNode): Behind {
  if (node.linksTo !== undefined) return 'link';
  if (node.end !== undefined || node.isTerminal === true) return 'end';
  return [node.children, node.options, node.phrases].some((list) => list !== undefined && list.length > 0)
    ? 'menu'
    : 'unknown';
}

/** Follows links to links; a cycle leads nowhere. */
function menuBehind(step: IndexedStep, byId: ReadonlyMap<string, IndexedStep>): IndexedStep | undefined {
  const next = ({ behind, node }: IndexedStep): IndexedStep | undefined =>
    behind === 'link' ? byId.get(node.linksTo ?? '') : undefined;
  const at = [...upwards(step, next)].at(-1);
  return at?.isProven === true && at.behind === 'menu' ? at : undefined;
}
