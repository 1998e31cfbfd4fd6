import type { CalltreeNode } from '../../../contract/calltreeFile.ts';
import type { TreeNode } from '../../../contract/tree.ts';
import { drawTree, oneLine } from './drawing.ts';

/** Returns the tree in the DOT language (https://graphviz.org/doc/info/lang.html). */
export function graphvizOf(tree: TreeNode | CalltreeNode, name: string): string {
  const { boxes, arrows } = drawTree(tree);
  const styles = { menu: 'rounded', end: '"rounded,bold"', untried: '"rounded,dashed"' } as const;
  return `${[
    `digraph ${quoted([name])} {`,
    '  rankdir=LR;',
    '  node [shape=box];',
    ...boxes.map(({ id, lines, kind }) => `  ${id} [label=${quoted(lines)}, style=${styles[kind]}];`),
    ...arrows.map(
      ({ from, to, label, isLink }) =>
        `  ${from} -> ${to} [label=${quoted([label])}${isLink ? ', style=dashed, constraint=false' : ''}];`,
    ),
    '}',
  ].join('\n')}\n`;
}

/** `\` begins an escape (https://graphviz.org/docs/attr-types/escString/), and `&` can begin an HTML entity. */
const quoted = (lines: readonly string[]): string =>
  `"${lines.map((line) => oneLine(line).replaceAll('&', '&amp;').replace(/["\\]/g, '\\$&')).join('\\n')}"`;
