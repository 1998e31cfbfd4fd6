import { sql } from 'kysely';
import type { Clock, TimerHandle } from '../../telephony/clock.ts';
import type { EventBus } from '../events.ts';
import type { Logger } from '../log.ts';
import type { Store } from '../store/store.ts';
import type { Recordings } from './recordings.ts';

export interface RetentionParts { readonly store: Store; readonly recordings: Recordings; readonly events: EventBus; readonly clock: Clock; readonly now: () => Date; readonly log: Logger }

const sweepEveryMs = 3_600_000;
const dayMs = 86_400_000;
/** Runs whose recordings are deleted in one go; between two of them others may have the store. */
const batchRuns = 100;

interface Old { readonly workspaceId: string; readonly before: Date }

/** Deletes recordings that are older than their workspace keeps them: when it starts, and hourly. What was heard as text stays. */
export class Retention {
  readonly #parts: RetentionParts;
  #timer: TimerHandle | undefined;
  #sweeping = Promise.resolve();
  #stopping = false;

  constructor(parts: RetentionParts) { this.#parts = parts; }

  start(): void {
    const { clock, log } = this.#parts;
    this.#timer = clock.setTimeout(() => { this.start(); }, sweepEveryMs);
    this.#sweeping = this.#sweeping.then(() => this.sweep()).then(() => undefined).catch((error: unknown) => { log.error({ err: error }, 'old recordings could not be deleted'); });
  }

  /** Settles when no recording is being deleted any more. */
  async stop(): Promise<void> {
    this.#stopping = true;
    if (this.#timer !== undefined) this.#parts.clock.clearTimeout(this.#timer);
    await this.#sweeping;
  }

  /** Returns how many runs had recordings that were too old. */
  async sweep(): Promise<number> {
    const { store, now, log } = this.#parts;
    const days = sql<number | null>`(settings ->> 'recordingDays')::integer`;
    const keeping = await store.db.selectFrom('workspace_settings').select(['workspace_id', days.as('days')]).where(days, 'is not', null).execute();
    let swept = 0;
    for (const { workspace_id: workspaceId, days: kept } of keeping) {
      const old = { workspaceId, before: new Date(now().getTime() - (kept ?? 0) * dayMs) };
      for (const deleteBatch of [this.#deleteOfTests, this.#deleteOfMappings]) {
        let deleted = batchRuns;
        while (deleted === batchRuns && !this.#stopping) {
          // Of several processes one at a time: what it has done the next one does not find.
          deleted = await store.alone(() => deleteBatch(old));
          swept += deleted;
        }
      }
    }
    if (swept > 0) log.info({ runs: swept }, 'old recordings deleted');
    return swept;
  }

  /** The file goes first: where this breaks off in between, the next sweep finds the row again. */
  readonly #deleteOfTests = async ({ workspaceId, before }: Old): Promise<number> => {
    const { store, recordings, events } = this.#parts;
    const runs = await store.db.selectFrom('test_runs').select('id').where('workspace_id', '=', workspaceId).where('completed_at', '<', before).where(isRecorded).limit(batchRuns).execute();
    if (runs.length === 0) return 0;
    for (const { id } of runs) await recordings.remove(id);
    // Nothing is written that the disk would have to be free for.
    await store.writeUnguarded((transaction) => transaction.updateTable('test_runs').set({ result: sql`result - 'recorded'` }).where('id', 'in', runs.map(({ id }) => id)).execute());
    await store.sync();
    for (const { id } of runs) events.publish(workspaceId, { type: 'test.changed', runId: id });
    return runs.length;
  };

  readonly #deleteOfMappings = async ({ workspaceId, before }: Old): Promise<number> => {
    const { store, recordings, events } = this.#parts;
    const runs = await store.db.selectFrom('mapping_runs').innerJoin('mapping_jobs', 'mapping_jobs.id', 'mapping_runs.job_id').select(['mapping_runs.id', 'mapping_runs.job_id'])
      .where('mapping_jobs.workspace_id', '=', workspaceId).where('mapping_runs.completed_at', '<', before)
      .where((row) => row.exists(row.selectFrom('recordings').select('step_id').whereRef('recordings.run_id', '=', 'mapping_runs.id'))).limit(batchRuns).execute();
    if (runs.length === 0) return 0;
    for (const { id } of runs) await recordings.remove(id);
    await store.writeUnguarded((transaction) => transaction.deleteFrom('recordings').where('run_id', 'in', runs.map(({ id }) => id)).execute());
    await store.sync();
    for (const { id: runId, job_id: jobId } of runs) events.publish(workspaceId, { type: 'mapping.tree', jobId, runId });
    return runs.length;
  };
}

/** As the index `test_runs_recorded` says it. */
const isRecorded = sql<boolean>`result ->> 'recorded' = 'true'`;
