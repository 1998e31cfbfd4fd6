import type { MappingStats } from '../../contract/mapping.ts';
import type { CrawlEvent } from '../../engine/crawlEvent.ts';
import type { Clock } from '../../telephony/clock.ts';
import type { EventBus } from '../events.ts';
import type { Logger } from '../log.ts';
import type { RunRow } from '../mapping/resources.ts';
import type { Store } from '../store/store.ts';
import { settle } from '../workspaces/admission.ts';

export type Outcome = Pick<Extract<CrawlEvent, { type: 'ended' }>, 'status' | 'limitReason' | 'reason'>;

export interface EndRunParts {
  readonly store: Store;
  readonly events: EventBus;
  readonly clock: Clock;
  readonly now: () => Date;
  readonly log: Logger;
}

const retrySavingMs = 5000;

/**
 * Stores the end of a run as this attempt knows it, and counts its minutes in the same transaction. False where another attempt has the run
 * or it has ended already: nothing changes then. It must not stay "running": where storing fails it is tried again while `goOn` says so.
 */
export async function endRun(
  parts: EndRunParts,
  run: RunRow,
  outcome: Outcome,
  stats: MappingStats,
  goOn: () => boolean,
): Promise<boolean> {
  const { store, events, clock, log } = parts;
  for (;;) {
    try {
      const workspaceId = await storeEnd(parts, run, outcome, stats);
      if (workspaceId === undefined) return false;
      await store.sync();
      events.publish(workspaceId, { type: 'mapping.changed', jobId: run.job_id });
      events.publish(workspaceId, { type: 'mapping.tree', jobId: run.job_id, runId: run.id });
      return true;
    } catch (error) {
      log.error({ runId: run.id, err: error }, 'the end of a run could not be stored');
      if (!goOn()) return false;
      await new Promise<void>((resolve) => {
        clock.setTimeout(resolve, retrySavingMs);
      });
    }
  }
}

function storeEnd(
  { store, now }: EndRunParts,
  run: RunRow,
  outcome: Outcome,
  stats: MappingStats,
): Promise<string | undefined> {
  return store.writeUnguarded(async (transaction) => {
    const ended = await transaction
      .updateTable('mapping_runs')
      .set({
        status: outcome.status,
        stats: JSON.stringify(stats),
        in_flight: 0,
        limit_reason: outcome.limitReason ?? null,
        reason: outcome.reason ?? null,
        completed_at: now(),
      })
      .where('id', '=', run.id)
      .where('status', '=', 'running')
      .where('attempts', '=', run.attempts)
      .returning('id')
      .executeTakeFirst();
    if (!ended) return undefined;
    const open = await transaction
      .selectFrom('mapping_steps')
      .selectAll()
      .where('run_id', '=', run.id)
      .where('status', '=', 'exploring')
      .execute();
    for (const step of open) {
      await transaction
        .updateTable('mapping_steps')
        .set({
          status: 'pending',
          node: JSON.stringify({ ...step.node, status: 'pending' }),
          memory: JSON.stringify({ ...step.memory, status: 'pending' }),
        })
        .where('run_id', '=', run.id)
        .where('step_id', '=', step.step_id)
        .execute();
    }
    const { workspace_id: workspaceId } = await transaction
      .selectFrom('mapping_jobs')
      .select('workspace_id')
      .where('id', '=', run.job_id)
      .executeTakeFirstOrThrow();
    await settle(transaction, {
      workspaceId,
      runId: run.id,
      pool: 'mapping',
      seconds: stats.callSeconds,
      calls: stats.callsPlaced,
      now: now(),
    });
    return workspaceId;
  });
}
