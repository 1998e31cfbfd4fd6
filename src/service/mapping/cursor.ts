import * as z from 'zod';
import { HumanError } from '../../contract/errors.ts';
import type { Signer } from '../signing.ts';

const positionSchema = z.tuple([z.iso.datetime(), z.uuid()]);
/** The last row of a page: its sort key and its id. */
export interface Position { readonly createdAt: Date; readonly id: string }

/** A cursor is opaque and signed, and serves only the list (`scope`) it was made for. */
export function writeCursor(signer: Signer, scope: string, { createdAt, id }: Position): string {
  const text = Buffer.from(JSON.stringify([createdAt.toISOString(), id])).toString('base64url');
  return `${text}.${signer.sign('cursor', `${scope}\0${text}`)}`;
}

export function readCursor(signer: Signer, scope: string, cursor: string): Position {
  const [text = '', signature = ''] = cursor.split('.');
  if (!signer.verify('cursor', `${scope}\0${text}`, signature)) {
    throw new HumanError('cursor: This cursor is not one of this list. Use nextCursor as it was given, with the same sort direction, or leave it out.', { status: 400, code: 'invalid_cursor' });
  }
  const [createdAt, id] = positionSchema.parse(JSON.parse(Buffer.from(text, 'base64url').toString('utf8')));
  return { createdAt: new Date(createdAt), id };
}
