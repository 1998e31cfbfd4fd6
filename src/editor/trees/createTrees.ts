import { commands, l10n, Uri } from 'vscode';
import { HumanError } from '../../contract/errors.ts';
import type { PictureFormat } from '../../contract/panel.ts';
import type { Handlers } from '../commands/commandTable.ts';
import type { Dialogs } from '../commands/dialogs.ts';
import type { DisposableStore } from '../lifetime.ts';
import type { CalltreeEditors } from '../panels/calltreeEditors.ts';
import type { TreePanels } from '../panels/treePanels.ts';
import type { MappingStore } from '../store/mappingStore.ts';
import { compareTreesCommand } from './compareTrees.ts';
import type { ComparedTrees } from './compareTrees.ts';
import { editorTreeFiles } from './editorTreeFiles.ts';
import { exportTreeCommand } from './exportTree.ts';
import { OutlineDocuments } from './outlineDocuments.ts';
import { saveTreeCommand } from './saveTree.ts';
import { readTreePlace } from './treeSource.ts';
import type { TreeSource } from './treeSource.ts';

export interface TreesParts {
  readonly store: MappingStore;
  readonly panels: TreePanels;
  readonly savedTrees: CalltreeEditors;
  readonly dialogs: Dialogs;
}

/** Saving, comparing and exporting mapped trees. */
export function createTrees(
  { store, panels, savedTrees, dialogs }: TreesParts,
  held: DisposableStore,
): Pick<Handlers, 'dialtree.tree.save' | 'dialtree.tree.compare' | 'dialtree.tree.export'> {
  const parts = { store, files: editorTreeFiles, dialogs, l10n };
  const outlines = held.add(new OutlineDocuments(store, (place) => readTreePlace(place, parts)));
  return {
    ...saveTreeCommand({ ...parts, open: (uri) => savedTrees.open(Uri.parse(uri)) }),
    ...compareTreesCommand({
      ...parts,
      showCompared,
      showOutlines: (base, current, titles) => outlines.open(base, current, titles),
    }),
    ...exportTreeCommand({
      ...parts,
      draw,
      open: async (uri) => {
        await commands.executeCommand('vscode.open', Uri.parse(uri));
      },
    }),
  };

  async function showCompared({ base, current, baseTitle }: ComparedTrees): Promise<void> {
    const compared = { title: baseTitle, tree: base.tree };
    if (current.uri !== undefined) await savedTrees.compare(Uri.parse(current.uri), compared);
    else if (current.run) {
      await panels.open(current.run);
      panels.find(current.run.jobId)?.compareWith(compared);
    }
  }

  async function draw({ run, uri }: TreeSource, format: PictureFormat): Promise<string | Uint8Array> {
    if (run) await panels.open(run);
    const panel = run ? panels.find(run.jobId) : uri === undefined ? undefined : await savedTrees.open(Uri.parse(uri));
    if (!panel)
      throw new HumanError(l10n.t('The tree could not be shown, so that nothing draws it. Open it and try again.'));
    return panel.draw(format);
  }
}
