import * as z from 'zod';
import { HumanError } from '../../contract/errors.ts';
import type { Signer } from '../basics/signing.ts';

/** The last row of a page: its sort key as text, or null without one, and its id. */
const positionSchema = z.tuple([z.string().nullable(), z.uuid()]);
interface Position {
  readonly key: string | null;
  readonly id: string;
}

/** A cursor is opaque and signed, and valid only for its list (`scope`). */
export function writeCursor(signer: Signer, scope: string, { key, id }: Position): string {
  const text = Buffer.from(JSON.stringify([key, id])).toString('base64url');
  return `${text}.${signer.sign('cursor', `${scope}\0${text}`)}`;
}

export function readCursor(signer: Signer, scope: string, cursor: string): Position {
  const [text = '', signature = ''] = cursor.split('.');
  if (!signer.verify('cursor', `${scope}\0${text}`, signature)) {
    throw new HumanError(
      "cursor: This cursor isn't from this list. Send nextCursor unchanged and with the same sort order, or leave out cursor to get the first page.",
      { status: 400, code: 'invalid_cursor' },
    );
  }
  const [key, id] = positionSchema.parse(JSON.parse(Buffer.from(text, 'base64url').toString('utf8')));
  return { key, id };
}
