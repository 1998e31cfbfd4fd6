import type { CalltreeNode } from '../../../contract/calltreeFile.ts';
import type { TreeNode } from '../../../contract/tree.ts';
import { drawTree, oneLine } from './drawing.ts';

/** Returns the tree as a Mermaid flowchart (https://mermaid.js.org/syntax/flowchart.html). */
export function mermaidOf(tree: TreeNode | CalltreeNode, name: string): string {
  const { boxes, arrows } = drawTree(tree);
  const shapes = { menu: ['[', ']'], end: ['([', '])'], untried: ['[', ']:::untried'] } as const;
  return `${[
    '---',
    `title: ${JSON.stringify(oneLine(name).replace(/[{}%]/g, ' '))}`,
    '---',
    'flowchart LR',
    ...boxes.map(({ id, lines, kind }) => `  ${id}${shapes[kind][0]}${quoted(lines)}${shapes[kind][1]}`),
    ...arrows.map(({ from, to, label, isLink }) => `  ${from} ${isLink ? '-.->' : '-->'}|${quoted([label])}| ${to}`),
    '  classDef untried stroke-dasharray: 4 4',
  ].join('\n')}\n`;
}

/**
 * Characters that could be syntax are written as numbers
 * (https://mermaid.js.org/syntax/flowchart.html#entity-codes-to-escape-characters), and so is what would begin a
 * Markdown list.
 */
const quoted = (lines: readonly string[]): string =>
  `"${lines.map((line) => oneLine(line).replace(/[!-+/:-@[-`{-~]|^-|(?<=^\d+)\./g, (sign) => `#${String(sign.codePointAt(0))};`)).join('<br/>')}"`;
