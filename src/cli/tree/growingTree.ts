import type { TreeNode } from '../../contract/tree.ts';
import { treeLines } from '../../model/tree/treeLines.ts';
import { onOneLine } from '../terminal/controlCharacters.ts';

/**
 * Returns the lines by which a tree has grown since the last call: each step when it is found, and again with its words
 * when Dialtree knows what follows it. The first menu has no key, so it is shown only then. Steps of several menus are
 * found at the same time, so each line has its whole path. `width`: columns of the terminal.
 */
export function growingTree(width: number): (tree: TreeNode) => string[] {
  /** Steps by id, and whether they are complete. */
  const shown = new Map<string, boolean>();
  return (tree) =>
    treeLines(tree, { width, live: true }).flatMap(({ stepId, depth, isComplete, text }) => {
      if (stepId === undefined || (depth === 0 && !isComplete)) return [];
      const before = shown.get(stepId);
      if (before === true || before === isComplete) return [];
      shown.set(stepId, isComplete);
      return [onOneLine(text)];
    });
}
