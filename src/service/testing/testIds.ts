import { sql } from 'kysely';
import type { Transaction } from 'kysely';
import type { Database } from '../store/schema.ts';

/**
 * Whether a saved test of this other kind has the id: a run names its test by the id alone. Nobody takes it until the
 * transaction ends.
 */
export async function isTakenIn(
  transaction: Transaction<Database>,
  table: 'test_configs' | 'mission_configs',
  id: string | undefined,
): Promise<boolean> {
  if (id === undefined) return false;
  await sql`SELECT pg_advisory_xact_lock(hashtextextended(${id}::text, 0))`.execute(transaction);
  return (await transaction.selectFrom(table).select('id').where('id', '=', id).executeTakeFirst()) !== undefined;
}
