import { sql, type ExpressionBuilder, type Transaction } from 'kysely';
import type { Clock, TimerHandle } from '../../base/clock.ts';
import type { EventBus } from '../store/events.ts';
import type { Logger } from '../basics/log.ts';
import type { Database } from '../store/schema.ts';
import type { Store } from '../store/store.ts';
import type { Recordings } from './recordings.ts';

interface RetentionParts {
  readonly store: Store;
  readonly recordings: Recordings;
  readonly events: EventBus;
  readonly clock: Clock;
  readonly now: () => Date;
  readonly log: Logger;
}

const sweepEveryMs = 3_600_000;
const dayMs = 86_400_000;
/** Runs whose recordings are deleted in one batch. Other work can use the store between batches. */
const batchRuns = 100;
/** No run lasts this long after it has stored a recording, including its judgement. */
const longestRunMs = dayMs;
const runId = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** `skip`: the number of old runs, from the front, that couldn't be deleted in this sweep. */
interface Old {
  readonly workspaceId: string;
  readonly before: Date;
  readonly skip: number;
}
interface Batch {
  readonly found: number;
  readonly deleted: number;
}

/** At the start and hourly, deletes recordings past their retention, and those without a run. Transcripts stay. */
export class Retention {
  readonly #parts: RetentionParts;
  #timer: TimerHandle | undefined;
  #sweeping = Promise.resolve();
  #stopping = false;

  constructor(parts: RetentionParts) {
    this.#parts = parts;
  }

  start(): void {
    const { clock, log } = this.#parts;
    this.#timer = clock.setTimeout(() => this.start(), sweepEveryMs);
    this.#sweeping = this.#sweeping
      .then(() => this.sweep())
      .then(() => undefined)
      .catch((error: unknown) => log.error({ err: error }, 'old recordings could not be deleted'));
  }

  /** Resolves when no recording is being deleted any more. */
  async stop(): Promise<void> {
    this.#stopping = true;
    if (this.#timer !== undefined) this.#parts.clock.clearTimeout(this.#timer);
    await this.#sweeping;
  }

  /** Returns the number of runs whose expired recordings were deleted. */
  async sweep(): Promise<number> {
    const { store, now, log } = this.#parts;
    const days = sql<number | null>`(settings ->> 'recordingDays')::integer`;
    const keeping = await store.db
      .selectFrom('workspace_settings')
      .select(['workspace_id', days.as('days')])
      .where(days, 'is not', null)
      .execute();
    let swept = 0;
    for (const { workspace_id: workspaceId, days: kept } of keeping) {
      const before = new Date(now().getTime() - (kept ?? 0) * dayMs);
      for (const deleteBatch of [this.#deleteOfTests, this.#deleteOfMappings, this.#deleteOfLoads]) {
        let found = batchRuns;
        let skip = 0;
        while (found === batchRuns && !this.#stopping) {
          // One process at a time, so that the next one finds only what is left.
          const batch = await store.alone(() => deleteBatch({ workspaceId, before, skip }));
          found = batch.found;
          skip += found - batch.deleted;
          swept += batch.deleted;
        }
      }
    }
    if (swept > 0) log.info({ runs: swept }, 'old recordings deleted');
    const lost = await this.#sweepLost();
    if (lost > 0) log.info({ runs: lost }, 'recordings that no run names deleted');
    return swept + lost;
  }

  /** A crash between writing the file and ending its run leaves a file that nothing refers to. */
  async #sweepLost(): Promise<number> {
    const { store, recordings, now } = this.#parts;
    let removed = 0;
    let batch: { readonly id: string }[] = [];
    const removeUnnamed = async (): Promise<void> => {
      const named = await store.alone(() => this.#namedOf(batch.map(({ id }) => id)));
      removed += (await this.#removeFiles(batch.filter(({ id }) => !named.has(id)))).length;
      batch = [];
    };
    for await (const id of recordings.untouchedSince(new Date(now().getTime() - longestRunMs))) {
      if (this.#stopping) return removed;
      // Files without the name of a run aren't deleted.
      if (runId.test(id)) batch.push({ id });
      if (batch.length === batchRuns) await removeUnnamed();
    }
    if (batch.length > 0) await removeUnnamed();
    return removed;
  }

  /** Returns the runs whose recordings can still be requested. */
  async #namedOf(ids: readonly string[]): Promise<ReadonlySet<string>> {
    const { db } = this.#parts.store;
    const tests = await db
      .selectFrom('test_runs')
      .select('id')
      .where('id', 'in', ids)
      .where((row) => row.or([row('completed_at', 'is', null), isRecorded]))
      .execute();
    const mappings = await db
      .selectFrom('mapping_runs')
      .select('id')
      .where('id', 'in', ids)
      .where((row) => row.or([row('completed_at', 'is', null), row.exists(recordingsOf(row))]))
      .execute();
    const loads = await db
      .selectFrom('load_tests')
      .select('id')
      .where('id', 'in', ids)
      .where((row) => row.or([row('completed_at', 'is', null), row('recordings', 'is not', null)]))
      .execute();
    return new Set([...tests, ...mappings, ...loads].map(({ id }) => id));
  }

  readonly #deleteOfTests = async ({ workspaceId, before, skip }: Old): Promise<Batch> => {
    const { store, events } = this.#parts;
    const found = await store.db
      .selectFrom('test_runs')
      .select('id')
      .where('workspace_id', '=', workspaceId)
      .where('completed_at', '<', before)
      .where(isRecorded)
      .orderBy('completed_at')
      .orderBy('id')
      .offset(skip)
      .limit(batchRuns)
      .execute();
    return await this.#delete(found, {
      forget: (transaction, ids) =>
        transaction
          .updateTable('test_runs')
          .set({ result: sql`result - 'recorded'`, recording_bytes: 0 })
          .where('id', 'in', ids)
          .execute(),
      publish: ({ id }) => events.publish(workspaceId, { type: 'test.changed', runId: id }),
    });
  };

