import { Uri } from 'vscode';
import { HumanError } from '../../contract/errors.ts';
import type { PictureFormat } from '../../contract/panel.ts';
import { compareTrees, type ComparedTrees } from '../trees/compareTrees.ts';
import { exportTree } from '../trees/exportTree.ts';
import { testsForUncovered, testsOfPickedPaths } from '../trees/generateTests.ts';
import { saveAsPractice } from '../trees/saveAsPractice.ts';
import { saveTree } from '../trees/saveTree.ts';
import type { TreeSource } from '../trees/treeSource.ts';
import { command } from './command.ts';
import type { Editor } from './editor.ts';

/** What reads a tree, and writes tests of it. */
const treesOf = ({
  client,
  store,
  treeFiles: files,
  dialogs,
  formats,
  l10n,
  log,
  samples,
  explorer,
  panels,
  workbench,
}: Editor) => ({
  ...{ client, store, files, dialogs, formats, l10n, log },
  samples: samples.all,
  active: () => panels.active?.place,
  open: (uri: string) => workbench.openFile(uri),
  runTests: (uris: readonly string[]) => explorer.runFiles(...uris.map((uri) => Uri.parse(uri))),
});

export const treeCommands = [
  command({
    id: 'dialtree.test.fromTree',
    run: (editor, value) => testsOfPickedPaths(value, treesOf(editor)),
  }),
  command({
    id: 'dialtree.coverage.generate',
    run: (editor, value) => testsForUncovered(value, treesOf(editor)),
  }),
  command({
    id: 'dialtree.tree.saveAsPractice',
    run: (editor, value) =>
      saveAsPractice(value, {
        ...treesOf(editor),
        run: (id, uri) => editor.run(id, { file: Uri.parse(uri).fsPath }),
      }),
  }),
  command({
    id: 'dialtree.tree.save',
    run: (editor, value) => saveTree(value, { ...treesOf(editor), open: (uri) => editor.panels.open({ uri }) }),
  }),
  command({
    id: 'dialtree.tree.compare',
    run: (editor, value, selected) =>
      compareTrees(value, selected, {
        ...treesOf(editor),
        showCompared: (compared, openText) => showCompared(editor, compared, openText),
        showOutlines: (base, current, titles) => editor.outlines.open(base, current, titles),
      }),
  }),
  command({
    id: 'dialtree.tree.export',
    run: (editor, value) =>
      exportTree(value, {
        ...treesOf(editor),
        draw: (source, format) => draw(editor, source, format),
      }),
  }),
];

async function open({ panels }: Editor, { run, uri }: TreeSource) {
  const place = run ?? (uri === undefined ? undefined : { uri });
  return place && panels.open(place);
}

async function showCompared(
  editor: Editor,
  { base, current, baseTitle }: ComparedTrees,
  openText: () => Promise<unknown>,
): Promise<void> {
  const panel = await open(editor, current);
  panel?.compareWith({ title: baseTitle, tree: base.tree, isCutShort: base.cutShort !== undefined }, openText);
}

async function draw(editor: Editor, source: TreeSource, format: PictureFormat): Promise<string | Uint8Array> {
  const panel = await open(editor, source);
  if (!panel)
    throw new HumanError(
      editor.l10n.t("Couldn't draw the tree because its tab didn't open. Open the tree, then try again."),
    );
  return panel.draw(format);
}
