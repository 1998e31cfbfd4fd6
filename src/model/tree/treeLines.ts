import type { TreeNode, TreeResponse } from '../../contract/tree.ts';
import { endPhrases } from './endPhrases.ts';

/** A step as one line of text. */
interface TreeLine {
  readonly stepId?: string | undefined;
  /** The first menu has depth 0. */
  readonly depth: number;
  /** What follows the step is known, or isn't going to be explored. */
  readonly isComplete: boolean;
  readonly text: string;
}

interface TreeLook {
  /** The lines are cut at this width. Default 100. */
  readonly width?: number;
  /** Deeper steps are left out. */
  readonly depth?: number;
  /** Lines that appear one by one: each has its whole path, and its words only when it is complete. */
  readonly live?: boolean;
}

/** Returns the tree as indented text: one line per step, for terminals, diffs and agents. */
export const treeText = ({ tree, message }: TreeResponse, look?: TreeLook): string =>
  tree
    ? treeLines(tree, look)
        .map(({ text }) => text)
        .join('\n')
    : (message ?? 'There is no tree.');

/** Returns a line per step, each above the steps that follow it. */
export function treeLines(
  tree: TreeNode,
  { width = 100, depth: deepest = Infinity, live = false }: TreeLook = {},
): readonly TreeLine[] {
  const rows = treeRows(tree);
  const names = new Map(rows.map(({ node }) => [node.stepId, menuName(node)]));
  const textOf = ({ node, path }: TreeRow, isComplete: boolean): string => {
    if (path.length === 1) return `☎  ${cut(firstWords(node), width - 3)}${endOf(node)}`;
    const head = live ? wholePath(node, path.length - 1) : `${branchOf(path)}${wayOf(node)}  ${labelOf(node)}`;
    if (live && !isComplete) return head;
    const found = `${head}${factsOf(node, names)}`;
    return `${found}${quoteOf(node, width - found.length)}`;
  };
  return rows
    .filter(({ path }) => path.length <= deepest + 1)
    .map((row) => {
      const { stepId, status } = row.node;
      const isComplete = status !== 'pending' && status !== 'exploring';
      return { stepId, depth: row.path.length - 1, isComplete, text: textOf(row, isComplete) };
    });
}

/** A step, and the steps from the first menu to it. */
interface TreeRow {
  readonly node: TreeNode;
  readonly path: readonly TreeNode[];
}

/** Returns the steps in the order in which texts show them. */
export function treeRows(node: TreeNode, above: readonly TreeNode[] = []): readonly TreeRow[] {
  const path = [...above, node];
  return [{ node, path }, ...(node.children ?? []).flatMap((child) => treeRows(child, path))];
}

const wholePath = ({ path, label }: TreeNode, depth: number): string =>
  `${'  '.repeat(depth)}${[path, label].filter(Boolean).join(' · ')}`;

const branchOf = (path: readonly TreeNode[]): string =>
  path
    .slice(1)
    .map((node, above) => {
      const isLast = path[above]?.children?.at(-1) === node;
      return above === path.length - 2 ? (isLast ? '└─ ' : '├─ ') : isLast ? '   ' : '│  ';
    })
    .join('');

const wayOf = ({ digit, byWaiting, spokenResponse = '' }: TreeNode): string =>
  digit ?? (byWaiting ? '–' : `"${spokenResponse}"`);
const labelOf = ({ label, hidden }: TreeNode): string => label || (hidden ? 'hidden' : '');
const menuName = ({ path = '' }: TreeNode): string => (path === '' ? 'the first menu' : path);

/** Returns the first words of a step's prompt for the end of a line with this much space left. */
function quoteOf(node: TreeNode, space: number): string {
  const words = node.linksTo === undefined && space >= 24 ? firstWords(node) : '';
  return words === '' ? '' : `  — ${cut(words, space - 4)}`;
}

/** Returns which of the named menus a step leads back to, how it ends, and why it wasn't explored. */
const factsOf = (node: TreeNode, names: ReadonlyMap<string | undefined, string>): string =>
  `${node.linksTo === undefined ? '' : `  ↪ ${names.get(node.linksTo) ?? 'another menu'}`}${endOf(node)}${stateOf(node)}`;

const firstWords = (node: TreeNode): string => (node.transcript ?? '').replace(/\s+/g, ' ').trim();
const endOf = ({ end, unsure }: TreeNode): string =>
  [end && endPhrases[end], unsure === true ? 'unsure' : undefined]
    .map((word) => (word === undefined ? '' : `  [${word}]`))
    .join('');
/** Returns why a step wasn't explored, or where it transfers the call. */
function stateOf({ status, reason }: TreeNode): string {
  if (status === 'explored' && reason !== undefined) return `  (${reason.replace(/\.$/, '')})`;
  if (status !== 'failed' && status !== 'skipped' && status !== 'pending') return '';
  if (status === 'skipped') return `  (${reason ?? 'Not reached.'})`;
  return `  (${status}${reason === undefined ? '' : `: ${reason}`})`;
}
const cut = (text: string, length: number): string =>
  text.length <= length ? text : `${text.slice(0, Math.max(0, length - 1)).trimEnd()}…`;
