import type * as z from 'zod';
import type { Disposable } from '../lifetime.ts';
import type { Logger } from '../logger.ts';

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
