import { randomUUID } from 'node:crypto';
import type { Transaction } from 'kysely';
import { HumanError } from '../../contract/errors.ts';
import type { Database } from '../store/schema.ts';
import { localWorkspaceId } from '../workspaces/localKey.ts';
import type { Grant } from './grants.ts';
import type { CarriedRow, Row } from './rows.ts';
import { insertRows } from './tables.ts';

/** Where the rows of a file go. */
export interface NewPlace {
  readonly workspaceId: string;
  /** Into another workspace than the file's own, whose content stays as it is. */
  readonly merged: boolean;
  /** A row of `workspaces` was stored. */
  readonly made: boolean;
  /** The file has a tier above `free` that a workspace here could have. */
  readonly hasTier: boolean;
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
  { shared, granted }: { readonly shared: boolean; readonly granted: ReadonlySet<Grant> },
): Promise<NewPlace> {
  const local = row.kind === 'local';
  if (local !== (row.id === localWorkspaceId) || (row.unlimited && !local))
    throw new HumanError(
      "The workspace in this file isn't valid: it belongs neither to a local service nor to a server. Export the workspace again.",
      { status: 400 },
    );
  const existingWorkspace = await transaction
    .selectFrom('workspaces')
    .select('default_profile_id')
    .where('id', '=', row.id)
    .executeTakeFirst();
  const tokens = granted.has('minutes') ? row : { ...row, tokens_granted: 0 };
  if (local && shared) {
    const workspaceRow: Row<'workspaces'> = {
      ...tokens,
      id: randomUUID(),
      kind: 'agent',
      tier: 'free',
      unlimited: false,
    };
    await insertRows(transaction, 'workspaces', [workspaceRow], 'none');
    return {
      workspaceId: workspaceRow.id,
      merged: false,
      made: true,
      hasTier: false,
      place: moved(workspaceRow.id, row.default_profile_id, row.default_profile_id),
    };
  }
  if (existingWorkspace && !local)
    throw new HumanError('This store already contains the workspace in this file, so there is nothing to import.', {
      status: 409,
    });
  // The local workspace of an installation has no tier, because its owner pays the carrier.
  const placed = local || granted.has('tier') ? tokens : { ...tokens, tier: 'free' as const };
  if (!existingWorkspace) await insertRows(transaction, 'workspaces', [placed], 'none');
  return {
    workspaceId: row.id,
    merged: local,
    made: !existingWorkspace,
    hasTier: !local && row.tier !== 'free',
    place: moved(row.id, row.default_profile_id, existingWorkspace?.default_profile_id ?? row.default_profile_id),
  };
}

const moved =
  (workspaceId: string, oldProfile: string, newProfile: string) =>
  (entry: CarriedRow): CarriedRow => {
    const { table, row } = entry;
    // A file's default profile becomes that of the workspace here, unless that one was changed.
    if (table === 'profiles' && row.id === oldProfile)
      return { table, row: { ...row, id: newProfile, workspace_id: workspaceId } };
    // Each row keeps its table and its columns; the compiler can't pair them.
    return {
      table,
      row: {
        ...row,
        ...('workspace_id' in row && { workspace_id: workspaceId }),
        ...('profile_id' in row && row.profile_id === oldProfile && { profile_id: newProfile }),
      },
    } as CarriedRow;
  };
