import { isDeepStrictEqual } from 'node:util';
import type { Kysely } from 'kysely';
import { workspaceSettingsSchema } from '../../contract/workspaceSettings.ts';
import type { UpdateWorkspaceSettings, WorkspaceSettings } from '../../contract/workspaceSettings.ts';
import type { Database } from '../store/schema.ts';
import type { Store } from '../store/store.ts';
import { audit } from './audit.ts';
import { lockFor } from './keys.ts';
import type { Principal } from './principal.ts';

/** Returns the workspace's settings for its calls, with defaults for the rest. */
export async function readWorkspaceSettings(db: Kysely<Database>, workspaceId: string): Promise<WorkspaceSettings> {
  const row = await db
    .selectFrom('workspace_settings')
    .select('settings')
    .where('workspace_id', '=', workspaceId)
    .executeTakeFirst();
  return workspaceSettingsSchema.parse(row?.settings ?? {});
}

/** Changes the given properties; null resets one to its default. Writes nothing if nothing changes. */
export async function updateSettings(
  store: Store,
  principal: Principal,
  { budgets, ...changes }: UpdateWorkspaceSettings,
  now: Date,
): Promise<WorkspaceSettings> {
  const { workspaceId, keyId } = principal;
  const settings = await store.write(async (transaction) => {
    // Two simultaneous changes, or a change and a launch, run one after the other.
    await lockFor(transaction, principal);
    const before = await readWorkspaceSettings(transaction, workspaceId);
    const after = workspaceSettingsSchema.parse({
      ...withoutNull({ ...before, ...changes }),
      budgets: budgets === null ? {} : withoutNull({ ...before.budgets, ...budgets }),
    });
    if (isDeepStrictEqual(after, before)) return before;
    const row = { settings: JSON.stringify(after), updated_at: now };
    await transaction
      .insertInto('workspace_settings')
      .values({ workspace_id: workspaceId, ...row })
      .onConflict((conflict) => conflict.column('workspace_id').doUpdateSet(row))
      .execute();
    await audit(transaction, workspaceId, 'settings.changed', now, { by: keyId, settings: after });
    return after;
  });
  await store.sync();
  return settings;
}

export const withoutNull = (members: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== null && value !== undefined));
