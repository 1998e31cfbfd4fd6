import type { MappingRun } from '../../../contract/mapping.ts';
import type { TreeNode, TreeResponse } from '../../../contract/tree.ts';
import type { L10n } from '../../basics/localise.ts';
import {
  countWords,
  endWord,
  limitWord,
  menuLabel,
  nodeStatusWord,
  runStateWord,
} from '../../basics/words/mappingWords.ts';
import { findStep } from '../../store/snapshot.ts';

interface TranscriptSource {
  readonly name: string;
  readonly phoneNumber: string;
  readonly run: MappingRun | undefined;
  readonly tree: TreeResponse | undefined;
}

export interface Transcript {
  readonly text: string;
  /** The line of each step, from 0. */
  readonly lineOf: ReadonlyMap<string, number>;
}

/** Formats a run as text: each path with its words, its options and its end. */
export function writeTranscript({ name, phoneNumber, run, tree }: TranscriptSource, l10n: L10n): Transcript {
  const lines: string[] = [name === phoneNumber ? name : `${name}  ${phoneNumber}`];
  if (run) {
    const status =
      run.limitReason === undefined
        ? runStateWord(run, l10n)
        : `${runStateWord(run, l10n)} (${limitWord(run.limitReason, l10n)})`;
    lines.push([l10n.t('Run {0}', run.runNumber), status, ...countWords(run.stats, l10n)].join(' · '));
    if (run.reason !== undefined) lines.push(run.reason);
  }
  const lineOf = new Map<string, number>();
  if (tree?.tree) writeNode(tree.tree, [], { root: tree.tree, lines, lineOf, l10n });
  else lines.push('', tree?.message ?? l10n.t('No menu was found'));
  return { text: `${lines.join('\n')}\n`, lineOf };
}

interface Page {
  readonly root: TreeNode;
  readonly lines: string[];
  readonly lineOf: Map<string, number>;
  readonly l10n: L10n;
}

function writeNode(node: TreeNode, above: readonly string[], page: Page): void {
  const { lines, lineOf, l10n } = page;
  const path = [...above, menuLabel(node, l10n)];
  lines.push('');
  if (node.stepId !== undefined) lineOf.set(node.stepId, lines.length);
  lines.push(path.join(' › '));
  if (node.hidden === true) lines.push(indent(l10n.t('No prompt offers this key.')));
  if (node.unsure === true)
    lines.push(
      indent(l10n.t('This machine was busy, so this step may be different or may not exist. Map again to confirm.')),
    );
  if (node.transcript !== undefined && node.transcript !== '') lines.push(...node.transcript.split('\n').map(indent));
  for (const { key, label } of node.options ?? []) lines.push(indent(`[${key}] ${label}`));
  for (const phrase of node.phrases ?? []) lines.push(indent(`“${phrase}”`));
  const asked = askedFor(node, l10n);
  if (asked !== undefined) lines.push(indent(l10n.t('Asks for: {0}', asked)));
  const end = endLine(node, page);
  if (end !== undefined) lines.push(indent(end));
  for (const child of node.children ?? []) writeNode(child, path, page);
}

/** Returns what to enter, unless the prompt above says just that. */
function askedFor({ inputRequired, transcript }: TreeNode, l10n: L10n): string | undefined {
  if (!inputRequired) return undefined;
  const { type, description, terminator } = inputRequired;
  const words = type === 'other' ? description : type.replaceAll('_', ' ');
  if (words === undefined || (type === 'other' && transcript?.includes(words) === true)) return undefined;
  return terminator === undefined ? words : l10n.t('{0}, then {1}', words, terminator);
}

function endLine(node: TreeNode, { root, l10n }: Page): string | undefined {
  if (node.linksTo !== undefined) {
    const path = findStep(root, node.linksTo)?.map((step) => menuLabel(step, l10n));
    return l10n.t('Same menu as: {0}', path?.join(' › ') ?? node.linksTo);
  }
  if (node.end !== undefined) return l10n.t('End: {0}', endWord(node.end, l10n));
  if (node.status === undefined || node.status === 'explored') return undefined;
  if (node.reason === undefined) return `(${nodeStatusWord(node.status, l10n)})`;
  // The reason says that it wasn't reached.
  return node.status === 'skipped' ? `(${node.reason})` : `(${nodeStatusWord(node.status, l10n)}: ${node.reason})`;
}

const indent = (line: string): string => `    ${line}`;
