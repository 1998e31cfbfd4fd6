import { because, sentence } from '../../base/sentences.ts';
import { randomUUID } from 'node:crypto';
import type { Kysely } from 'kysely';
import type { EndedBy } from '../../contract/common.ts';
import { HumanError } from '../../contract/errors.ts';
import { mappingBudget } from '../../model/calls/callBudget.ts';
import { enrichRun } from './enrichment.ts';
import { noJob } from './findJob.ts';
import { emptyStats } from './resources.ts';
import type { RunRow } from './resources.ts';
import type { Database } from '../store/schema.ts';
import type { ModelMeter } from '../workspaces/modelMeter.ts';
import { assertLaunchedByKey } from '../workspaces/authors.ts';
import { storedBy } from '../workspaces/meters.ts';
import type { Launcher } from '../workspaces/principal.ts';
import { readDialled } from '../runs/dialRecord.ts';
import { storeEnd, withDialled } from './endRun.ts';
import type { MappingEnd } from './endRun.ts';
import type { LifecycleParts, RunKind, RunLifecycle } from '../runs/lifecycle.ts';
import { PracticeStopped } from '../numbers/dialGate.ts';
import { permitCalls } from '../runs/permission.ts';
import { RunAttempt } from './runAttempt.ts';
import type { RunAttemptParts } from './runAttempt.ts';
import { failureReason, logFailure, practiceEnded, StopReason } from '../runs/stopReason.ts';

export type { Crawl } from './runAttempt.ts';

export interface MappingKindOptions extends RunAttemptParts, LifecycleParts {
  readonly models: ModelMeter | undefined;
}

/**
 * A run that is interrupted more often than this ends as failed. A run that was on a call each time ends sooner, so
 * that crashes can't redial forever.
 */
const maxResumptions = 2;
const maxDiedOnCall = 1;

const interrupted = new StopReason(
  'crash',
  sentence`The service ended unexpectedly during this run, and again after the run was resumed, so Dialtree won't resume it again. What was found is kept. See the log, then start the mapping again.`,
);
/** Why options stay unexplored, as part of a sentence. */
const whyLeft: Readonly<Record<EndedBy, string>> = {
  cancel: 'the run was cancelled',
  stop: 'the service was stopped',
  crash: 'the service ended unexpectedly',
  budget: 'the minutes of the run were used up',
};

/** Returns the number of the newest run, or 0. Rejects with HumanError 409 while it is active. */
export async function assertIdle(db: Kysely<Database>, jobId: string): Promise<number> {
  const latest = await db
    .selectFrom('mapping_runs')
    .select(['run_number', 'status'])
    .where('job_id', '=', jobId)
    .orderBy('run_number', 'desc')
    .limit(1)
    .executeTakeFirst();
  if (latest?.status === 'running')
    throw new HumanError('This job is already running. Wait for the run to end, or cancel it first.', {
      status: 409,
      code: 'already_running',
    });
  return latest?.run_number ?? 0;
}

export class MappingRuns {
  readonly #options: Pick<MappingKindOptions, 'store' | 'lines' | 'now' | 'events'>;
  readonly #life: RunLifecycle<'mapping'>;

  constructor(options: Pick<MappingKindOptions, 'store' | 'lines' | 'now' | 'events'>, life: RunLifecycle<'mapping'>) {
    this.#options = options;
    this.#life = life;
  }

  /** Creates a run and queues it. Refuses targets that must not be called before anything is stored. */
  async start(launcher: Launcher, jobId: string, line?: string): Promise<void> {
    const { workspaceId } = launcher;
    const { store, lines, now, events } = this.#options;
    const job = await store.db
      .selectFrom('mapping_jobs')
      .selectAll()
      .where('id', '=', jobId)
      .where('workspace_id', '=', workspaceId)
      .executeTakeFirst();
    if (!job) throw noJob();
    const id = randomUUID();
    let number = 1;
    await this.#life.start('mapping', {
      id,
      launcher,
      prepare: async () => {
        const { costPerMinute, consentedBy, caller } = await permitCalls(store, lines, { ...job, line }, launcher);
        return {
          wanted: { ...mappingBudget(job.config), costPerMinute, stored: storedBy.mapping() },
          check: async (transaction) => {
            const locked = await transaction
              .selectFrom('mapping_jobs')
              .select('id')
              .where('id', '=', jobId)
              .forUpdate()
              .executeTakeFirst();
            if (!locked) throw noJob();
            number = (await assertIdle(transaction, jobId)) + 1;
          },
          insert: async (transaction) => {
            await transaction
              .insertInto('mapping_runs')
              .values({
                id,
                job_id: jobId,
                run_number: number,
                status: 'running',
                stats: JSON.stringify(emptyStats),
                started_at: now(),
                limit_reason: null,
                reason: null,
                completed_at: null,
                config: JSON.stringify(job.config),
                guard_by: job.guard_by,
                consented_by: consentedBy ?? null,
                caller: JSON.stringify(caller),
              })
              .execute();
          },
        };
      },
    });
    events.publish(workspaceId, { type: 'mapping.changed', jobId });
  }

  /** Ends the active run of a job, if there is one. Resolves when it has ended. */
  async cancel(author: Launcher, jobId: string): Promise<void> {
    const run = await this.#options.store.db
      .selectFrom('mapping_runs')
      .select('id')
      .where('job_id', '=', jobId)
      .where('status', '=', 'running')
      .executeTakeFirst();
    if (!run) return;
    await assertLaunchedByKey(this.#options.store.db, author, run.id);
    await this.#life.cancel('mapping', run.id);
  }
}

