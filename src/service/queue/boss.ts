import { PgBoss } from 'pg-boss';
import type { Db } from 'pg-boss';

export const runQueueName = 'mapping-run';

/** pg-boss as we run it. With one process a store, an interrupted job is found at the start, so its own supervision may be slow. */
export function createBoss(db: Db, onError: (error: unknown) => void): PgBoss {
  const boss = new PgBoss({
    db, backend: 'pglite', schema: 'queue',
    schedule: false, superviseIntervalSeconds: 60, maintenanceIntervalSeconds: 3600, monitorIntervalSeconds: 60, queueCacheIntervalSeconds: 3600,
    reindex: false, monitorVacuum: false,
  });
  boss.on('error', onError);
  return boss;
}

export async function prepareQueue(boss: PgBoss): Promise<void> {
  if (await boss.getQueue(runQueueName)) return;
  await boss.createQueue(runQueueName, {
    retryLimit: 10, retryDelay: 0, expireInSeconds: 23 * 3600, heartbeatSeconds: 30, deleteAfterSeconds: 3600,
  });
}
