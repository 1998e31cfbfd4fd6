import { ivrSlug } from '../../contract/ivrFile.ts';
import type { PictureFormat } from '../../contract/panel.ts';
import type { Handlers } from '../basics/commandTable.ts';
import type { Choice, Dialogs } from '../basics/dialogs/dialogs.ts';
import type { ExportSuffix, TreeFiles } from './treeFiles.ts';
import { readTreeSource, type TreeSource, type TreeSourceParts } from './treeSource.ts';

export interface ExportTreeParts extends TreeSourceParts {
  readonly files: TreeFiles;
  readonly dialogs: Pick<Dialogs, 'pick' | 'tell' | 'wait'>;
  readonly draw: (source: TreeSource, format: PictureFormat) => Promise<string | Uint8Array>;
  readonly open: (uri: string) => Promise<unknown>;
}

interface Format {
  readonly suffix: ExportSuffix;
  readonly write: (source: TreeSource) => Promise<string | Uint8Array>;
}

export function exportTreeCommand(parts: ExportTreeParts): Pick<Handlers, 'dialtree.tree.export'> {
  return { 'dialtree.tree.export': (value) => exportTree(value, parts) };
}

async function exportTree(value: unknown, parts: ExportTreeParts): Promise<void> {
  const { dialogs, files, l10n, open } = parts;
  const title = l10n.t('Export Tree');
  const source = await readTreeSource(value, title, parts);
  if (!source) return;
  const format = await dialogs.pick(formats(parts), {
    title,
    placeHolder: l10n.t('How do you want to export {0}?', source.name),
  });
  if (!format) return;
  const uri = await files.askNewFile(title, ivrSlug(source.name), format.suffix);
  if (uri === undefined) return;
  await files.write(uri, await dialogs.wait(l10n.t('Exporting {0}…', source.name), () => format.write(source)));
  await dialogs.tell(l10n.t('Exported {0} to {1}.', source.name, files.label(uri)), {
    title: l10n.t('Open'),
    run: () => open(uri),
  });
}

function formats({ draw, l10n }: ExportTreeParts): Choice<Format>[] {
  return [
    {
      label: l10n.t('Mermaid'),
      description: '.mmd',
      detail: l10n.t('A flowchart for Markdown'),
      value: {
        suffix: '.mmd',
        write: async ({ tree, name }) => (await import('../../model/tree/export/mermaid.ts')).mermaidOf(tree, name),
      },
    },
    {
      label: l10n.t('Graphviz'),
      description: '.dot',
      detail: l10n.t('A directed graph for the “dot” tool'),
      value: {
        suffix: '.dot',
        write: async ({ tree, name }) => (await import('../../model/tree/export/graphviz.ts')).graphvizOf(tree, name),
      },
    },
    {
      label: l10n.t('CSV'),
      description: '.csv',
      detail: l10n.t('One row per step, for spreadsheets'),
      value: {
        suffix: '.csv',
        write: async ({ tree }) => (await import('../../model/tree/export/csv.ts')).csvOf(tree),
      },
    },
    {
      label: l10n.t('SVG'),
      description: '.svg',
      detail: l10n.t('A drawing that stays sharp at any size'),
      value: { suffix: '.svg', write: (source) => draw(source, 'svg') },
    },
    {
      label: l10n.t('PNG'),
      description: '.png',
      detail: l10n.t('The drawing as an image'),
      value: { suffix: '.png', write: (source) => draw(source, 'png') },
    },
  ];
}
