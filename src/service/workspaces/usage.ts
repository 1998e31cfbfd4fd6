import { HumanError } from '../../contract/errors.ts';
import { quotas, tiers } from '../../contract/limits.ts';
import { poolSchema } from '../../contract/workspace.ts';
import type { Pool, WorkspaceUsage } from '../../contract/workspace.ts';
import type { Store } from '../store/store.ts';
import { Account } from './account.ts';
import { keyPrefix } from './keyForm.ts';
import type { OperatorContact } from './operatorContact.ts';
import type { Launcher } from './principal.ts';
import { readStored } from './stored.ts';

const minutes = (seconds: number): number => Math.round(seconds / 0.6) / 100;
const byPool = <Value>(value: (pool: Pool) => Value): Record<Pool, Value> =>
  Object.fromEntries(poolSchema.options.map((pool) => [pool, value(pool)])) as Record<Pool, Value>;

/** Returns the grants, the usage and the limits of the workspace, and of the key if it is limited. */
export async function readUsage(
  store: Store,
  { workspaceId, keyId, limits }: Launcher,
  now: Date,
  contact?: OperatorContact,
): Promise<WorkspaceUsage> {
  const { db } = store;
  const workspace = await db.selectFrom('workspaces').selectAll().where('id', '=', workspaceId).executeTakeFirst();
  if (!workspace) throw new HumanError("This workspace doesn't exist.", { status: 404, code: 'not_found' });
  const startedAt = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), 1));
  const endsAt = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1));
  const balances = await db
    .selectFrom('balances')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .orderBy('at')
    .orderBy('id')
    .execute();
  const used = await db
    .selectFrom('ledger')
    .select((row) => ['pool', row.fn.sum<number>('seconds').as('seconds')] as const)
    .where('workspace_id', '=', workspaceId)
    .where('at', '>=', startedAt)
    .where('at', '<', endsAt)
    .groupBy('pool')
    .execute();
  const anchors = await db
    .selectFrom('anchors')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .orderBy('verified_at')
    .execute();
  const tier = tiers[workspace.tier];
  const stored = await readStored(db, workspaceId, quotas);
  const account = new Account(db, workspace, now, { launcher: { keyId } });
  const keyToday = limits && (await account.keyToday());
  const { used: usedToday } = await account.today();
  const tokenLimits = [await account.budgetsOf('tier'), await account.budgetsOf('workspace')].flatMap(
    ({ tokensPerDay = [] }) => tokensPerDay,
  );
  const perDay = tokenLimits.length === 0 ? undefined : Math.min(...tokenLimits);
  const heldSeconds = new Map<Pool, number>();
  for (const pool of poolSchema.options) heldSeconds.set(pool, await account.heldSeconds(pool));
  return {
    workspaceId,
    tier: workspace.tier,
    capacity: workspace.unlimited ? 'unlimited' : 'metered',
    claimed: workspace.kind !== 'agent',
    ...(!workspace.unlimited && contact !== undefined && { contact }),
    freeMinutes: byPool((pool) => {
      const granted = balances.filter((row) => row.pool === pool && row.source === 'grant');
      const sum = (value: (row: (typeof granted)[number]) => number): number =>
        granted.reduce((total, row) => total + value(row), 0);
      const [given, gone] = [sum((row) => row.seconds_granted), sum((row) => row.seconds_used)];
      return { granted: minutes(given), used: minutes(gone), remaining: minutes(Math.max(0, given - gone)) };
    }),
    reservedMinutes: byPool((pool) => minutes(heldSeconds.get(pool) ?? 0)),
    packs: balances
      .filter((row) => row.source === 'pack')
      .map((row) => ({
        id: row.id,
        pool: row.pool,
        minutes: minutes(row.seconds_granted),
        remaining: minutes(Math.max(0, row.seconds_granted - row.seconds_used)),
        purchasedAt: row.at.toISOString(),
      })),
    period: {
      startedAt: startedAt.toISOString(),
      endsAt: endsAt.toISOString(),
      minutes: byPool((pool) => minutes(used.find((row) => row.pool === pool)?.seconds ?? 0)),
    },
    enrichmentTokens: {
      granted: workspace.tokens_granted,
      used: workspace.tokens_used,
      remaining: Math.max(0, workspace.tokens_granted - workspace.tokens_used),
    },
    modelTokens: { usedToday: usedToday.tokensPerDay, ...(perDay !== undefined && { perDay }) },
    runsInFlight: await account.activeRuns(),
    limits: { requestsPerMinute: tier.requestsPerMinute, runs: tier.runs },
    stored: Object.fromEntries(quotas.map((quota) => [quota, { used: stored[quota], limit: tier.stored[quota] }])),
    anchors: anchors.map((row) => ({ phoneNumber: row.phone_number, verifiedAt: row.verified_at.toISOString() })),
    ...(limits &&
      keyToday && {
        key: {
          keyPrefix: keyPrefix(keyId),
          limits,
          usedToday: {
            calls: keyToday.used.callsPerDay + keyToday.held.callsPerDay,
            seconds: keyToday.used.secondsPerDay + keyToday.held.secondsPerDay,
            tokens: keyToday.used.tokensPerDay,
          },
        },
      }),
  };
}
