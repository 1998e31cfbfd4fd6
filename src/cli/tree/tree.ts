import type { CalltreeFile } from '../../contract/calltreeFile.ts';
import { csvOf } from '../../model/tree/export/csv.ts';
import { graphvizOf } from '../../model/tree/export/graphviz.ts';
import { mermaidOf } from '../../model/tree/export/mermaid.ts';
import { treeOutline } from '../../model/tree/treeOutline.ts';
import { treeText } from '../../model/tree/treeLines.ts';
import { loadCalltree } from './calltreeFile.ts';
import { readArguments, UsageError, type CliCommand } from '../command.ts';
import { withoutControls } from '../terminal/controlCharacters.ts';

const formats: Readonly<Record<string, (file: CalltreeFile) => string>> = {
  text: ({ name, tree }) => `${treeText({ jobId: name, tree }, { width: process.stdout.columns || 100 })}\n`,
  outline: ({ tree }) => treeOutline(tree),
  mermaid: ({ tree, name }) => mermaidOf(tree, name),
  graphviz: ({ tree, name }) => graphvizOf(tree, name),
  csv: ({ tree }) => csvOf(tree),
};

export const tree: CliCommand = {
  help: [
    '--format text      a drawing for the terminal (default)',
    '--format outline   one fact per line, without ids and times: for diff tools',
    '--format mermaid   a flowchart for Markdown',
    '--format graphviz  a directed graph, for example for `dot -Tsvg`',
    '--format csv       one row per step; text that a spreadsheet would read as a formula gets an apostrophe in front',
  ].join('\n'),
  async run(args) {
    const {
      values: { format = 'text' },
      positionals: [file, ...rest],
    } = readArguments(args, { format: { type: 'string' } });
    if (file === undefined || rest.length > 0) throw new UsageError('Give one file.');
    const write = Object.hasOwn(formats, format) ? formats[format] : undefined;
    if (!write) throw new UsageError(`--format takes one of ${Object.keys(formats).join(', ')}.`);
    process.stdout.write(withoutControls(write(await loadCalltree(file))));
    return 0;
  },
};
