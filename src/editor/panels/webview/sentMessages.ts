import type * as z from 'zod';
import { fromHandSchema, toHandSchema } from '../../../contract/handPanel.ts';
import { fromLoadSchema, toLoadSchema } from '../../../contract/loadPanel.ts';
import { fromWebviewSchema, toWebviewSchema } from '../../../contract/panel.ts';
import { fromReportSchema, toReportSchema } from '../../../contract/reportPanel.ts';

/** The messages that each page of `dist/webview` receives. */
const sentSchemas = { main: toWebviewSchema, report: toReportSchema, load: toLoadSchema, hand: toHandSchema };
/** The messages that each page sends. */
export const receivedSchemas = {
  main: fromWebviewSchema,
  report: fromReportSchema,
  load: fromLoadSchema,
  hand: fromHandSchema,
};

/** The name of a page's script and style in `dist/webview`. */
export type PageName = keyof typeof sentSchemas;
export type SentTo<Name extends PageName> = z.output<(typeof sentSchemas)[Name]>;
export type SnapshotOf<Name extends PageName> = Extract<SentTo<Name>, { readonly type: 'snapshot' }>;
export type ReceivedFrom<Name extends PageName> = z.output<(typeof receivedSchemas)[Name]>;

/**
 * Refuses a message that doesn't match the contract. The pages rely on it and check no shapes themselves.
 *
 * A production build omits the check and its schemas. The panels build the same messages there, and a tree of 10,000
 * steps is sent five times a second.
 *
 * @throws Error that names the page and has the schema's error as its cause
 */
export function checkSent(page: PageName, message: unknown): void {
  if (process.env['NODE_ENV'] !== 'production') {
    const { error } = sentSchemas[page].safeParse(message);
    if (error)
      throw new Error(`A message to the page "${page}" doesn't fit its schema: ${error.message}`, { cause: error });
  }
}
