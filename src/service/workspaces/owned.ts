import type { Transaction } from 'kysely';
import { HumanError } from '../../contract/errors.ts';
import type { Database } from '../store/schema.ts';
import type { Store } from '../store/store.ts';

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

export const idTaken = (): HumanError =>
  new HumanError('Another test already has this id. Edit that test, or leave out the id.', {
    status: 409,
    code: 'id_taken',
  });
