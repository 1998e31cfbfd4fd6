import { randomUUID } from 'node:crypto';
import type { Transaction } from 'kysely';
import type { Database } from '../store/schema.ts';

type AuditEvent =
  | 'workspace.registered'
  | 'workspace.imported'
  | 'key.created'
  | 'key.changed'
  | 'key.revoked'
  | 'anchor.requested'
  | 'anchor.verified'
  | 'anchor.replaced'
  | 'capacity.granted'
  | 'tier.changed'
  | 'claim.linked'
  | 'claim.done'
  | 'owner.added'
  | 'consent.recorded'
  | 'settings.changed';

/** Records permissions and grants, in the transaction that makes them. Details never contain a secret. */
export async function audit(
  transaction: Transaction<Database>,
  workspaceId: string,
  event: AuditEvent,
  at: Date,
  detail: Readonly<Record<string, unknown>> = {},
): Promise<void> {
  await transaction
    .insertInto('audit')
    .values({ id: randomUUID(), workspace_id: workspaceId, event, detail: JSON.stringify(detail), at })
    .execute();
}
