import type { Transaction } from 'kysely';
import type { Database } from '../store/schema.ts';

/**
 * Returns true if a saved test of the other kind has the id in this workspace, because a run names its test only by id.
 * The caller holds the lock of the workspace.
 */
export async function isTakenIn(
  transaction: Transaction<Database>,
  table: 'test_configs' | 'mission_configs',
  workspaceId: string,
  id: string | undefined,
): Promise<boolean> {
  if (id === undefined) return false;
  const existing = await transaction
    .selectFrom(table)
    .select('id')
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .executeTakeFirst();
  return existing !== undefined;
}
