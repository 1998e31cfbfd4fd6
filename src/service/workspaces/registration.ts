import { inMinutes } from '../basics/inMinutes.ts';
import { randomUUID } from 'node:crypto';
import type { Transaction } from 'kysely';
import { sql } from 'kysely';
import { HumanError } from '../../contract/errors.ts';
import { serverLimits } from '../../contract/limits.ts';
import { scopes } from '../../contract/scopes.ts';
import type { Registration } from '../../contract/workspace.ts';
import type { Database } from '../store/schema.ts';
import type { Store } from '../store/store.ts';
import { audit } from './audit.ts';
import { keyPrefix } from './keyForm.ts';
import { insertKey } from './keys.ts';
import { dayMs, hourMs, networkOf, secondsForNetwork, secondsToWait } from './networks.ts';

/** All scopes except billing, which needs a person. */
const registeredScopes = scopes.filter((scope) => scope !== 'billing:write');

/** Creates a new, empty workspace: a few per hour and day for each network, and a limited number per day in total. */
export async function registerWorkspace(store: Store, address: string, now: Date): Promise<Registration> {
  const network = networkOf(address);
  const registration = await store.write(async (transaction) => {
    await countRegistration(transaction, network, now);
    const workspaceId = randomUUID();
    await transaction
      .insertInto('workspaces')
      .values({
        id: workspaceId,
        kind: 'agent',
        name: 'New workspace',
        default_profile_id: randomUUID(),
        created_at: now,
      })
      .execute();
    return await insertFirstKey(transaction, workspaceId, 'workspace.registered', now);
  });
  await store.sync();
  return registration;
}

/** Creates the key for a new workspace that no person owns. */
export async function insertFirstKey(
  transaction: Transaction<Database>,
  workspaceId: string,
  event: 'workspace.registered' | 'workspace.imported',
  now: Date,
): Promise<Registration> {
  const { key, row } = await insertKey(transaction, workspaceId, 'First key', registeredScopes, now);
  await audit(transaction, workspaceId, event, now, { keyId: row.id });
  return { workspaceId, apiKey: key, keyPrefix: keyPrefix(row.id), scopes: registeredScopes };
}

/**
 * Counts a new workspace of this network, or with `look`, only checks whether another one is allowed.
 * @throws HumanError 429 `too_many_registrations`
 */
export async function countRegistration(
  transaction: Transaction<Database>,
  network: string,
  now: Date,
  { look = false } = {},
): Promise<void> {
  const { networkAnHour, networkADay, serverADay } = serverLimits.registrations;
  // One at a time, on every engine.
  await sql`SELECT pg_advisory_xact_lock(hashtextextended('registrations', 0))`.execute(transaction);
  await transaction
    .deleteFrom('registrations')
    .where('at', '<=', new Date(now.getTime() - dayMs))
    .execute();
  const today = await transaction.selectFrom('registrations').selectAll().orderBy('at').execute();
  assertBelowRate(
    'Too many workspaces were registered from your network.',
    Math.max(
      secondsForNetwork(today, network, networkAnHour, hourMs, now),
      secondsForNetwork(today, network, networkADay, dayMs, now),
    ),
  );
  assertBelowRate('Too many workspaces were registered on this server.', secondsToWait(today, serverADay, dayMs, now));
  if (!look) await transaction.insertInto('registrations').values({ network, at: now }).execute();
}

function assertBelowRate(message: string, retryAfterSeconds: number): void {
  if (retryAfterSeconds === 0) return;
  throw new HumanError(`${message} Try again in ${inMinutes(retryAfterSeconds)}, or use an existing workspace.`, {
    status: 429,
    code: 'too_many_registrations',
    retryAfterSeconds,
  });
}
