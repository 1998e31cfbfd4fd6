import { randomUUID } from 'node:crypto';
import type { Transaction } from 'kysely';
import { HumanError } from '../../contract/errors.ts';
import type { Database } from '../store/schema.ts';
import { localRights, localWorkspaceId } from '../workspaces/localKey.ts';
import type { CarriedRow, Row } from './rows.ts';
import { insertRows } from './tables.ts';

/** Where the rows of a file go. */
interface NewPlace {
  readonly workspaceId: string;
  /** Into the local workspace, whose content stays as it is. */
  readonly merged: boolean;
  /** A row of `workspaces` was stored. */
  readonly made: boolean;
  /** Returns the row as it is stored here. */
  readonly place: (entry: CarriedRow) => CarriedRow;
}

/**
 * Creates the workspace, or finds the one for the file's rows. `shared`: the store is a database server, where no
 * workspace belongs to the installation.
 */
export async function findNewPlace(
  transaction: Transaction<Database>,
  row: Row<'workspaces'>,
  shared: boolean,
): Promise<NewPlace> {
  const local = row.kind === 'local';
  if (local !== (row.id === localWorkspaceId))
    throw new HumanError(
      "The workspace in this file isn't valid: it belongs neither to a local service nor to a server. Export the workspace again.",
      { status: 400 },
    );
  const merged = local && !shared;
  const workspaceId = local && shared ? randomUUID() : row.id;
  const existing = await transaction
    .selectFrom('workspaces')
    .select('default_profile_id')
    .where('id', '=', workspaceId)
    .executeTakeFirst();
  if (existing && !merged)
    throw new HumanError('This store already contains the workspace in this file, so there is nothing to import.', {
      status: 409,
    });
  if (!existing) {
    const rights = merged ? localRights : { kind: 'agent' };
    await insertRows(transaction, 'workspaces', [{ ...row, id: workspaceId, ...rights }], false);
  }
  const oldProfile = row.default_profile_id;
  return {
    workspaceId,
    merged,
    made: !existing,
    // A file's default profile becomes that of the workspace here, unless that one was changed. Each row keeps its table
    // and its columns; the compiler can't pair them.
    place: ({ table, row: placed }) => {
      const newProfile = existing?.default_profile_id ?? oldProfile;
      return {
        table,
        row: {
          ...placed,
          ...('workspace_id' in placed && { workspace_id: workspaceId }),
          ...('profile_id' in placed && placed.profile_id === oldProfile && { profile_id: newProfile }),
          ...(table === 'profiles' && placed.id === oldProfile && { id: newProfile }),
        },
      } as CarriedRow;
    },
  };
}
