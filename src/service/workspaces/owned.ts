import type { Transaction } from 'kysely';
import { HumanError } from '../../contract/errors.ts';
import type { Quota } from '../../contract/limits.ts';
import type { Database } from '../store/schema.ts';
import type { Store } from '../store/store.ts';
import { lockWorkspace } from './keys.ts';
import { assertQuota } from './quotas.ts';

/** Returns a row of this workspace. Rows of other workspaces count as nonexistent. */
export function demand<Row>(row: Row | undefined, what: string): Row {
  if (row === undefined)
    throw new HumanError(`This ${what} doesn't exist. List the ${what}s to find the right one.`, {
      status: 404,
      code: 'not_found',
    });
  return row;
}

/** Changes or deletes a row of this workspace. Resolves when that is on the disk. */
export async function changeOwn<Row>(
  store: Store,
  what: string,
  change: (transaction: Transaction<Database>) => Promise<Row | undefined>,
): Promise<Row> {
  const row = demand(await store.write(change), what);
  await store.sync();
  return row;
}

/**
 * Stores a resource, which can bring its own id, unless the workspace already has that id. Other workspaces don't
 * matter. `added`: how much of the workspace's quotas it uses.
 */
export async function insertOwn<Row>(
  store: Store,
  workspaceId: string,
  insert: (transaction: Transaction<Database>) => Promise<Row | undefined>,
  added: (row: Row) => Partial<Record<Quota, number>>,
): Promise<Row> {
  const row = await store.write(async (transaction) => {
    const workspace = await lockWorkspace(transaction, workspaceId);
    const inserted = await insert(transaction);
    if (inserted) await assertQuota(transaction, workspace, added(inserted));
    return inserted;
  });
  if (!row)
    throw new HumanError(`Another test already has this id. Edit that test, or leave out the id.`, {
      status: 409,
      code: 'id_taken',
    });
  await store.sync();
  return row;
}
