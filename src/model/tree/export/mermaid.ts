import type { CalltreeNode } from '../../../contract/calltreeFile.ts';
import type { TreeNode } from '../../../contract/tree.ts';
import { drawingOf, oneLine } from './drawing.ts';

/**
 * The tree as a Mermaid flowchart (https://mermaid.js.org/syntax/flowchart.html), as Markdown on GitHub and GitLab
 * draws it.
 */
export function mermaidOf(tree: TreeNode | CalltreeNode, name: string): string {
  const { boxes, arrows } = drawingOf(tree);
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
 * Whatever could be syntax is written by its number
 * (https://mermaid.js.org/syntax/flowchart.html#entity-codes-to-escape-characters), as is what would begin a list of
 * Markdown.
 */
const quoted = (lines: readonly string[]): string =>
  `"${lines.map((line) => oneLine(line).replace(/[!-+/:-@[-`{-~]|^-|(?<=^\d+)\./g, (sign) => `#${String(sign.codePointAt(0))};`)).join('<br/>')}"`;
