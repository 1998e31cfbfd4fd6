import { inMinutes } from '../basics/inMinutes.ts';
import { randomUUID } from 'node:crypto';
import { isIPv6 } from 'node:net';
import type { Transaction } from 'kysely';
import { sql } from 'kysely';
import { HumanError } from '../../contract/errors.ts';
import { limits } from '../../contract/limits.ts';
import { scopes } from '../../contract/scopes.ts';
import type { Registration } from '../../contract/workspace.ts';
import type { Database } from '../store/schema.ts';
import type { Store } from '../store/store.ts';
import { audit } from './audit.ts';
import { keyPrefix } from './keyForm.ts';
import { insertKey } from './keys.ts';

const hourMs = 3_600_000;
/** All but billing: that takes a person. */
const registeredScopes = scopes.filter((scope) => scope !== 'billing:write');

/** A new, empty workspace for whoever asks, a few an hour for each network. */
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
    const { key, row } = await insertKey(transaction, workspaceId, 'First key', registeredScopes, now);
    await audit(transaction, workspaceId, 'workspace.registered', now, { keyId: row.id });
    return { workspaceId, apiKey: key, keyPrefix: keyPrefix(row.id), scopes: registeredScopes };
  });
  await store.sync();
  return registration;
}

/**
 * Counts a new workspace of this network, or with `look` only asks whether there may be another one.
 * @throws HumanError 429 `too_many_registrations`
 */
export async function countRegistration(
  transaction: Transaction<Database>,
  network: string,
  now: Date,
  { look = false } = {},
): Promise<void> {
  // Two at once from one network wait for each other, on every engine.
  await sql`SELECT pg_advisory_xact_lock(hashtextextended(${`registration ${network}`}, 0))`.execute(transaction);
  await transaction
    .deleteFrom('registrations')
    .where('at', '<=', new Date(now.getTime() - hourMs))
    .execute();
  const recent = await transaction
    .selectFrom('registrations')
    .select('at')
    .where('network', '=', network)
    .orderBy('at')
    .execute();
  const [oldest] = recent;
  if (oldest && recent.length >= limits.registrationsAnHour) {
    const retryAfterSeconds = Math.max(1, Math.ceil((oldest.at.getTime() + hourMs - now.getTime()) / 1000));
    throw new HumanError(
      `Too many workspaces were registered from your network. Try again in ${inMinutes(retryAfterSeconds)}, or use an existing workspace.`,
      { status: 429, code: 'too_many_registrations', retryAfterSeconds },
    );
  }
  if (!look) await transaction.insertInto('registrations').values({ network, at: now }).execute();
}

/** An IPv4 address, or the /64 of an IPv6 one: within it a household changes its address at will. */
export function networkOf(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (mapped !== undefined || !isIPv6(address)) return mapped ?? address;
  const [head = '', tail = ''] = (address.split('%')[0] ?? '').toLowerCase().split('::');
  const before = head === '' ? [] : head.split(':');
  const after = tail === '' ? [] : tail.split(':');
  const groups = address.includes('::')
    ? [...before, ...Array.from({ length: 8 - before.length - after.length }, () => '0'), ...after]
    : before;
  return `${groups
    .slice(0, 4)
    .map((group) => group.replace(/^0+(?=.)/, ''))
    .join(':')}::/64`;
}
