import { PgBoss } from 'pg-boss';
import type { Db } from 'pg-boss';
import { serviceStopping } from './storeGate.ts';

export const runQueueName = 'mapping-run';

/**
 * Creates pg-boss. If a store has one process, interrupted jobs are found at the start, so supervision can be slow. If
 * several share the store, each takes over the jobs of those that crashed: a job whose worker gave no sign of life for
 * 10 s goes to another one.
 */
export function createBoss(db: Db, shared: boolean, onError: (error: unknown) => void): PgBoss {
  const everySeconds = shared ? 2 : 60;
  const boss = new PgBoss({
    db,
    ...(!shared && { backend: 'pglite' }),
    schema: 'queue',
    schedule: false,
    superviseIntervalSeconds: everySeconds,
    monitorIntervalSeconds: everySeconds,
    maintenanceIntervalSeconds: 3600,
    queueCacheIntervalSeconds: 3600,
    reindex: false,
    monitorVacuum: false,
  });
  // A worker that ends after the store has closed gets this error, which is expected.
  boss.on('error', (error: unknown) => {
    if (!isStopping(error)) onError(error);
  });
  return boss;
}

/** pg-boss passes on copies of errors. */
const isStopping = (error: unknown): boolean =>
  typeof error === 'object' && error !== null && 'code' in error && error.code === serviceStopping().code;

/** A job without a sign of life for this long is returned to the queue. */
export const heartbeatSeconds = (shared: boolean): number => (shared ? 10 : 30);

export async function prepareQueue(boss: PgBoss, shared: boolean): Promise<void> {
  if (await boss.getQueue(runQueueName)) return;
  await boss.createQueue(runQueueName, {
    retryLimit: 10,
    retryDelay: 0,
    expireInSeconds: 23 * 3600,
    heartbeatSeconds: heartbeatSeconds(shared),
    deleteAfterSeconds: 3600,
  });
}

/**
 * Returns the groups of jobs that wait, with the one whose turn it is first: the fewest active jobs in all processes,
 * then the longest without a new one. A job from before there were groups counts as one of its kind.
 */
export async function waitingGroups(db: Db): Promise<string[]> {
  const { rows } = await db.executeSql(
    `SELECT coalesce(group_id, coalesce(data->>'kind', 'mapping') || ':') AS name FROM queue.job WHERE name = $1 GROUP BY 1
      HAVING bool_or(state < 'active' AND start_after <= now())
      ORDER BY count(*) FILTER (WHERE state = 'active'), max(started_on) NULLS FIRST, min(created_on) FILTER (WHERE state < 'active')`,
    [runQueueName],
  );
  return rows.map(({ name }: { readonly name: string }) => name);
}
