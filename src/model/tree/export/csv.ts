import type { CalltreeNode } from '../../../contract/calltreeFile.ts';
import type { TreeNode } from '../../../contract/tree.ts';
import { indexTree, type IndexedStep } from '../diff/indexedTree.ts';
import { stepPathOf } from '../diff/stepChanges.ts';

const columns: Readonly<Record<string, (step: IndexedStep) => string | number | undefined>> = {
  path: stepPathOf,
  depth: ({ depth }) => depth,
  key: ({ node }) => node.digit,
  phrase: ({ node }) => (node.digit === undefined ? node.spokenResponse : undefined),
  label: ({ node }) => node.label,
  status: ({ node }) => node.status,
  says: ({ node }) => node.transcript,
  ends: ({ node }) => node.end,
  leadsTo: ({ behind, leadsTo }) =>
    behind !== 'link' || !leadsTo ? undefined : leadsTo.parent ? stepPathOf(leadsTo) : 'root',
  asksFor: ({ node }) => node.inputRequired?.type,
  hidden: ({ node }) => (node.hidden === true ? 'yes' : undefined),
  unsure: ({ node }) => (node.unsure === true ? 'yes' : undefined),
  seconds: ({ node }) => node.duration,
  latencyMs: ({ node }) => node.latencyMs,
  reason: ({ node }) => node.reason,
};

/**
 * Returns one row per step, in the order of the drawn tree, with a heading row (RFC 4180). An apostrophe precedes what
 * a spreadsheet would treat as a formula.
 */
export function csvOf(tree: TreeNode | CalltreeNode): string {
  const [root] = indexTree(tree);
  const rows: IndexedStep[] = [];
  const open = root ? [root] : [];
  for (let step = open.pop(); step; step = open.pop()) {
    rows.push(step);
    open.push(...step.children.toReversed());
  }
  return [Object.keys(columns), ...rows.map((step) => Object.values(columns).map((read) => field(read(step))))]
    .map((row) => `${row.join(',')}\r\n`)
    .join('');
}

function field(value: string | number | undefined): string {
  if (typeof value === 'number') return String(value);
  if (value === undefined) return '';
  const safe = /^\s*[=+\-@＝＋－＠]|^[\t\r]/u.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
