import { commands, Range, window, workspace } from 'vscode';
import type { CustomTextEditorProvider, TextDocument, Uri, WebviewPanel } from 'vscode';
import type { PanelSnapshot } from '../../../contract/panel.ts';
import { DisposableStore } from '../../basics/lifetime.ts';
import { hostOf } from '../webview/webviewHost.ts';
import { pageOptions, showPage } from '../webview/webviewPage.ts';
import { CalltreePanel, type CalltreePanelParts } from './calltreePanel.ts';

export const calltreeEditorType = 'dialtree.calltree';

/** The editor of `*.calltree.json`. It draws the tree of the text, which is edited as text. */
export class CalltreeEditors implements CustomTextEditorProvider {
  readonly #extensionUri: Uri;
  readonly #parts: CalltreePanelParts;
  readonly #disposables = new DisposableStore();
  readonly #open = new Map<WebviewPanel, { readonly uri: string; readonly shown: CalltreePanel }>();

  constructor(extensionUri: Uri, parts: CalltreePanelParts) {
    this.#extensionUri = extensionUri;
    this.#parts = parts;
    this.#disposables.add(
      window.registerCustomEditorProvider(calltreeEditorType, this, { supportsMultipleEditorsPerDocument: true }),
    );
  }

  resolveCustomTextEditor(document: TextDocument, panel: WebviewPanel): void {
    panel.webview.options = pageOptions(this.#extensionUri);
    const shown = new CalltreePanel(
      hostOf(panel, 'main'),
      {
        file: workspace.asRelativePath(document.uri),
        read: () => document.getText(),
        onDidChange: (listener) =>
          workspace.onDidChangeTextDocument((change) => {
            if (change.document === document) listener();
          }),
        generateTests: () => commands.executeCommand('dialtree.coverage.generate', document.uri),
        openText: ({ line, column }) =>
          commands.executeCommand('vscode.openWith', document.uri, 'default', {
            selection: new Range(line - 1, column - 1, line - 1, column - 1),
          }),
      },
      this.#parts,
    );
    this.#open.set(panel, { uri: document.uri.toString(), shown });
    panel.onDidDispose(() => {
      this.#open.delete(panel);
      shown.dispose();
    });
    showPage(panel, this.#extensionUri, {
      page: 'main',
      title: workspace.asRelativePath(document.uri),
      subject: document.uri.toString(),
    });
  }

  /** If a file has several editors, returns the one in front, because a hidden page does nothing. */
  find(uri: Uri): CalltreePanel | undefined {
    const all = [...this.#open].filter(([, one]) => one.uri === uri.toString());
    const [, found] = all.find(([panel]) => panel.active) ?? all.find(([panel]) => panel.visible) ?? all[0] ?? [];
    return found?.shown;
  }

  async open(uri: Uri): Promise<CalltreePanel | undefined> {
    await commands.executeCommand('vscode.openWith', uri, calltreeEditorType);
    return this.find(uri);
  }

  async compare(uri: Uri, base: NonNullable<PanelSnapshot['base']>): Promise<void> {
    (await this.open(uri))?.compareWith(base);
  }

  dispose(): void {
    this.#disposables.dispose();
    for (const { shown } of this.#open.values()) shown.dispose();
  }
}
