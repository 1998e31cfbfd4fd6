import { quotas, tiers } from '../../../src/contract/limits.ts';
import type { Pool, WorkspaceUsage } from '../../../src/contract/workspace.ts';
import { uuid } from './fakes.ts';

const pools: readonly Pool[] = ['testing', 'loadTesting', 'mapping', 's2s', 's2stest'];
export const byPool = <Value>(value: (pool: Pool) => Value): Record<Pool, Value> =>
  Object.fromEntries(pools.map((pool) => [pool, value(pool)])) as Record<Pool, Value>;

/** A newly registered workspace, without content or usage. */
export const usage = (values: Partial<WorkspaceUsage> = {}): WorkspaceUsage => ({
  workspaceId: uuid(7),
  tier: 'free',
  capacity: 'metered',
  claimed: false,
  freeMinutes: byPool(() => ({ granted: 0, used: 0, remaining: 0 })),
  reservedMinutes: byPool(() => 0),
  packs: [],
  period: { startedAt: '2026-02-01T00:00:00.000Z', endsAt: '2026-03-01T00:00:00.000Z', minutes: byPool(() => 0) },
  enrichmentTokens: { granted: 0, used: 0, remaining: 0 },
  modelTokens: { usedToday: 0 },
  runsInFlight: 0,
  limits: { requestsPerMinute: 30, runs: 2 },
  stored: Object.fromEntries(quotas.map((quota) => [quota, { used: 0, limit: tiers.free.stored[quota] }])),
  anchors: [],
  ...values,
});
