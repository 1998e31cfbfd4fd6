import { randomBytes } from 'node:crypto';
import { env, Uri, ViewColumn, window } from 'vscode';
import type { WebviewPanel } from 'vscode';
import type { Disposable } from '../lifetime.ts';
import { DisposableStore } from '../lifetime.ts';
import { panelHtml } from './panelHtml.ts';
import type { WebviewHost } from './webviewHost.ts';

/** One kind of panel: what it is called, which page it shows, and who speaks to that page. */
export interface PanelKind<To, Shown extends Disposable> {
  /** View type of the manifest's activation event. */
  readonly type: string;
  /** Name of its script and style in `dist/webview`. */
  readonly page: string;
  /** Title of the page; the panel's own is set by whom `create` makes. */
  readonly title: string;
  readonly create: (host: WebviewHost<To>, subject: string) => Shown;
  /** What a panel of an earlier window showed; undefined where that is not known: it is closed. */
  readonly restore: (panel: WebviewPanel, state: unknown) => string | undefined;
  readonly onTitle?: (subject: string, title: string) => void;
  readonly onClose?: (subject: string) => void;
}

/** The panels of one kind in this window, at most one a subject. */
export class WebviewPanels<To, Shown extends Disposable> {
  readonly #kind: PanelKind<To, Shown>;
  readonly #webviewFolder: Uri;
  readonly #icon: { readonly light: Uri; readonly dark: Uri };
  readonly #held = new DisposableStore();
  readonly #open = new Map<string, { readonly panel: WebviewPanel; readonly shown: Shown }>();

  constructor(extensionUri: Uri, kind: PanelKind<To, Shown>) {
    this.#kind = kind;
    this.#webviewFolder = Uri.joinPath(extensionUri, 'dist', 'webview');
    this.#icon = { light: Uri.joinPath(extensionUri, 'media', 'dialtree-light.svg'), dark: Uri.joinPath(extensionUri, 'media', 'dialtree.svg') };
    this.#held.add(window.registerWebviewPanelSerializer(kind.type, {
      deserializeWebviewPanel: (panel, state) => {
        const subject = kind.restore(panel, state);
        if (subject === undefined || this.#open.has(subject)) panel.dispose();
        else this.#adopt(panel, subject);
        return Promise.resolve();
      },
    }));
  }

  get shown(): Shown[] { return [...this.#open.values()].map(({ shown }) => shown); }

  find(subject: string): Shown | undefined {
    return this.#open.get(subject)?.shown;
  }

  /** Brings the subject's panel to the front. Undefined where it has none. */
  reveal(subject: string, preserveFocus = false): Shown | undefined {
    const existing = this.#open.get(subject);
    existing?.panel.reveal(undefined, preserveFocus);
    return existing?.shown;
  }

  /** Shows the subject in the panel that it has, or in a new one. */
  open(subject: string, { title = this.#kind.title, preserveFocus = false } = {}): Shown {
    return this.reveal(subject, preserveFocus) ?? this.#adopt(window.createWebviewPanel(this.#kind.type, title, { viewColumn: ViewColumn.Active, preserveFocus }, this.#options()), subject);
  }

  dispose(): void {
    this.#held.dispose();
    for (const shown of this.shown) shown.dispose();
  }

  #options(): { enableScripts: boolean; localResourceRoots: Uri[] } {
    return { enableScripts: true, localResourceRoots: [this.#webviewFolder] };
  }

  #adopt(panel: WebviewPanel, subject: string): Shown {
    const { webview } = panel;
    const { page, title, create, onTitle, onClose } = this.#kind;
    webview.options = this.#options();
    panel.iconPath = this.#icon;
    onTitle?.(subject, panel.title);
    const shown = create(hostOf<To>(panel, (changed) => { onTitle?.(subject, changed); }), subject);
    this.#open.set(subject, { panel, shown });
    panel.onDidDispose(() => {
      this.#open.delete(subject);
      onClose?.(subject);
      shown.dispose();
    });
    const part = (name: string): string => webview.asWebviewUri(Uri.joinPath(this.#webviewFolder, name)).toString();
    // Last, so that the page's first word is heard.
    webview.html = panelHtml({
      cspSource: webview.cspSource, script: part(`${page}.js`), style: part(`${page}.css`),
      nonce: randomBytes(16).toString('hex'), language: env.language, title, subject,
    });
    return shown;
  }
}

function hostOf<To>(panel: WebviewPanel, onTitle: (title: string) => void): WebviewHost<To> {
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