  readonly #deleteOfMappings = async ({ workspaceId, before, skip }: Old): Promise<Batch> => {
    const { store, events } = this.#parts;
    const found = await store.db
      .selectFrom('mapping_runs')
      .innerJoin('mapping_jobs', 'mapping_jobs.id', 'mapping_runs.job_id')
      .select(['mapping_runs.id', 'mapping_runs.job_id'])
      .where('mapping_jobs.workspace_id', '=', workspaceId)
      .where('mapping_runs.completed_at', '<', before)
      .where((row) => row.exists(recordingsOf(row)))
      .orderBy('mapping_runs.completed_at')
      .orderBy('mapping_runs.id')
      .offset(skip)
      .limit(batchRuns)
      .execute();
    return await this.#delete(found, {
      forget: (transaction, ids) => transaction.deleteFrom('recordings').where('run_id', 'in', ids).execute(),
      publish: ({ id: runId, job_id: jobId }) => events.publish(workspaceId, { type: 'mapping.tree', jobId, runId }),
    });
  };

  readonly #deleteOfLoads = async ({ workspaceId, before, skip }: Old): Promise<Batch> => {
    const { store, events } = this.#parts;
    const found = await store.db
      .selectFrom('load_tests')
      .select('id')
      .where('workspace_id', '=', workspaceId)
      .where('completed_at', '<', before)
      .where('recordings', 'is not', null)
      .orderBy('completed_at')
      .orderBy('id')
      .offset(skip)
      .limit(batchRuns)
      .execute();
    return await this.#delete(found, {
      forget: (transaction, ids) =>
        transaction.updateTable('load_tests').set({ recordings: null }).where('id', 'in', ids).execute(),
      publish: ({ id }) => events.publish(workspaceId, { type: 'load.changed', loadTestId: id }),
    });
  };

  /** The files are deleted first: if this is interrupted, the next sweep finds the rows again. */
  async #delete<Run extends { readonly id: string }>(
    found: readonly Run[],
    {
      forget,
      publish,
    }: {
      readonly forget: (transaction: Transaction<Database>, ids: readonly string[]) => Promise<unknown>;
      readonly publish: (run: Run) => void;
    },
  ): Promise<Batch> {
    const { store } = this.#parts;
    const runs = await this.#removeFiles(found);
    if (runs.length > 0) {
      const ids = runs.map(({ id }) => id);
      // Nothing is written for which the disk must have space.
      await store.writeUnguarded((transaction) => forget(transaction, ids));
      await store.sync();
      for (const run of runs) publish(run);
    }
    return { found: found.length, deleted: runs.length };
  }

  /** Returns the runs whose files are gone. The next sweep tries the others again. */
  async #removeFiles<Run extends { readonly id: string }>(runs: readonly Run[]): Promise<Run[]> {
    const { recordings, log } = this.#parts;
    const gone: Run[] = [];
    for (const run of runs) {
      try {
        await recordings.remove(run.id);
        gone.push(run);
      } catch (error) {
        log.error({ runId: run.id, err: error }, 'the recordings of a run could not be deleted');
      }
    }
    return gone;
  }
}

/** The same condition as in the index `test_runs_recorded`. */
const isRecorded = sql<boolean>`result ->> 'recorded' = 'true'`;
/** The recordings of a run in a query of mappings. */
const recordingsOf = (row: ExpressionBuilder<Database, 'mapping_runs'>) =>
  row.selectFrom('recordings').select('step_id').whereRef('recordings.run_id', '=', 'mapping_runs.id');
