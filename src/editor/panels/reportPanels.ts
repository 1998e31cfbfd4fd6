import { randomBytes } from 'node:crypto';
import { env, l10n, Uri, ViewColumn, window } from 'vscode';
import type { WebviewPanel } from 'vscode';
import * as z from 'zod';
import { DisposableStore } from '../lifetime.ts';
import { panelHtml } from './panelHtml.ts';
import { ReportPanel } from './reportPanel.ts';
import type { ReportHost, ReportPanelParts } from './reportPanel.ts';

export const reportPanelType = 'dialtree.report';

/** What the page keeps for the window that comes after this one. */
const storedSchema = z.object({ runId: z.uuid() });

/** The reports of this window, at most one a run. */
export class ReportPanels {
  readonly #parts: ReportPanelParts;
  readonly #webviewFolder: Uri;
  readonly #icon: { readonly light: Uri; readonly dark: Uri };
  readonly #held = new DisposableStore();
  readonly #open = new Map<string, { readonly panel: WebviewPanel; readonly report: ReportPanel }>();

  constructor(extensionUri: Uri, parts: ReportPanelParts) {
    this.#parts = parts;
    this.#webviewFolder = Uri.joinPath(extensionUri, 'dist', 'webview');
    this.#icon = { light: Uri.joinPath(extensionUri, 'media', 'dialtree-light.svg'), dark: Uri.joinPath(extensionUri, 'media', 'dialtree.svg') };
    this.#held.add(window.registerWebviewPanelSerializer(reportPanelType, {
      deserializeWebviewPanel: (panel, state) => {
        const stored = storedSchema.safeParse(state).data;
        if (!stored || this.#open.has(stored.runId)) panel.dispose();
        else this.#adopt(panel, stored.runId);
        return Promise.resolve();
      },
    }));
  }

  /** Shows a run's report, in the panel that it has or in a new one. */
  open(runId: string): void {
    const existing = this.#open.get(runId);
    if (existing) {
      existing.panel.reveal();
      return;
    }
    this.#adopt(window.createWebviewPanel(reportPanelType, l10n.t('Run Report'), ViewColumn.Active, { enableScripts: true, localResourceRoots: [this.#webviewFolder] }), runId);
  }

  find(runId: string): ReportPanel | undefined {
    return this.#open.get(runId)?.report;
  }

  dispose(): void {
    this.#held.dispose();
    for (const { report } of this.#open.values()) report.dispose();
  }

  #adopt(panel: WebviewPanel, runId: string): void {
    const { webview } = panel;
    webview.options = { enableScripts: true, localResourceRoots: [this.#webviewFolder] };
    panel.iconPath = this.#icon;
    const report = new ReportPanel(hostOf(panel), runId, this.#parts);
    this.#open.set(runId, { panel, report });
    panel.onDidDispose(() => {
      this.#open.delete(runId);
      report.dispose();
    });
    // Last, so that the page's first word is heard.
    webview.html = panelHtml({
      cspSource: webview.cspSource,
      script: webview.asWebviewUri(Uri.joinPath(this.#webviewFolder, 'report.js')).toString(),
      style: webview.asWebviewUri(Uri.joinPath(this.#webviewFolder, 'report.css')).toString(),
      nonce: randomBytes(16).toString('hex'),
      language: env.language,
      title: l10n.t('Run Report'),
      subject: runId,
    });
  }
}

function hostOf(panel: WebviewPanel): ReportHost {
  return {
    get visible() { return panel.visible; },
    get title() { return panel.title; },
    set title(title) { if (panel.title !== title) panel.title = title; },
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
