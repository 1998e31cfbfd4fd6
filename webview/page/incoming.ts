/** A function for each message except notices, which `startPage` shows. Leaving one out is a compile error. */
export type MessageHandlers<To extends { readonly type: string }> = {
  readonly [Type in Exclude<To['type'], 'notice'>]: (message: Extract<To, { type: Type }>) => void;
};

/**
 * Passes a message of the editor to its handler, and returns whether there was one.
 *
 * The page trusts the shape of the message. Tests and development builds check it against the contract's schema where
 * it is sent (`src/editor/panels/webview/sentMessages.ts`). The schemas would make up three quarters of a page's
 * script.
 */
export function receive<To extends { readonly type: string }>(data: unknown, handlers: MessageHandlers<To>): boolean {
  if (typeof data !== 'object' || data === null || !('type' in data)) return false;
  const { type } = data;
  if (typeof type !== 'string' || !Object.hasOwn(handlers, type)) return false;
  const handle = handlers[type as keyof typeof handlers] as (message: unknown) => void;
  handle(data);
  return true;
}
