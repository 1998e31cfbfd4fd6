import type { TreeNode } from '../../../src/contract/tree.ts';
import { nodeTitleOf } from '../nodeText.ts';
import type { TreeIndex } from '../treeIndex.ts';

interface TextPart {
  readonly text: string;
  readonly match: boolean;
}

const haystacks = new WeakMap<TreeNode, string>();

/** Returns the keys of the nodes whose label, transcript, options or phrases contain the query, in the tree's order. */
export function findMatches(index: TreeIndex, query: string): string[] {
  const wanted = folded(query.trim());
  if (wanted === '') return [];
  return index.nodes.filter(({ node }) => haystackOf(node).includes(wanted)).map(({ key }) => key);
}

/** Returns the match `by` positions further, from the first match at or after the focus; wraps around. */
export function stepMatch(matches: readonly string[], current: string | undefined, by: 1 | -1): string | undefined {
  const at = current === undefined ? -1 : matches.indexOf(current);
  if (at < 0) return by > 0 ? matches[0] : matches.at(-1);
  return matches[(at + by + matches.length) % matches.length];
}

export function textPartsOf(text: string, query: string): TextPart[] {
  const wanted = folded(query.trim());
  const hay = folded(text);
  // If folding changes the length, the positions would be wrong.
  if (wanted === '' || hay.length !== text.length) return [{ text, match: false }];
  const parts: TextPart[] = [];
  let from = 0;
  for (let at = hay.indexOf(wanted); at >= 0; at = hay.indexOf(wanted, from)) {
    if (at > from) parts.push({ text: text.slice(from, at), match: false });
    parts.push({ text: text.slice(at, at + wanted.length), match: true });
    from = at + wanted.length;
  }
  if (from < text.length || parts.length === 0) parts.push({ text: text.slice(from), match: false });
  return parts;
}

const lettersBefore = 12;

/** Returns the passage with the query in text that a card doesn't show. */
export function passageOf(node: TreeNode, query: string): string | undefined {
  const wanted = folded(query.trim());
  if (wanted === '') return undefined;
  for (const text of [
    node.transcript,
    ...(node.options ?? []).map(({ key, label }) => `${key} ${label}`),
    ...(node.phrases ?? []),
  ]) {
    const at = text === undefined ? -1 : folded(text).indexOf(wanted);
    if (text !== undefined && at >= 0)
      return at > lettersBefore ? `…${fromWord(text.slice(at - lettersBefore))}` : text;
  }
  return undefined;
}

/** Removes a word that was cut off. */
function fromWord(text: string): string {
  const space = text.indexOf(' ');
  return space >= 0 && space < lettersBefore ? text.slice(space + 1) : text;
}

function haystackOf(node: TreeNode): string {
  const known = haystacks.get(node);
  if (known !== undefined) return known;
  const options = (node.options ?? []).map(({ key, label }) => `${key} ${label}`);
  const text = folded(
    [nodeTitleOf(node), node.label, node.transcript, node.voicePrompt, ...options, ...(node.phrases ?? [])]
      .filter(Boolean)
      .join('\n'),
  );
  haystacks.set(node, text);
  return text;
}

const folded = (text: string): string => text.toLowerCase();
