import { sql } from 'kysely';
import type { RawBuilder, Transaction } from 'kysely';
import { HumanError } from '../../contract/errors.ts';
import type { Database } from '../store/schema.ts';

/** Rejects an edit or a launch of a saved test that means another version than the one there is (compare RFC 9110, section 13.1.4). */
export function demandVersion(what: string, updatedAt: Date, expected: string | undefined): void {
  if (expected === undefined || Date.parse(expected) === updatedAt.getTime()) return;
  throw new HumanError(`This ${what} was edited since it was read. Read it again, and decide by what it holds now.`, {
    status: 409,
    code: 'edited_since',
    details: { updatedAt: updatedAt.toISOString() },
  });
}

/** The same for an edit: nobody else edits the test until the transaction ends. */
export async function lockVersion(
  transaction: Transaction<Database>,
  table: 'test_configs' | 'mission_configs',
  what: string,
  {
    workspaceId,
    id,
    expected,
  }: { readonly workspaceId: string; readonly id: string; readonly expected: string | undefined },
): Promise<void> {
  const held = await transaction
    .selectFrom(table)
    .select('updated_at')
    .where('id', '=', id)
    .where('workspace_id', '=', workspaceId)
    .forUpdate()
    .executeTakeFirst();
  if (held) demandVersion(what, held.updated_at, expected);
}

/** Each edit has a moment of its own, also where two fall into one millisecond. */
export const editedAt = (now: Date): RawBuilder<Date> =>
  sql<Date>`greatest(${now}::timestamptz, updated_at + interval '1 millisecond')`;
