import { randomBytes } from 'node:crypto';
import { env, l10n, Uri, ViewColumn, window } from 'vscode';
import type { Memento, WebviewPanel } from 'vscode';
import type { MappingPlace } from '../commands/arguments.ts';
import { DisposableStore } from '../lifetime.ts';
import { OpenTrees } from './openTrees.ts';
import { panelHtml } from './panelHtml.ts';
import { TreePanel } from './treePanel.ts';
import type { PanelHost, TreePanelParts } from './treePanel.ts';

export const treePanelType = 'dialtree.tree';

/** The tree panels of this window, at most one a job. */
export class TreePanels {
  readonly #parts: TreePanelParts;
  readonly #webviewFolder: Uri;
  readonly #icon: { readonly light: Uri; readonly dark: Uri };
  readonly #held = new DisposableStore();
  readonly #open = new Map<string, { readonly panel: WebviewPanel; readonly tree: TreePanel }>();

  readonly #kept: OpenTrees;

  constructor(extensionUri: Uri, memento: Pick<Memento, 'get' | 'update'>, parts: TreePanelParts) {
    this.#parts = parts;
    this.#kept = new OpenTrees(memento);
    this.#webviewFolder = Uri.joinPath(extensionUri, 'dist', 'webview');
    this.#icon = { light: Uri.joinPath(extensionUri, 'media', 'dialtree-light.svg'), dark: Uri.joinPath(extensionUri, 'media', 'dialtree.svg') };
    this.#held.add(window.registerWebviewPanelSerializer(treePanelType, {
      deserializeWebviewPanel: (panel) => {
        this.#restore(panel);
        return Promise.resolve();
      },
    }));
  }

  /** Shows a job's tree, in the panel that it has or in a new one. */
  async open({ jobId, runNumber, stepId }: MappingPlace): Promise<void> {
    const existing = this.#open.get(jobId);
    if (existing) {
      existing.panel.reveal(undefined, stepId !== undefined);
      existing.tree.show(runNumber, stepId);
      return;
    }
    const { job } = await this.#parts.store.loadRuns(jobId);
    const panel = window.createWebviewPanel(treePanelType, job.name, { viewColumn: ViewColumn.Active, preserveFocus: stepId !== undefined }, {
      enableScripts: true, localResourceRoots: [this.#webviewFolder],
    });
    this.#adopt(panel, jobId).show(runNumber, stepId);
  }

  find(jobId: string): TreePanel | undefined {
    return this.#open.get(jobId)?.tree;
  }

  /** Tells every open panel something above its tree. */
  notice(message: string, severity: 'info' | 'error'): void {
    for (const { tree } of this.#open.values()) tree.notice(message, severity);
  }

  dispose(): void {
    this.#held.dispose();
    for (const { tree } of this.#open.values()) tree.dispose();
  }

  #restore(panel: WebviewPanel): void {
    const jobId = this.#kept.takeUp(panel.title);
    if (jobId === undefined || this.#open.has(jobId)) panel.dispose();
    else this.#adopt(panel, jobId);
  }

  #adopt(panel: WebviewPanel, jobId: string): TreePanel {
    const { webview } = panel;
    webview.options = { enableScripts: true, localResourceRoots: [this.#webviewFolder] };
    panel.iconPath = this.#icon;
    const titled = (title: string): void => { this.#kept.opened(jobId, title); };
    titled(panel.title);
    const tree = new TreePanel(hostOf(panel, titled), jobId, this.#parts);
    this.#open.set(jobId, { panel, tree });
    panel.onDidDispose(() => {
      this.#open.delete(jobId);
      this.#kept.closed(jobId);
      tree.dispose();
    });
    // Last, so that the page's first word is heard.
    webview.html = panelHtml({
      cspSource: webview.cspSource,
      script: webview.asWebviewUri(Uri.joinPath(this.#webviewFolder, 'main.js')).toString(),
      style: webview.asWebviewUri(Uri.joinPath(this.#webviewFolder, 'main.css')).toString(),
      nonce: randomBytes(16).toString('hex'),
      language: env.language,
      title: l10n.t('Menu tree'),
      subject: jobId,
    });
    return tree;
  }
}

function hostOf(panel: WebviewPanel, onTitle: (title: string) => void): PanelHost {
  return {
    get visible() { return panel.visible; },
    get title() { return panel.title; },
    set title(title) {
      if (panel.title === title) return;
      panel.title = title;
      onTitle(title);
    },
    post: (message) => { void panel.webview.postMessage(message); },
    onMessage: (listener) => panel.webview.onDidReceiveMessage(listener),
    onDidChangeVisibility: (listener) => {
      let { visible } = panel;
      return panel.onDidChangeViewState(() => {
        if (panel.visible === visible) return;
        visible = panel.visible;
        listener();
      });
    },
  };
}
