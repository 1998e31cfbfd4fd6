import { Uri, ViewColumn, window, type WebviewPanel } from 'vscode';
import * as z from 'zod';
import { DisposableStore, type Disposable } from '../../basics/lifetime.ts';
import type { PageName } from './sentMessages.ts';
import { hostOf, type WebviewHost } from './webviewHost.ts';
import { pageOptions, showPage } from './webviewPage.ts';

interface PanelKind<Name extends PageName, Shown extends Disposable> {
  /** The view type in the manifest's activation event. */
  readonly type: string;
  readonly page: Name;
  /** The title of the page. The object from `create` sets the panel's own title. */
  readonly title: string;
  readonly create: (host: WebviewHost<Name>, subject: string) => Shown;
  /** Takes over what the page of an earlier window kept. */
  readonly restore?: (subject: string, kept: unknown) => void;
  /** The user closed the panel. A window that ends doesn't call it. */
  readonly closed?: (shown: Shown) => void;
}

const keptSchema = z.union([
  z.object({ subject: z.uuid(), kept: z.unknown() }),
  // The previous version kept the id of the run or load test beside the rest.
  z.object({ runId: z.uuid() }).transform(({ runId }) => ({ subject: runId, kept: undefined })),
  z.looseObject({ loadTestId: z.uuid() }).transform(({ loadTestId, ...kept }) => ({ subject: loadTestId, kept })),
]);

/**
 * Reads the state that a page kept for a restored window, see `webview/page/editorHost.ts`. Returns undefined for
 * anything else.
 */
export const readKept = (state: unknown): { readonly subject: string; readonly kept?: unknown } | undefined =>
  keptSchema.safeParse(state).data;

/** The panels of one kind in this window: up to one per subject, and the custom editors with the same page. */
export class WebviewPanels<Name extends PageName, Shown extends Disposable> {
  readonly #kind: PanelKind<Name, Shown>;
  readonly #extensionUri: Uri;
  readonly #icon: { readonly light: Uri; readonly dark: Uri };
  readonly #disposables = new DisposableStore();
  readonly #open = new Map<WebviewPanel, { readonly subject: string; readonly shown: Shown }>();

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
          const { subject, kept } = readKept(state) ?? {};
          if (subject === undefined || this.find(subject)) panel.dispose();
          else {
            kind.restore?.(subject, kept);
            this.#take(panel, subject);
          }
          return Promise.resolve();
        },
      }),
    );
  }

  get shown(): Shown[] {
    return [...this.#open.values()].map(({ shown }) => shown);
  }

  get active(): { readonly subject: string; readonly shown: Shown } | undefined {
    return [...this.#open].find(([panel]) => panel.active)?.[1];
  }

  /** If a subject has several editors, returns the one in front, because a hidden page does nothing. */
  find(subject: string): Shown | undefined {
    return this.#find(subject)?.[1].shown;
  }

  /** Brings the subject's panel to the front. Returns undefined if it has none. */
  reveal(subject: string, preserveFocus = false): Shown | undefined {
    const [panel, existing] = this.#find(subject) ?? [];
    panel?.reveal(undefined, preserveFocus);
    return existing?.shown;
  }

  /** `instead`: another subject, whose panel is replaced. */
  open(subject: string, { title = this.#kind.title, preserveFocus = false, instead = '' } = {}): Shown {
    const [replaced] = this.#find(instead) ?? [];
    const shown =
      this.reveal(subject, preserveFocus) ??
      this.#take(
        window.createWebviewPanel(
          this.#kind.type,
          title,
          { viewColumn: replaced?.viewColumn ?? ViewColumn.Active, preserveFocus },
          pageOptions(this.#extensionUri),
        ),
        subject,
      );
    replaced?.dispose();
    return shown;
  }

  adopt(panel: WebviewPanel, subject: string, kind: Omit<PanelKind<Name, Shown>, 'type' | 'page' | 'restore'>): Shown {
    const { page } = this.#kind;
    const { title, create, closed } = kind;
    panel.webview.options = pageOptions(this.#extensionUri);
    const shown = create(hostOf(panel, page), subject);
    this.#open.set(panel, { subject, shown });
    panel.onDidDispose(() => {
      this.#open.delete(panel);
      closed?.(shown);
      shown.dispose();
    });
    showPage(panel, this.#extensionUri, { page, title, subject });
    return shown;
  }

  dispose(): void {
    this.#disposables.dispose();
    for (const shown of this.shown) shown.dispose();
  }

  #find(subject: string): [WebviewPanel, { readonly shown: Shown }] | undefined {
    const all = [...this.#open].filter(([, one]) => one.subject === subject);
    return all.find(([panel]) => panel.active) ?? all.find(([panel]) => panel.visible) ?? all[0];
  }

  #take(panel: WebviewPanel, subject: string): Shown {
    panel.iconPath = this.#icon;
    return this.adopt(panel, subject, this.#kind);
  }
}
