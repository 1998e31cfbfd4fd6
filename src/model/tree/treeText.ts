import type { TreeNode, TreeResponse } from '../../contract/tree.ts';

/** Returns the tree as indented text: one line per step, for terminals, diffs and transcripts. */
export function treeText({ tree, message }: TreeResponse, width = 100): string {
  if (!tree) return message ?? 'There is no tree.';
  const labels = new Map<string, string>();
  const name = (node: TreeNode): void => {
    if (node.stepId !== undefined)
      labels.set(node.stepId, node.path === undefined || node.path === '' ? firstMenu : node.path);
    node.children?.forEach(name);
  };
  name(tree);
  const lines = [rootLine(tree, width)];
  const draw = (node: TreeNode, indent: string): void => {
    const children = node.children ?? [];
    children.forEach((child, index) => {
      const last = index === children.length - 1;
      const way = child.digit ?? (child.byWaiting ? '–' : `"${child.spokenResponse ?? ''}"`);
      const link = child.linksTo === undefined ? '' : `  ↪ ${labels.get(child.linksTo) ?? 'another menu'}`;
      const head = `${indent}${last ? '└─' : '├─'} ${way}  ${labelOf(child)}`;
      lines.push(`${head}${link}${endOf(child)}${stateOf(child)}${quoteOf(child, width - head.length)}`);
      draw(child, `${indent}${last ? '   ' : '│  '}`);
    });
  };
  draw(tree, '');
  return lines.join('\n');
}

/** How lines name the menu at the root. */
export const firstMenu = 'the first menu';

export const rootLine = (tree: TreeNode, width: number): string =>
  `☎  ${cut(firstWords(tree), width - 3)}${endOf(tree)}`;

/** Returns the first words of a step's prompt for the end of a line with this much space left. */
export function quoteOf(node: TreeNode, space: number): string {
  const words = node.linksTo === undefined && space >= 24 ? firstWords(node) : '';
  return words === '' ? '' : `  — ${cut(words, space - 4)}`;
}

const firstWords = (node: TreeNode): string => (node.transcript ?? '').replace(/\s+/g, ' ').trim();
export const endOf = ({ end, unsure }: TreeNode): string =>
  [end, unsure === true ? 'unsure' : undefined].map((word) => (word === undefined ? '' : `  [${word}]`)).join('');
const labelOf = ({ label, hidden }: TreeNode): string => label || (hidden ? 'hidden' : '');
/** Returns why a step wasn't explored, or where it transfers the call. */
export function stateOf({ status, reason }: TreeNode): string {
  if (status === 'explored' && reason !== undefined) return `  (${reason.replace(/\.$/, '')})`;
  if (status !== 'failed' && status !== 'skipped' && status !== 'pending') return '';
  if (status === 'skipped') return `  (${reason ?? 'Not reached.'})`;
  return `  (${status}${reason === undefined ? '' : `: ${reason}`})`;
}
const cut = (text: string, length: number): string =>
  text.length <= length ? text : `${text.slice(0, Math.max(0, length - 1)).trimEnd()}…`;
