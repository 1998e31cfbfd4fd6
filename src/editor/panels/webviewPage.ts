import { randomBytes } from 'node:crypto';
import { env, l10n, Uri } from 'vscode';
import type { WebviewPanel } from 'vscode';
import { panelHtml } from './panelHtml.ts';
import type { WebviewHost } from './webviewHost.ts';

export interface Page {
  /** Name of its script and style in `dist/webview`. */
  readonly page: string;
  readonly title: string;
  /** What it shows; the page keeps it for the window that comes after this one. */
  readonly subject: string;
}

/** What a page may do, and where its files lie. */
export const pageOptions = (extensionUri: Uri): { enableScripts: boolean; localResourceRoots: Uri[] } => ({
  enableScripts: true,
  localResourceRoots: [folderOf(extensionUri)],
});

const folderOf = (extensionUri: Uri): Uri => Uri.joinPath(extensionUri, 'dist', 'webview');

/** Shows a page in a panel. Whoever talks to it listens by then: it speaks at once. */
export function showPage(
  { webview }: Pick<WebviewPanel, 'webview'>,
  extensionUri: Uri,
  { page, title, subject }: Page,
): void {
  const part = (name: string): string => webview.asWebviewUri(Uri.joinPath(folderOf(extensionUri), name)).toString();
  webview.html = panelHtml({
    cspSource: webview.cspSource,
    script: part(`${page}.js`),
    style: part(`${page}.css`),
    nonce: randomBytes(16).toString('hex'),
    language: env.language,
    texts: l10n.bundle,
    title,
    subject,
  });
}

/** A panel as those see it who talk to its page. */
export function hostOf<To>(panel: WebviewPanel, onTitle: (title: string) => void = () => undefined): WebviewHost<To> {
  return {
    get visible() {
      return panel.visible;
    },
    get title() {
      return panel.title;
    },
    set title(title) {
      if (panel.title === title) return;
      panel.title = title;
      onTitle(title);
    },
    post: (message) => {
      void panel.webview.postMessage(message);
    },
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
