import type { Transaction } from 'kysely';
import type { EndedBy } from '../../contract/common.ts';
import type { MappingStats } from '../../contract/mapping.ts';
import type { CrawlEvent } from '../../engine/crawl/crawlEvent.ts';
import { whyLeftOut } from '../../engine/crawl/crawlMap.ts';
import type { RunRow } from './resources.ts';
import type { Database } from '../store/schema.ts';
import { readDialled } from '../runs/dialRecord.ts';
import type { Dialled } from '../runs/dialRecord.ts';
import type { EndedRun } from '../runs/lifecycle.ts';

/** `why`: why open options weren't explored, as part of a sentence. */
export type MappingOutcome = Pick<
  Extract<CrawlEvent, { type: 'ended' }>,
  'status' | 'limitReason' | 'reason' | 'reasonParts'
> & {
  readonly endedBy?: EndedBy;
  readonly why?: string;
};

/** How a mapping run ended. `stats` are of the whole run, with all its attempts. */
export interface MappingEnd {
  readonly outcome: MappingOutcome;
  readonly stats: MappingStats;
}

/** Adds what a crashed process couldn't count any more. */
export const withDialled = (stats: MappingStats, { calls, seconds }: Dialled): MappingStats => ({
  ...stats,
  callsPlaced: Math.max(stats.callsPlaced, calls),
  callSeconds: Math.max(stats.callSeconds, seconds),
});

/** Stores the end of a run and of its open steps. Returns undefined if the run has ended or another attempt owns it. */
export async function storeEnd(
  transaction: Transaction<Database>,
  run: RunRow,
  { outcome, stats: known }: MappingEnd,
  now: Date,
): Promise<EndedRun | undefined> {
  const stats = withDialled(known, await readDialled(transaction, run.id, now));
  const {
    status,
    limitReason,
    reason,
    reasonParts,
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
      reason_parts: reasonParts ? JSON.stringify(reasonParts) : null,
      completed_at: now,
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
    const remainingCounts = {
      status: 'skipped',
      reason: whyLeftOut({ cut: step.status === 'exploring' || step.memory.cut === true }, why),
    } as const;
    await transaction
      .updateTable('mapping_steps')
      .set({
        status: remainingCounts.status,
        node: JSON.stringify({ ...step.node, ...remainingCounts }),
        memory: JSON.stringify({ ...step.memory, ...remainingCounts }),
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
  return { workspaceId, seconds: stats.callSeconds, calls: stats.callsPlaced };
}
