import type { TreeNode, TreeResponse } from '../../contract/tree.ts';

/** Returns the tree as indented text: one line per step, for terminals, diffs and transcripts. */
export function treeText({ tree, message }: TreeResponse, width = 100): string {
  if (!tree) return message ?? 'There is no tree.';
  const labels = new Map<string, string>();
  const name = (node: TreeNode): void => {
    if (node.stepId !== undefined)
      labels.set(node.stepId, node.path === undefined || node.path === '' ? 'the first menu' : node.path);
    node.children?.forEach(name);
  };
  name(tree);
  const lines = [`☎  ${cut(firstWords(tree), width - 3)}${endOf(tree)}`];
  const draw = (node: TreeNode, indent: string): void => {
    const children = node.children ?? [];
    children.forEach((child, index) => {
      const last = index === children.length - 1;
      const way = child.digit ?? `"${child.spokenResponse ?? ''}"`;
      const link = child.linksTo === undefined ? '' : `  ↪ ${labels.get(child.linksTo) ?? 'another menu'}`;
      const head = `${indent}${last ? '└─' : '├─'} ${way}  ${labelOf(child)}`;
      const words = child.linksTo === undefined && head.length <= width - 24 ? firstWords(child) : '';
      const quote = words === '' ? '' : `  — ${cut(words, width - head.length - 4)}`;
      lines.push(`${head}${link}${endOf(child)}${stateOf(child)}${quote}`);
      draw(child, `${indent}${last ? '   ' : '│  '}`);
    });
  };
  draw(tree, '');
  return lines.join('\n');
}

const firstWords = (node: TreeNode): string => (node.transcript ?? '').replace(/\s+/g, ' ').trim();
const endOf = ({ end }: TreeNode): string => (end === undefined ? '' : `  [${end}]`);
const labelOf = ({ label, hidden }: TreeNode): string => label || (hidden ? 'hidden' : '');
/** Returns why a step wasn't explored. */
function stateOf({ status, reason }: TreeNode): string {
  if (status !== 'failed' && status !== 'skipped' && status !== 'pending') return '';
  return `  (${status}${reason === undefined ? '' : `: ${reason}`})`;
}
const cut = (text: string, length: number): string =>
  text.length <= length ? text : `${text.slice(0, Math.max(0, length - 1)).trimEnd()}…`;
