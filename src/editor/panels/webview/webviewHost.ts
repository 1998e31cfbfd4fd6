import type { WebviewPanel } from 'vscode';
import type { Disposable } from '../../basics/lifetime.ts';
import { checkSent, type PageName, type SentTo } from './sentMessages.ts';

/** The part of a `vscode.WebviewPanel` that is needed, so that tests can implement it. */
export interface WebviewHost<Name extends PageName> {
  readonly page: Name;
  readonly visible: boolean;
  title: string;
  post(message: SentTo<Name>): void;
  onMessage(listener: (message: unknown) => void): Disposable;
  onDidChangeVisibility(listener: () => void): Disposable;
}

/** Wraps a panel for code that talks to its page. `post` throws if a message doesn't match, see `checkSent`. */
export function hostOf<Name extends PageName>(panel: WebviewPanel, page: Name): WebviewHost<Name> {
  return {
    page,
    get visible() {
      return panel.visible;
    },
    get title() {
      return panel.title;
    },
    set title(title) {
      if (panel.title !== title) panel.title = title;
    },
    post: (message) => {
      checkSent(page, message);
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