/** Mapping runs. An interrupted run continues from its stored state. */
export const mappingKind = (options: MappingKindOptions): RunKind<RunRow, MappingEnd> => ({
  handsOver: true,
  cancelled: new StopReason('cancel', sentence`Cancelled. What was found is kept.`),
  stopped: new StopReason(
    'stop',
    sentence`The service was stopped during this run. What was found is kept. Start the mapping again to map the rest.`,
  ),
  lost: new StopReason(
    'crash',
    sentence`The service ended unexpectedly during this run. What was found is kept. Start the mapping again to map the rest.`,
  ),

  open: (db, id) =>
    db
      .selectFrom('mapping_runs')
      .selectAll()
      .where('status', '=', 'running')
      .$if(id !== undefined, (query) => query.where('id', '=', id ?? ''))
      .execute(),

  async begin(transaction, id) {
    const dialled = await readDialled(transaction, id, options.now());
    const run = await transaction
      .updateTable('mapping_runs')
      .set((row) => ({ attempts: row('attempts', '+', 1) }))
      .where('id', '=', id)
      .where('status', '=', 'running')
      .returningAll()
      .executeTakeFirst();
    if (!run) return undefined;
    const { workspace_id: workspaceId } = await transaction
      .selectFrom('mapping_jobs')
      .select('workspace_id')
      .where('id', '=', run.job_id)
      .executeTakeFirstOrThrow();
    const isGivenUp = run.attempts > maxResumptions + 1 || dialled.diedOnCall > maxDiedOnCall;
    return {
      row: { ...run, stats: withDialled(run.stats, dialled) },
      workspaceId,
      attempt: run.attempts,
      ...(isGivenUp && { giveUp: interrupted }),
    };
  },

  async work({ row }, control) {
    const { store, log } = options;
    const attempt = new RunAttempt(options, row);
    try {
      const job = await store.db
        .selectFrom('mapping_jobs')
        .selectAll()
        .where('id', '=', row.job_id)
        .executeTakeFirstOrThrow();
      const outcome = await attempt.carryOut({ ...job, config: row.config ?? job.config }, control);
      return { outcome, stats: attempt.stats };
    } catch (error) {
      if (error instanceof PracticeStopped) control.interrupt(practiceEnded);
      logFailure({ runId: row.id, log, signal: control.signal }, error, 'a run failed');
      return { outcome: { status: 'failed', ...because(failureReason(error)) }, stats: attempt.stats };
    }
  },

  endOf: (row, why, worked) => ({
    outcome: {
      status: 'failed',
      endedBy: why.endedBy,
      ...because(why),
      why: why === practiceEnded ? 'the practice IVR ended' : whyLeft[why.endedBy],
    },
    stats: worked?.stats ?? row.stats,
  }),

  end: (transaction, row, end) => storeEnd(transaction, row, end, options.now()),

  /** An attempt that was handed back doesn't count as an interruption. */
  async handBack(transaction, row, worked) {
    await transaction
      .updateTable('mapping_runs')
      .set({ attempts: row.attempts - 1, in_flight: 0, stats: JSON.stringify(worked?.stats ?? row.stats) })
      .where('id', '=', row.id)
      .where('attempts', '=', row.attempts)
      .where('status', '=', 'running')
      .execute();
  },

  ended({ id: runId, job_id: jobId }, workspaceId) {
    options.events.publish(workspaceId, { type: 'mapping.changed', jobId, ended: true });
    options.events.publish(workspaceId, { type: 'mapping.tree', jobId, runId });
  },

  /** Enriches the tree if the job asks for it. The results are stored in any case. */
  async afterwards(run, signal) {
    const { store, events, models, log } = options;
    try {
      const job = await store.db
        .selectFrom('mapping_jobs')
        .select(['workspace_id', 'config'])
        .where('id', '=', run.job_id)
        .executeTakeFirst();
      if (job && (run.config ?? job.config).probeMode === 'auto') {
        const model = await models?.forRun(job.workspace_id, run.id);
        await enrichRun({ store, events, model, log }, job.workspace_id, run.job_id, run.id, signal);
      }
    } catch (error) {
      logFailure({ runId: run.id, log, signal }, error, 'a run could not be enriched');
    }
  },
});
