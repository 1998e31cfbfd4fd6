import type { TreeNode, TreeResponse } from '../../contract/tree.ts';
import { flattenTree } from './treeBuild.ts';

/** Returns the tree as indented text: one line per step, for terminals, diffs and transcripts. */
export function treeText({ tree, message }: TreeResponse, width = 100): string {
  if (!tree) return message ?? 'There is no tree.';
  const names = new Map(flattenTree(tree).map((node) => [node.stepId, menuName(node)]));
  const lines = [rootLine(tree, width)];
  const draw = (node: TreeNode, indent: string): void => {
    const children = node.children ?? [];
    children.forEach((child, index) => {
      const last = index === children.length - 1;
      const way = child.digit ?? (child.byWaiting ? '–' : `"${child.spokenResponse ?? ''}"`);
      const head = `${indent}${last ? '└─' : '├─'} ${way}  ${labelOf(child)}`;
      lines.push(`${head}${factsOf(child, names)}${quoteOf(child, width - head.length)}`);
      draw(child, `${indent}${last ? '   ' : '│  '}`);
    });
  };
  draw(tree, '');
  return lines.join('\n');
}

/** How lines name a menu. */
export const menuName = ({ path = '' }: TreeNode): string => (path === '' ? 'the first menu' : path);

export const rootLine = (tree: TreeNode, width: number): string =>
  `☎  ${cut(firstWords(tree), width - 3)}${endOf(tree)}`;

/** Returns the first words of a step's prompt for the end of a line with this much space left. */
export function quoteOf(node: TreeNode, space: number): string {
  const words = node.linksTo === undefined && space >= 24 ? firstWords(node) : '';
  return words === '' ? '' : `  — ${cut(words, space - 4)}`;
}

/** Returns which of the named menus a step leads back to, how it ends, and why it wasn't explored. */
export const factsOf = (node: TreeNode, names: ReadonlyMap<string | undefined, string>): string =>
  `${node.linksTo === undefined ? '' : `  ↪ ${names.get(node.linksTo) ?? 'another menu'}`}${endOf(node)}${stateOf(node)}`;

const firstWords = (node: TreeNode): string => (node.transcript ?? '').replace(/\s+/g, ' ').trim();
const endOf = ({ end, unsure }: TreeNode): string =>
  [end, unsure === true ? 'unsure' : undefined].map((word) => (word === undefined ? '' : `  [${word}]`)).join('');
const labelOf = ({ label, hidden }: TreeNode): string => label || (hidden ? 'hidden' : '');
/** Returns why a step wasn't explored, or where it transfers the call. */
function stateOf({ status, reason }: TreeNode): string {
  if (status === 'explored' && reason !== undefined) return `  (${reason.replace(/\.$/, '')})`;
  if (status !== 'failed' && status !== 'skipped' && status !== 'pending') return '';
  if (status === 'skipped') return `  (${reason ?? 'Not reached.'})`;
  return `  (${status}${reason === undefined ? '' : `: ${reason}`})`;
}
const cut = (text: string, length: number): string =>
  text.length <= length ? text : `${text.slice(0, Math.max(0, length - 1)).trimEnd()}…`;
