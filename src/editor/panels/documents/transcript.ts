import type { MappingRun } from '../../../contract/mapping.ts';
import type { TreeNode, TreeResponse } from '../../../contract/tree.ts';
import { treeRows } from '../../../model/tree/treeLines.ts';
import type { L10n } from '../../basics/localise.ts';
import {
  countWords,
  endWord,
  limitWord,
  menuLabel,
  nodeStatusWord,
  mappingStateWord,
} from '../../basics/words/mappingWords.ts';

interface TranscriptSource {
  readonly name: string;
  readonly phoneNumber: string;
  readonly run: MappingRun | undefined;
  readonly tree: TreeResponse | undefined;
}

export interface TranscriptDocument {
  readonly text: string;
  /** The line of each step, from 0. */
  readonly lineOf: ReadonlyMap<string, number>;
}

/** Formats a run as text: each path with its words, its options and its end. */
export function writeTranscript({ name, phoneNumber, run, tree }: TranscriptSource, l10n: L10n): TranscriptDocument {
  const lines: string[] = [name === phoneNumber ? name : `${name}  ${phoneNumber}`];
  if (run) {
    const status =
      run.limitReason === undefined
        ? mappingStateWord(run, l10n)
        : `${mappingStateWord(run, l10n)} (${limitWord(run.limitReason, l10n)})`;
    lines.push([l10n.t('Run {0}', run.runNumber), status, ...countWords(run.stats, l10n)].join(' · '));
    if (run.reason !== undefined) lines.push(run.reason);
  }
  const lineOf = new Map<string, number>();
  const rows = (tree?.tree ? treeRows(tree.tree) : []).map(({ node, path }) => ({
    node,
    place: path.map((step) => menuLabel(step, l10n)).join(' › '),
  }));
  const places = new Map(rows.map(({ node, place }) => [node.stepId, place]));
  for (const { node, place } of rows) {
    lines.push('');
    if (node.stepId !== undefined) lineOf.set(node.stepId, lines.length);
    lines.push(place, ...factsOf(node, places, l10n).map((fact) => `    ${fact}`));
  }
  if (rows.length === 0) lines.push('', tree?.message ?? l10n.t('No menu was found'));
  return { text: `${lines.join('\n')}\n`, lineOf };
}

/** The path of each step, by its id. */
type Places = ReadonlyMap<string | undefined, string>;

function factsOf(node: TreeNode, places: Places, l10n: L10n): string[] {
  const { hidden, unsure, transcript = '', options = [], phrases = [] } = node;
  const asked = askedFor(node, l10n);
  return [
    ...(hidden ? [l10n.t('No prompt offers this key.')] : []),
    ...(unsure
      ? [l10n.t('This machine was busy, so this step may be different or may not exist. Map again to confirm.')]
      : []),
    ...(transcript === '' ? [] : transcript.split('\n')),
    ...options.map(({ key, label }) => `[${key}] ${label}`),
    ...phrases.map((phrase) => `“${phrase}”`),
    ...(asked === undefined ? [] : [l10n.t('Asks for: {0}', asked)]),
    ...endOf(node, places, l10n),
  ];
}

/** Returns what to enter, unless the prompt above says just that. */
function askedFor({ inputRequired, transcript }: TreeNode, l10n: L10n): string | undefined {
  if (!inputRequired) return undefined;
  const { type, description, terminator } = inputRequired;
  const words = type === 'other' ? description : type.replaceAll('_', ' ');
  if (words === undefined || (type === 'other' && transcript?.includes(words) === true)) return undefined;
  return terminator === undefined ? words : l10n.t('{0}, then {1}', words, terminator);
}

/** Returns where the step leads, how it ends, or why it wasn't explored, if it says so. */
function endOf({ linksTo, end, status, reason }: TreeNode, places: Places, l10n: L10n): string[] {
  if (linksTo !== undefined) return [l10n.t('Same menu as: {0}', places.get(linksTo) ?? linksTo)];
  if (end !== undefined) return [l10n.t('End: {0}', endWord(end, l10n))];
  if (status === undefined || status === 'explored') return [];
  const word = nodeStatusWord(status, l10n);
  if (reason === undefined) return [`(${word})`];
  // The reason says that it wasn't reached.
  return [status === 'skipped' ? `(${reason})` : `(${word}: ${reason})`];
}
