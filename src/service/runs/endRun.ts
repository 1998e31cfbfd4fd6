import type { EndedBy } from '../../contract/common.ts';
import type { MappingStats } from '../../contract/mapping.ts';
import type { CrawlEvent } from '../../engine/crawl/crawlEvent.ts';
import { whyLeftOut } from '../../engine/crawl/crawlMap.ts';
import { sleep } from '../../base/clock.ts';
import type { Clock } from '../../base/clock.ts';
import type { EventBus } from '../events.ts';
import type { Logger } from '../log.ts';
import type { RunRow } from '../mapping/resources.ts';
import type { Store } from '../store/store.ts';
import { settle } from '../workspaces/admission.ts';
import { readDialled } from './dialRecord.ts';
import type { Dialled } from './dialRecord.ts';

/** `why`: why open places were not explored, as part of a sentence. */
export type Outcome = Pick<Extract<CrawlEvent, { type: 'ended' }>, 'status' | 'limitReason' | 'reason'> & {
  readonly endedBy?: EndedBy;
  readonly why?: string;
};

export interface EndRunParts {
  readonly store: Store;
  readonly events: EventBus;
  readonly clock: Clock;
  readonly now: () => Date;
  readonly log: Logger;
}

const retrySavingMs = 5000;

/** What a process that died could not count any more. */
export const withDialled = (stats: MappingStats, { calls, seconds }: Dialled): MappingStats => ({
  ...stats,
  callsPlaced: Math.max(stats.callsPlaced, calls),
  callSeconds: Math.max(stats.callSeconds, seconds),
});

/**
 * Stores the end of a run as this attempt knows it, and counts its minutes in the same transaction. False where another
 * attempt has the run or it has ended already: nothing changes then. It must not stay "running": where storing fails it
 * is tried again while `goOn` says so.
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
      await sleep(clock, retrySavingMs);
    }
  }
}

function storeEnd(
  { store, now }: EndRunParts,
  run: RunRow,
  outcome: Outcome,
  known: MappingStats,
): Promise<string | undefined> {
  return store.writeUnguarded(async (transaction) => {
    const stats = withDialled(known, await readDialled(transaction, run.id, now()));
    const {
      status,
      limitReason,
      reason,
      endedBy = limitReason === 'capacity' ? 'budget' : undefined,
      why = 'the run ended',
    } = outcome;
    const ended = await transaction
      .updateTable('mapping_runs')
      .set({
        status,
        stats: JSON.stringify(stats),
        in_flight: 0,
        limit_reason: limitReason ?? null,
        reason: reason ?? null,
        completed_at: now(),
        ...(endedBy && { ended_by: endedBy }),
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
      .where('status', 'in', ['exploring', 'pending'])
      .execute();
    for (const step of open) {
      const left = {
        status: 'skipped',
        reason: whyLeftOut({ cut: step.status === 'exploring' || step.memory.cut === true }, why),
      } as const;
      await transaction
        .updateTable('mapping_steps')
        .set({
          status: left.status,
          node: JSON.stringify({ ...step.node, ...left }),
          memory: JSON.stringify({ ...step.memory, ...left }),
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
