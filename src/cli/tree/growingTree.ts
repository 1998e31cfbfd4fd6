import type { TreeNode } from '../../contract/tree.ts';
import { factsOf, menuName, quoteOf, rootLine } from '../../model/tree/treeText.ts';
import { onOneLine } from '../terminal/controlCharacters.ts';

/**
 * Returns the lines by which a tree has grown since the last call: each step when it is found, and again with its words
 * when Dialtree knows what follows it. Steps of several menus are found at the same time, so each line has its whole
 * path. `width`: columns of the terminal.
 */
export function growingTree(width: number): (tree: TreeNode) => string[] {
  /** Steps by id, and whether they are complete. */
  const shown = new Map<string, boolean>();
  const names = new Map<string | undefined, string>();
  return (tree) => {
    const lines: string[] = [];
    const visit = (node: TreeNode, depth: number): void => {
      const { stepId: id } = node;
      if (id !== undefined) {
        names.set(id, menuName(node));
        const isComplete = isSettled(node);
        // The first menu has no key, so there is nothing to show before its words.
        if (depth === 0 ? isComplete && !shown.has(id) : shown.get(id) !== isComplete && shown.get(id) !== true) {
          shown.set(id, isComplete);
          lines.push(depth === 0 ? onOneLine(rootLine(node, width)) : lineOf(node, depth, isComplete));
        }
      }
      for (const child of node.children ?? []) visit(child, depth + 1);
    };
    const lineOf = (node: TreeNode, depth: number, isComplete: boolean): string => {
      const head = `${'  '.repeat(depth)}${[node.path, node.label].filter(Boolean).join(' · ')}`;
      if (!isComplete) return onOneLine(head);
      const found = onOneLine(`${head}${factsOf(node, names)}`);
      return `${found}${onOneLine(quoteOf(node, width - found.length))}`;
    };
    visit(tree, 0);
    return lines;
  };
}

const isSettled = ({ status }: TreeNode): boolean => status !== 'pending' && status !== 'exploring';
