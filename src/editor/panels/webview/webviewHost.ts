import type { WebviewPanel } from 'vscode';
import type * as z from 'zod';
import type { Disposable } from '../../basics/lifetime.ts';
import type { Logger } from '../../basics/log/logger.ts';
import { checkSent } from './sentMessages.ts';
import type { PageName, SentTo } from './sentMessages.ts';

/** What is needed of a `vscode.WebviewPanel`, so that tests can be one. `To`: the messages that its page takes. */
export interface WebviewHost<To> {
  readonly visible: boolean;
  title: string;
  post(message: To): void;
  onMessage(listener: (message: unknown) => void): Disposable;
  onDidChangeVisibility(listener: () => void): Disposable;
}

/** A handler for every message that a page may send; leaving one out is a compile error. */
export type PageHandlers<From extends { readonly type: string }> = {
  readonly [Type in From['type']]: (message: Extract<From, { type: Type }>) => unknown;
};

/** Hands what a page says to its handlers. `fail` gets what they throw; a message of another shape is dropped. */
export function listenToPage<From extends { readonly type: string }>(
  host: WebviewHost<never>,
  schema: z.ZodType<From>,
  handlers: PageHandlers<From>,
  { log, fail }: { readonly log: Logger; readonly fail: (error: unknown) => void },
): Disposable {
  return host.onMessage((data) => {
    const parsed = schema.safeParse(data);
    if (!parsed.success) {
      log.warn('A webview sent a message that is none.');
      return;
    }
    const handle = handlers[parsed.data.type as From['type']] as (message: From) => unknown;
    void (async () => {
      await handle(parsed.data);
    })().catch(fail);
  });
}

/**
 * A panel as seen by the code that talks to its page. Its `post` throws at a message that doesn't fit, see `checkSent`.
 */
export function hostOf<Name extends PageName>(
  panel: WebviewPanel,
  page: Name,
  onTitle: (title: string) => void = () => undefined,
): WebviewHost<SentTo<Name>> {
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
