import { ivrSlug } from '../../contract/ivrFile.ts';
import type { PictureFormat } from '../../contract/panel.ts';
import type { Choice } from '../basics/dialogs/dialogs.ts';
import type { ExportSuffix, TreeFiles } from './treeFiles.ts';
import { readTreeSource, type TreeSource, type TreeSourceParts } from './treeSource.ts';

export interface ExportTreeParts extends TreeSourceParts {
  readonly files: TreeFiles;
  readonly draw: (source: TreeSource, format: PictureFormat) => Promise<string | Uint8Array>;
  readonly open: (uri: string) => Promise<unknown>;
}

interface Format {
  readonly suffix: ExportSuffix;
  readonly write: (source: TreeSource) => Promise<string | Uint8Array>;
}

export async function exportTree(value: unknown, parts: ExportTreeParts): Promise<void> {
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
  const format = (label: string, suffix: ExportSuffix, detail: string, write: Format['write']): Choice<Format> => ({
    label,
    description: suffix,
    detail,
    value: { suffix, write },
  });
  return [
    format(l10n.t('Mermaid'), '.mmd', l10n.t('A flowchart for Markdown'), async ({ tree, name }) =>
      (await import('../../model/tree/export/mermaid.ts')).mermaidOf(tree, name),
    ),
    format(l10n.t('Graphviz'), '.dot', l10n.t('A directed graph for the “dot” tool'), async ({ tree, name }) =>
      (await import('../../model/tree/export/graphviz.ts')).graphvizOf(tree, name),
    ),
    format(l10n.t('CSV'), '.csv', l10n.t('One row per step, for spreadsheets'), async ({ tree }) =>
      (await import('../../model/tree/export/csv.ts')).csvOf(tree),
    ),
    format(l10n.t('SVG'), '.svg', l10n.t('A drawing that stays sharp at any size'), (source) => draw(source, 'svg')),
    format(l10n.t('PNG'), '.png', l10n.t('The drawing as an image'), (source) => draw(source, 'png')),
  ];
}
