import { Uri, ViewColumn, window, type WebviewPanel } from 'vscode';
import { DisposableStore, type Disposable } from '../../basics/lifetime.ts';
import type { PageName, SentTo } from './sentMessages.ts';
import { hostOf, type WebviewHost } from './webviewHost.ts';
import { pageOptions, showPage } from './webviewPage.ts';

/** A kind of panel: its name, its page, and the code that talks to the page. */
interface PanelKind<Name extends PageName, Shown extends Disposable> {
  /** The view type in the manifest's activation event. */
  readonly type: string;
  readonly page: Name;
  /** The title of the page. The object from `create` sets the panel's own title. */
  readonly title: string;
  readonly create: (host: WebviewHost<SentTo<Name>>, subject: string) => Shown;
  /** Returns what a panel of an earlier window showed. If it returns undefined, the panel is closed. */
  readonly restore: (panel: WebviewPanel, state: unknown) => string | undefined;
  readonly onTitle?: (subject: string, title: string) => void;
  readonly onClose?: (subject: string) => void;
}

/** The panels of one kind in this window, up to one per subject. */
export class WebviewPanels<Name extends PageName, Shown extends Disposable> {
  readonly #kind: PanelKind<Name, Shown>;
  readonly #extensionUri: Uri;
  readonly #icon: { readonly light: Uri; readonly dark: Uri };
  readonly #disposables = new DisposableStore();
  readonly #open = new Map<string, { readonly panel: WebviewPanel; readonly shown: Shown }>();

  constructor(extensionUri: Uri, kind: PanelKind<Name, Shown>) {
    this.#kind = kind;
    this.#extensionUri = extensionUri;
    this.#icon = {
      light: Uri.joinPath(extensionUri, 'media', 'dialtree-light.svg'),
      dark: Uri.joinPath(extensionUri, 'media', 'dialtree.svg'),
    };
    this.#disposables.add(
      window.registerWebviewPanelSerializer(kind.type, {
        deserializeWebviewPanel: (panel, state) => {
          const subject = kind.restore(panel, state);
          if (subject === undefined || this.#open.has(subject)) panel.dispose();
          else this.#adopt(panel, subject);
          return Promise.resolve();
        },
      }),
    );
  }

  get shown(): Shown[] {
    return [...this.#open.values()].map(({ shown }) => shown);
  }

  find(subject: string): Shown | undefined {
    return this.#open.get(subject)?.shown;
  }

  /** Brings the subject's panel to the front. Returns undefined if it has none. */
  reveal(subject: string, preserveFocus = false): Shown | undefined {
    const existing = this.#open.get(subject);
    existing?.panel.reveal(undefined, preserveFocus);
    return existing?.shown;
  }

  /** Shows the subject in its panel, or in a new one. */
  open(subject: string, { title = this.#kind.title, preserveFocus = false } = {}): Shown {
    return (
      this.reveal(subject, preserveFocus) ??
      this.#adopt(
        window.createWebviewPanel(
          this.#kind.type,
          title,
          { viewColumn: ViewColumn.Active, preserveFocus },
          pageOptions(this.#extensionUri),
        ),
        subject,
      )
    );
  }

  dispose(): void {
    this.#disposables.dispose();
    for (const shown of this.shown) shown.dispose();
  }

  #adopt(panel: WebviewPanel, subject: string): Shown {
    const { page, title, create, onTitle, onClose } = this.#kind;
    panel.webview.options = pageOptions(this.#extensionUri);
    panel.iconPath = this.#icon;
    onTitle?.(subject, panel.title);
    const shown = create(
      hostOf(panel, page, (changed) => {
        onTitle?.(subject, changed);
      }),
      subject,
    );
    this.#open.set(subject, { panel, shown });
    panel.onDidDispose(() => {
      this.#open.delete(subject);
      onClose?.(subject);
      shown.dispose();
    });
    showPage(panel, this.#extensionUri, { page, title, subject });
    return shown;
  }
}
