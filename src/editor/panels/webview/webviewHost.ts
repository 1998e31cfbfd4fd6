import type { WebviewPanel } from 'vscode';
import type * as z from 'zod';
import type { Disposable } from '../../basics/lifetime.ts';
import type { Logger } from '../../basics/log/logger.ts';
import { checkSent, type PageName, type SentTo } from './sentMessages.ts';

/**
 * The part of a `vscode.WebviewPanel` that is needed, so that tests can implement it. `To`: the messages that its page
 * accepts.
 */
export interface WebviewHost<To> {
  readonly visible: boolean;
  title: string;
  post(message: To): void;
  onMessage(listener: (message: unknown) => void): Disposable;
  onDidChangeVisibility(listener: () => void): Disposable;
}

/** A handler for every message that a page can send. Leaving one out is a compile error. */
export type PageHandlers<From extends { readonly type: string }> = {
  readonly [Type in From['type']]: (message: Extract<From, { type: Type }>) => unknown;
};

/** Passes a page's messages to its handlers. `fail` receives what they throw. A message of another shape is dropped. */
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

/** Wraps a panel for code that talks to its page. `post` throws if a message doesn't match, see `checkSent`. */
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
