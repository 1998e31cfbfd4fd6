import type { Transaction } from 'kysely';
import { HumanError } from '../../contract/errors.ts';
import type { Database } from '../store/schema.ts';
import type { Store } from '../store/store.ts';

/** The profile that a resource names, or the workspace's default. */
export async function profileOf(store: Store, workspaceId: string, profileId: string | undefined): Promise<string> {
  const workspace = await store.db
    .selectFrom('workspaces')
    .select('default_profile_id')
    .where('id', '=', workspaceId)
    .executeTakeFirstOrThrow();
  if (profileId !== undefined && profileId !== workspace.default_profile_id) {
    throw new HumanError(
      'There is no profile with this id. Leave profileId out to use the default profile of the workspace.',
      { status: 404, code: 'profile_not_found' },
    );
  }
  return workspace.default_profile_id;
}

/** A row of this workspace. What another workspace has does not exist for it. */
export function demand<Row>(row: Row | undefined, what: string): Row {
  if (row === undefined)
    throw new HumanError(`There is no ${what} with this id. List the ${what}s to find the right one.`, {
      status: 404,
      code: 'not_found',
    });
  return row;
}

/** Changes or deletes a row of this workspace, and settles when that is on the disk. */
export async function changeOwn<Row>(
  store: Store,
  what: string,
  change: (transaction: Transaction<Database>) => Promise<Row | undefined>,
): Promise<Row> {
  const row = demand(await store.write(change), what);
  await store.sync();
  return row;
}

/** Stores a resource that may bring its own id; one that is held already, here or elsewhere, is refused alike. */
export async function insertOwn<Row>(
  store: Store,
  insert: (transaction: Transaction<Database>) => Promise<Row | undefined>,
): Promise<Row> {
  const row = await store.write(insert);
  if (!row)
    throw new HumanError(`This id is taken. Edit the test that has it, or leave the id out.`, {
      status: 409,
      code: 'id_taken',
    });
  await store.sync();
  return row;
}
