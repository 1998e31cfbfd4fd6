import type { TreeNode, TreeResponse } from '../contract/tree.ts';

/** The tree as indented text: a line a step, for terminals, diffs and transcripts. */
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
      const state =
        child.status === 'failed' || child.status === 'skipped' || child.status === 'pending'
          ? `  (${child.status}${child.reason === undefined ? '' : `: ${child.reason}`})`
          : '';
      const label = child.label === undefined || child.label === '' ? (child.hidden ? 'hidden' : '') : child.label;
      const words = child.linksTo === undefined ? firstWords(child) : '';
      const head = `${indent}${last ? '└─' : '├─'} ${way}  ${label}`;
      lines.push(
        `${head}${link}${endOf(child)}${state}${words === '' || head.length > width - 24 ? '' : `  — ${cut(words, width - head.length - 4)}`}`,
      );
      draw(child, `${indent}${last ? '   ' : '│  '}`);
    });
  };
  draw(tree, '');
  return lines.join('\n');
}

const firstWords = (node: TreeNode): string => (node.transcript ?? '').replace(/\s+/g, ' ').trim();
const endOf = ({ end }: TreeNode): string => (end === undefined ? '' : `  [${end}]`);
const cut = (text: string, length: number): string =>
  text.length <= length ? text : `${text.slice(0, Math.max(0, length - 1)).trimEnd()}…`;
