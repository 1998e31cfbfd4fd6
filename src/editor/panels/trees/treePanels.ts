import { commands, l10n, Range, Uri, window, workspace } from 'vscode';
import type { CustomTextEditorProvider, TextDocument, WebviewPanel } from 'vscode';
import { DisposableStore } from '../../basics/lifetime.ts';
import type { TreePlace } from '../../trees/treeSource.ts';
import { WebviewPanels } from '../webview/webviewPanels.ts';
import { FileTree, type FileTreeParts, type TreeText } from './fileTree.ts';
import { MappingTree, type MappingTreeParts } from './mappingTree.ts';

export const calltreeEditorType = 'dialtree.calltree';

/**
 * The trees of this window: up to one panel per mapping, and the editors of `*.calltree.json`, which draw the tree of a
 * text that is edited as text.
 */
export class TreePanels implements CustomTextEditorProvider {
  readonly #parts: MappingTreeParts & FileTreeParts;
  readonly #disposables = new DisposableStore();
  readonly #panels: WebviewPanels<'main', MappingTree | FileTree>;

  constructor(extensionUri: Uri, parts: MappingTreeParts & FileTreeParts) {
    this.#parts = parts;
    this.#panels = this.#disposables.add(
      new WebviewPanels<'main', MappingTree | FileTree>(extensionUri, {
        type: 'dialtree.tree',
        page: 'main',
        title: l10n.t('Menu tree'),
        create: (host, jobId) => new MappingTree(host, jobId, parts),
      }),
    );
    this.#disposables.add(
      window.registerCustomEditorProvider(calltreeEditorType, this, { supportsMultipleEditorsPerDocument: true }),
    );
  }

  resolveCustomTextEditor(document: TextDocument, panel: WebviewPanel): void {
    const { uri } = document;
    const file = workspace.asRelativePath(uri);
    const text: TreeText = {
      file,
      read: () => document.getText(),
      onDidChange: (listener) =>
        workspace.onDidChangeTextDocument((change) => {
          if (change.document === document) listener();
        }),
      generateTests: () => commands.executeCommand('dialtree.coverage.generate', uri),
      openText: ({ line, column }) =>
        commands.executeCommand('vscode.openWith', uri, 'default', {
          selection: new Range(line - 1, column - 1, line - 1, column - 1),
        }),
    };
    this.#panels.adopt(panel, uri.toString(), {
      title: file,
      create: (host) => new FileTree(host, text, this.#parts),
    });
  }

  /** Shows a run, or a file in its editor. Returns undefined if VS Code opens no editor. */
  async open(place: TreePlace): Promise<MappingTree | FileTree | undefined> {
    if ('uri' in place) {
      const uri = Uri.parse(place.uri);
      await commands.executeCommand('vscode.openWith', uri, calltreeEditorType);
      return this.find(uri.toString());
    }
    const { jobId, runNumber, stepId } = place;
    const preserveFocus = stepId !== undefined;
    const tree =
      this.#panels.reveal(jobId, preserveFocus) ??
      this.#panels.open(jobId, { title: (await this.#parts.store.loadRuns(jobId)).job.name, preserveFocus });
    if (runNumber !== undefined && tree.jobId !== undefined) tree.choose(runNumber);
    tree.reveal(stepId);
    return tree;
  }

  /** Returns the panel of a mapping's id or a file's URI. */
  find(subject: string): MappingTree | FileTree | undefined {
    return this.#panels.find(subject);
  }

  get active(): { readonly panel: MappingTree | FileTree; readonly place: TreePlace } | undefined {
    const { subject, shown: panel } = this.#panels.active ?? {};
    if (subject === undefined || !panel) return undefined;
    const runNumber = panel.lastSnapshot?.version;
    const run = { jobId: subject, ...(runNumber !== undefined && { runNumber }) };
    return { panel, place: panel.jobId === undefined ? { uri: subject } : run };
  }

  /** Shows a message of the service, which files don't need. */
  notice(message: string, severity: 'info' | 'error'): void {
    for (const tree of this.#panels.shown)
      if (tree.jobId !== undefined) tree.post({ type: 'notice', message, severity });
  }

  dispose(): void {
    this.#disposables.dispose();
  }
}
