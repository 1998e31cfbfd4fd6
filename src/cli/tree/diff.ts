import type { TreeChange, TreeChangeKind } from '../../contract/treeDiff.ts';
import { countChanges, diffTrees } from '../../model/tree/diff/treeDiff.ts';
import { loadCalltree } from './calltreeFile.ts';
import { readArguments, UsageError, type CliCommand } from '../command.ts';
import { print } from '../terminal/output.ts';
import { jsonText } from '../terminal/controlCharacters.ts';

const signs: Readonly<Record<TreeChangeKind, string>> = {
  added: '+',
  removed: '-',
  moved: '>',
  reworded: '~',
  renumbered: '~',
  relinked: '~',
  slower: '~',
};

export const diff: CliCommand = {
  help: [
    'Reports what was added, removed, moved, reworded or renumbered, what leads elsewhere or ends differently, and what answers more slowly. Differences in speech recognition,',
    "and paths that one of the runs didn't call, are ignored. You get the files from `dialtree map … --save FILE` or from the editor.",
    '--json  prints {changes, counts, unsure} instead of lines',
    "Exit code: 0 nothing changed, 1 something changed, 2 wrong usage, or a file that can't be read.",
  ].join('\n'),
  async run(args) {
    const {
      values,
      positionals: [base, current, ...rest],
    } = readArguments(args, { json: { type: 'boolean' } });
    if (base === undefined || current === undefined || rest.length > 0)
      throw new UsageError('Give two files: the base, then the current tree.');
    const [before, after] = [await loadCalltree(base), await loadCalltree(current)];
    const { changes, unsure } = diffTrees(before.tree, after.tree);
    const counts = countChanges(changes);
    print(
      values.json === true
        ? jsonText({ changes, counts, unsure }, 2)
        : [...changes.map(line), summary(counts), ...unsureLine(unsure)].join('\n'),
    );
    return changes.length === 0 ? 0 : 1;
  },
};

const unsureLine = (count: number): string[] =>
  count === 0
    ? []
    : [
        `${count === 1 ? '1 unsure step was' : `${String(count)} unsure steps were`} not compared. Map again to confirm.`,
      ];
const line = ({ kind, sentence }: TreeChange): string => `${signs[kind]} ${kind.padEnd(10)}  ${sentence}`;

function summary(counts: Readonly<Record<TreeChangeKind, number>>): string {
  const countTexts = Object.entries(counts)
    .filter(([, count]) => count > 0)
    .map(([kind, count]) => `${String(count)} ${kind}`);
  return countTexts.length === 0 ? 'Nothing changed.' : countTexts.join(', ');
}
