import { commands, l10n, Uri } from 'vscode';
import { HumanError } from '../../contract/errors.ts';
import type { PanelSnapshot, PictureFormat } from '../../contract/panel.ts';
import type { MappingPlace } from '../basics/commandArguments.ts';
import type { Handlers, HandlersOf } from '../basics/commandTable.ts';
import type { Basics } from '../basics/createBasics.ts';
import type { DisposableStore } from '../basics/lifetime.ts';
import type { WorkspaceIndex } from '../folders/workspaceIndex.ts';
import type { Samples } from '../host/samples.ts';
import type { ServiceClient } from '../host/serviceClient.ts';
import type { MappingStore } from '../store/mappingStore.ts';
import type { TestExplorer } from '../testing/explorer/testExplorer.ts';
import { compareTreesCommand, type ComparedTrees } from './compareTrees.ts';
import { editorTreeFiles } from './editorTreeFiles.ts';
import { exportTreeCommand } from './exportTree.ts';
import { generateTestCommands } from './generateTests.ts';
import { OutlineDocuments } from './outlineDocuments.ts';
import { saveAsPracticeCommand } from './saveAsPractice.ts';
import { saveTreeCommand } from './saveTree.ts';
import { readTreePlace, type TreeSource } from './treeSource.ts';

interface ShownTree {
  compareWith(base: NonNullable<PanelSnapshot['base']>): void;
  draw(format: PictureFormat): Promise<string | Uint8Array>;
}

interface TreesParts extends Basics {
  readonly client: ServiceClient;
  readonly store: MappingStore;
  readonly samples: Samples;
  readonly explorer: TestExplorer;
  readonly index: WorkspaceIndex;
  /** The trees of mappings. */
  readonly panels: {
    open(place: MappingPlace): Promise<void>;
    find(jobId: string): ShownTree | undefined;
  };
  /** The trees of files. */
  readonly savedTrees: {
    open(uri: Uri): Promise<ShownTree | undefined>;
    compare(uri: Uri, base: NonNullable<PanelSnapshot['base']>): Promise<void>;
  };
}

export function createTrees(
  { store, panels, savedTrees, explorer, samples, index, run, ...others }: TreesParts,
  held: DisposableStore,
): HandlersOf<'tree' | 'coverage'> & Pick<Handlers, 'dialtree.test.fromTree'> {
  const parts = { ...others, store, files: { ...editorTreeFiles, find: index.find.bind(index) } };
  const outlines = held.add(new OutlineDocuments(store, (place) => readTreePlace(place, parts)));
  return {
    ...generateTestCommands({
      ...parts,
      samples: samples.all,
      runTests: (uris) => explorer.runFiles(...uris.map((uri) => Uri.parse(uri))),
    }),
    ...saveAsPracticeCommand({ ...parts, run: (command, uri) => run(command, { file: Uri.parse(uri).fsPath }) }),
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
      throw new HumanError(
        l10n.t("Couldn't draw the tree because its tab didn't open. Open the tree, then try again."),
      );
    return panel.draw(format);
  }
}
