import type { TreeChange, TreeChangeKind } from '../contract/treeDiff.ts';
import { countChanges, diffTrees } from '../model/tree/diff/treeDiff.ts';
import { loadCalltree } from './calltreeFile.ts';
import { print, readArguments, UsageError, type Command } from './command.ts';
import { jsonText } from './controlCharacters.ts';

const signs: Readonly<Record<TreeChangeKind, string>> = {
  added: '+',
  removed: '-',
  moved: '>',
  reworded: '~',
  renumbered: '~',
  relinked: '~',
  slower: '~',
};

export const diff: Command = {
  usage: 'diff BASE.calltree.json CURRENT.calltree.json [--json]',
  summary: 'Compares two mapped trees of one IVR.',
  help: [
    'Tells what was added, removed, moved, reworded, renumbered, leads or ends elsewhere, or answers slower. What recognition hears differently and what one of the',
    'runs did not call is no change. The files come from `dialtree map … --save FILE` and from the editor.',
    '--json  prints {changes, counts} instead of lines',
    'Exit code: 0 nothing changed, 1 something did, 2 bad use, also where a file cannot be read.',
  ].join('\n'),
  async run(args) {
    const {
      values,
      positionals: [base, current, ...rest],
    } = readArguments(args, { json: { type: 'boolean' } });
    if (base === undefined || current === undefined || rest.length > 0)
      throw new UsageError('Give two files, the base first.');
    const [before, after] = [await loadCalltree(base), await loadCalltree(current)];
    const { changes } = diffTrees(before.tree, after.tree);
    const counts = countChanges(changes);
    print(values.json === true ? jsonText({ changes, counts }, 2) : [...changes.map(line), summary(counts)].join('\n'));
    return changes.length === 0 ? 0 : 1;
  },
};

const line = ({ kind, sentence }: TreeChange): string => `${signs[kind]} ${kind.padEnd(10)}  ${sentence}`;

function summary(counts: Readonly<Record<TreeChangeKind, number>>): string {
  const told = Object.entries(counts)
    .filter(([, count]) => count > 0)
    .map(([kind, count]) => `${String(count)} ${kind}`);
  return told.length === 0 ? 'Nothing changed.' : told.join(', ');
}
