import { escapeMarkup } from '../../../src/base/escape.ts';
import type { Placed, TreeLayout } from '../../../src/model/tree/treeLayout.ts';
import { isVoice, subtitleOf, nodeTitleOf } from '../nodeText.ts';
import type { ColourName } from '../../page/themeColours.ts';
import type { IndexedNode, TreeIndex } from '../treeIndex.ts';

export interface SvgLook {
  readonly title: string;
  readonly colour: (name: ColourName) => string;
  readonly fontFamily: string;
}

const margin = 24;
/**
 * The approximate width of a letter, relative to its size. Text isn't measured, so long words are cut rather than
 * overflowing.
 */
const letterWidth = 0.56;

/** Returns the whole tree as an SVG document (SVG 1.1), in the page's colours and at its full size. */
export function treeSvg(layout: TreeLayout<IndexedNode>, index: TreeIndex, look: SvgLook): string {
  const { left, top, right, bottom } = layout.bounds;
  const [width, height] = [right - left + 2 * margin, bottom - top + 2 * margin];
  const placed = layout.columns.flat();
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${round(width)}" height="${round(height)}" viewBox="${[left - margin, top - margin, width, height].map(round).join(' ')}" font-family="${escaped(look.fontFamily)}">
<title>${escaped(look.title)}</title>
<rect x="${round(left - margin)}" y="${round(top - margin)}" width="${round(width)}" height="${round(height)}" fill="${look.colour('--dt-page')}"/>
<g fill="none" stroke="${look.colour('--dt-line')}" stroke-width="1.25">
${placed.flatMap((parent) => parent.children.map((child) => linkPath(parent, child, layout))).join('\n')}
</g>
${placed.map((one) => cardGroup(one, layout, index, look)).join('\n')}
</svg>
`;
}

function linkPath(
  parent: Placed<IndexedNode>,
  child: Placed<IndexedNode>,
  { sizes: { nodeWidth, nodeHeight } }: TreeLayout<IndexedNode>,
): string {
  const from = parent.x + nodeWidth;
  const middle = (from + child.x) / 2;
  const [start, end] = [parent.y + nodeHeight / 2, child.y + nodeHeight / 2];
  const { hidden, status } = child.node.node;
  return `<path d="M${round(from)} ${round(start)}C${[middle, start, middle, end, child.x, end].map(round).join(' ')}"${hidden === true || status === 'linked' ? ' stroke-dasharray="5 4"' : ''}/>`;
}

function cardGroup(
  { node: { node, parent }, x, y }: Placed<IndexedNode>,
  { sizes: { nodeWidth, nodeHeight } }: TreeLayout<IndexedNode>,
  index: TreeIndex,
  { colour }: SvgLook,
): string {
  const target = node.linksTo === undefined ? undefined : index.byKey.get(node.linksTo)?.node;
  const key = !parent ? '☎' : isVoice(node) ? '“ ”' : (node.digit ?? '·');
  const room = nodeWidth - 60;
  return `<g transform="translate(${round(x)} ${round(y)})">
<rect width="${String(nodeWidth)}" height="${String(nodeHeight)}" rx="6" fill="${colour('--dt-card')}" stroke="${colour(node.status === 'failed' ? '--dt-failed' : '--dt-line')}"${node.hidden === true ? ' stroke-dasharray="5 4"' : ''}/>
<text x="23" y="29" text-anchor="middle" font-size="13" font-weight="600" fill="${colour('--dt-text')}">${escaped(key)}</text>
<text x="46" y="20" font-size="13" font-weight="600" fill="${colour('--dt-text')}">${escaped(cut(nodeTitleOf(node), room, 13))}</text>
<text x="46" y="37" font-size="12" fill="${colour('--dt-quiet')}">${escaped(cut(subtitleOf(node, target), room, 12))}</text>
</g>`;
}

const round = (value: number): string => String(Math.round(value * 10) / 10);

function cut(text: string, width: number, size: number): string {
  const most = Math.floor(width / (size * letterWidth));
  const letters = [...text];
  return letters.length <= most
    ? text
    : `${letters
        .slice(0, most - 1)
        .join('')
        .trimEnd()}…`;
}

/** Characters that XML can't contain (XML 1.0, section 2.2) are removed. */
const escaped = (text: string): string =>
  escapeMarkup(text.replaceAll(/[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/gu, ''));
