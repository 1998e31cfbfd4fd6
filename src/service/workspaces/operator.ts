import { sql } from 'kysely';
import { HumanError } from '../../contract/errors.ts';
import type { Tier } from '../../contract/limits.ts';
import type { Pool } from '../../contract/workspace.ts';
import type { Store } from '../store/store.ts';
import { grantSeconds } from './admission.ts';
import { audit } from './audit.ts';
import { lockWorkspace } from './keys.ts';

interface WorkspaceSummary {
  readonly id: string;
  readonly kind: string;
  readonly tier: Tier;
  readonly unlimited: boolean;
  readonly createdAt: string;
  readonly minutesUsed: number;
}

/** Newest first. */
export async function listWorkspaces(store: Store): Promise<WorkspaceSummary[]> {
  const rows = await store.db
    .selectFrom('workspaces')
    .leftJoin('ledger', 'ledger.workspace_id', 'workspaces.id')
    .select([
      'workspaces.id',
      'workspaces.kind',
      'workspaces.tier',
      'workspaces.unlimited',
      'workspaces.created_at',
      sql<number>`coalesce(sum(ledger.seconds), 0)`.as('seconds'),
    ])
    .groupBy('workspaces.id')
    .orderBy('workspaces.created_at', 'desc')
    .execute();
  return rows.map((row) => ({
    id: row.id,
    kind: row.kind,
    tier: row.tier,
    unlimited: row.unlimited,
    createdAt: row.created_at.toISOString(),
    minutesUsed: Math.round(row.seconds / 0.6) / 100,
  }));
}

export async function setTier(store: Store, workspaceId: string, tier: Tier, now: Date): Promise<void> {
  await store.write(async (transaction) => {
    const before = await lockWorkspace(transaction, workspaceId);
    if (before.unlimited)
      throw new HumanError("The local workspace is unlimited, so you can't change its tier.", {
        status: 409,
        code: 'workspace-local',
      });
    await transaction.updateTable('workspaces').set({ tier }).where('id', '=', workspaceId).execute();
    await audit(transaction, workspaceId, 'tier.changed', now, { from: before.tier, to: tier });
  });
  await store.sync();
}

/** Adds a pack of minutes, for example after a purchase. */
export async function grantPack(
  store: Store,
  workspaceId: string,
  pool: Pool,
  minutes: number,
  now: Date,
): Promise<void> {
  await store.write(async (transaction) => {
    await lockWorkspace(transaction, workspaceId);
    await grantSeconds(transaction, workspaceId, pool, 'pack', minutes * 60, now);
    await audit(transaction, workspaceId, 'capacity.granted', now, { source: 'pack', pool, minutes });
  });
  await store.sync();
}

/**
 * Makes a person with an account here an owner, because the operator knows that the workspace is theirs, for example
 * after an import, which brings no people.
 * @throws HumanError 404 if the address has no account, 409 `workspace-local`
 */
export async function addOwner(store: Store, workspaceId: string, email: string, now: Date): Promise<void> {
  await store.write(async (transaction) => {
    const { kind, claimed_at: claimedAt } = await lockWorkspace(transaction, workspaceId);
    if (kind === 'local')
      throw new HumanError("The local workspace belongs to the person who runs the service, so it can't have owners.", {
        status: 409,
        code: 'workspace-local',
      });
    const person = await transaction.selectFrom('people').select('id').where('email', '=', email).executeTakeFirst();
    if (!person)
      throw new HumanError(`${email} has no account here. Check the address.`, { status: 404, code: 'not_found' });
    await transaction
      .insertInto('memberships')
      .values({ workspace_id: workspaceId, person_id: person.id })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    await transaction
      .updateTable('workspaces')
      .set({ kind: 'person', claimed_at: claimedAt ?? now })
      .where('id', '=', workspaceId)
      .execute();
    await audit(transaction, workspaceId, 'owner.added', now, { personId: person.id });
  });
  await store.sync();
}
