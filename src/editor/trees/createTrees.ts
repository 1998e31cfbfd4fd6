import { commands, l10n, Uri } from 'vscode';
import { HumanError } from '../../contract/errors.ts';
import type { PanelSnapshot, PictureFormat } from '../../contract/panel.ts';
import type { Handlers, HandlersOf } from '../basics/commandTable.ts';
import type { Basics } from '../basics/createBasics.ts';
import type { DisposableStore } from '../basics/lifetime.ts';
import type { WorkspaceIndex } from '../folders/workspaceIndex.ts';
import type { Samples } from '../host/samples.ts';
import type { ServiceClient } from '../host/serviceClient.ts';
import type { MappingStore } from '../store/mappingStore.ts';
import type { TestExplorer } from '../testing/explorer/testExplorer.ts';
import { compareTrees, type ComparedTrees } from './compareTrees.ts';
import { editorTreeFiles } from './editorTreeFiles.ts';
import { exportTree } from './exportTree.ts';
import { generateTestCommands } from './generateTests.ts';
import { OutlineDocuments } from './outlineDocuments.ts';
import { saveAsPractice } from './saveAsPractice.ts';
import { saveTree } from './saveTree.ts';
import { readTreePlace, type TreePlace, type TreeSource } from './treeSource.ts';

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
  readonly panels: {
    open(place: TreePlace): Promise<ShownTree | undefined>;
    readonly active: { readonly place: TreePlace } | undefined;
  };
}

export function createTrees(
  { store, panels, explorer, samples, index, run, ...others }: TreesParts,
  held: DisposableStore,
): HandlersOf<'tree' | 'coverage'> & Pick<Handlers, 'dialtree.test.fromTree'> {
  const files = { ...editorTreeFiles, find: index.find.bind(index) };
  const parts = { ...others, store, files, active: () => panels.active?.place };
  const outlines = held.add(new OutlineDocuments(store, (place) => readTreePlace(place, parts)));
  return {
    ...generateTestCommands({
      ...parts,
      samples: samples.all,
      runTests: (uris) => explorer.runFiles(...uris.map((uri) => Uri.parse(uri))),
    }),
    'dialtree.tree.saveAsPractice': (value) =>
      saveAsPractice(value, { ...parts, run: (command, uri) => run(command, { file: Uri.parse(uri).fsPath }) }),
    'dialtree.tree.save': (value) => saveTree(value, { ...parts, open: (uri) => panels.open({ uri }) }),
    'dialtree.tree.compare': (value, selected) =>
      compareTrees(value, selected, {
        ...parts,
        showCompared,
        showOutlines: (base, current, titles) => outlines.open(base, current, titles),
      }),
    'dialtree.tree.export': (value) =>
      exportTree(value, {
        ...parts,
        draw,
        open: async (uri) => {
          await commands.executeCommand('vscode.open', Uri.parse(uri));
        },
      }),
  };

  async function open({ run, uri }: TreeSource): Promise<ShownTree | undefined> {
    const place = run ?? (uri === undefined ? undefined : { uri });
    return place && panels.open(place);
  }

  async function showCompared({ base, current, baseTitle }: ComparedTrees): Promise<void> {
    (await open(current))?.compareWith({ title: baseTitle, tree: base.tree, isCutShort: base.cutShort !== undefined });
  }

  async function draw(source: TreeSource, format: PictureFormat): Promise<string | Uint8Array> {
    const panel = await open(source);
    if (!panel)
      throw new HumanError(
        l10n.t("Couldn't draw the tree because its tab didn't open. Open the tree, then try again."),
      );
    return panel.draw(format);
  }
}
