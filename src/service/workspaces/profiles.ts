import type { OperationOutput } from '../../contract/operations.ts';
import type { Store } from '../store/store.ts';

/** Every workspace has its default profile, and so far no other. */
export async function listProfiles(
  store: Store,
  workspaceId: string,
): Promise<OperationOutput<'listProfiles'>['items']> {
  const workspace = await store.db
    .selectFrom('workspaces')
    .select('default_profile_id')
    .where('id', '=', workspaceId)
    .executeTakeFirstOrThrow();
  return [{ id: workspace.default_profile_id, name: 'Default', isDefault: true }];
}
