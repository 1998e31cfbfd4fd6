import { randomUUID } from 'node:crypto';
import type { Kysely } from 'kysely';
import type { EndedBy } from '../../contract/common.ts';
import { HumanError } from '../../contract/errors.ts';
import type { LanguageModel } from '../../language/model/languageModel.ts';
import { mappingBudget } from '../../model/callBudget.ts';
import { sleep } from '../../base/clock.ts';
import type { TimerHandle } from '../../base/clock.ts';
import { enrichRun } from '../mapping/enrichment.ts';
import { noJob } from '../mapping/findJob.ts';
import { emptyStats } from '../mapping/resources.ts';
import type { RunRow } from '../mapping/resources.ts';
import { HandedBack } from '../queue/runQueue.ts';
import type { RunQueue } from '../queue/runQueue.ts';
import type { Database } from '../store/schema.ts';
import { serviceStopping } from '../store/storeGate.ts';
import { admit, handBack, isHeld } from '../workspaces/admission.ts';
import type { OperatorContact } from '../workspaces/operatorContact.ts';
import type { Launcher } from '../workspaces/principal.ts';
import { readDialled } from './dialRecord.ts';
import { demandRoom } from '../workspaces/quotas.ts';
import { readCaller } from '../workspaces/profiles.ts';
import { endRun } from './endRun.ts';
import type { Outcome } from './endRun.ts';
import { permitCalls } from './permission.ts';
import { failureReason, RunAttempt } from './runAttempt.ts';
import type { RunAttemptParts } from './runAttempt.ts';

export type { Crawl } from './runAttempt.ts';

export interface MappingRunsOptions extends RunAttemptParts {
  readonly queue: RunQueue;
  readonly model: LanguageModel | undefined;
  readonly contact?: OperatorContact;
}

interface Failed {
  readonly how: 'failed';
  readonly endedBy: EndedBy;
  readonly reason: string;
  readonly why: string;
}
/**
 * Why this process lets go of a run: it ended it with these words, the store's other processes go on with it, or one of
 * them has it already.
 */
type Ending = Failed | { readonly how: 'handedBack' } | { readonly how: 'lost' };

interface ActiveRun {
  readonly end: (ending: Ending) => void;
  readonly done: Promise<void>;
}

/**
 * A run that is interrupted more often than this ends as failed; one that was on a call each time sooner, so that no
 * crash redials for ever.
 */
const maxResumptions = 2;
const maxDiedOnCall = 1;
const askAgainMs = 250;
const sweepEveryMs = 30_000;
/** The slot of a run that nobody holds any more has run out by so much. */
const abandonedMs = 60_000;

const cancelled: Failed = {
  how: 'failed',
  endedBy: 'cancel',
  reason: 'Cancelled. What was found is kept.',
  why: 'the run was cancelled',
};
const stopped: Failed = {
  how: 'failed',
  endedBy: 'stop',
  reason: 'The service was stopped during this run. What was found is kept. Start the mapping again to map the rest.',
  why: 'the service was stopped',
};
const crashed = (reason: string): Failed => ({
  how: 'failed',
  endedBy: 'crash',
  reason,
  why: 'the service ended unexpectedly',
});
const interrupted = crashed(
  "The service ended unexpectedly during this run, and again after the run was resumed, so Dialtree doesn't resume it once more. What was found is kept. See the log, then start the mapping again.",
);
const lost = crashed(
  'The service ended unexpectedly during this run. What was found is kept. Start the mapping again to map the rest.',
);

/** The number of the newest run, 0 where there is none. Rejects with HumanError 409 while it goes on. */
export async function demandIdle(db: Kysely<Database>, jobId: string): Promise<number> {
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

/**
 * Mapping runs: started by a request, carried out by the queue's workers, ended by themselves, a request or the
 * service's end.
 */
export class MappingRuns {
  readonly #options: MappingRunsOptions;
  readonly #active = new Map<string, ActiveRun>();
  #sweeping: TimerHandle | undefined;
  #stopping = false;

  constructor(options: MappingRunsOptions) {
    this.#options = options;
    const { store, queue } = options;
    store.notices?.listen({
      onNotice: (notice) => {
        if (notice.type === 'work') queue.wake();
        else if (notice.type === 'cancel') this.#active.get(notice.runId)?.end(cancelled);
      },
      onGap: () => {
        queue.wake();
      },
    });
  }

  get activeCount(): number {
    return this.#active.size;
  }

  /** Creates a run and queues it. Refuses what must not be called before anything is stored. */
  async start(launcher: Launcher, jobId: string): Promise<void> {
    const { workspaceId } = launcher;
    const { store, queue, lines, now, log, contact } = this.#options;
    if (this.#stopping)
      throw new HumanError('The service is stopping. Start it again, then start the run.', {
        status: 503,
        code: 'stopping',
      });
    const runId = randomUUID();
    const job = await store.db
      .selectFrom('mapping_jobs')
      .selectAll()
      .where('id', '=', jobId)
      .where('workspace_id', '=', workspaceId)
      .executeTakeFirst();
    if (!job) throw noJob();
    const caller = await readCaller(store.db, workspaceId, job.profile_id);
    const { costPerMinute } = await permitCalls(store, lines, { ...job, caller }, launcher);
    await store.write(async (transaction) => {
      // Once more in here: `stop` ends what is stored by then, and this would come after it.
      if (this.#stopping) throw serviceStopping();
      const locked = await transaction
        .selectFrom('mapping_jobs')
        .select('config')
        .where('id', '=', jobId)
        .forUpdate()
        .executeTakeFirst();
      if (!locked) throw noJob();
      const lastNumber = await demandIdle(transaction, jobId);
      await transaction
        .insertInto('mapping_runs')
        .values({
          id: runId,
          job_id: jobId,
          run_number: lastNumber + 1,
          status: 'running',
          stats: JSON.stringify(emptyStats),
          started_at: now(),
          limit_reason: null,
          reason: null,
          completed_at: null,
          config: JSON.stringify(locked.config),
          caller: JSON.stringify(caller),
        })
        .execute();
      const { workspace } = await admit(transaction, {
        workspaceId,
        runId,
        pool: 'mapping',
        wanted: { ...mappingBudget(locked.config), costPerMinute },
        now: now(),
        launcher,
        contact,
      });
      await demandRoom(transaction, workspace, { mappingRuns: 1, recordingBytes: 0 });
      await queue.enqueue(transaction, runId, 'mapping');
    });
    await store.sync();
    log.info({ jobId, runId }, 'run queued');
    this.#options.events.publish(workspaceId, { type: 'mapping.changed', jobId });
    this.#wake();
  }

  /**
   * Ends the active run of a job, if there is one, and settles when it has ended, also where another process carries it
   * out.
   */
  async cancel(jobId: string): Promise<void> {
    const run = await this.#options.store.db
      .selectFrom('mapping_runs')
      .select('id')
      .where('job_id', '=', jobId)
      .where('status', '=', 'running')
      .executeTakeFirst();
    if (run) await this.cancelRun(run.id, cancelled.reason);
  }

  /**
   * Ends this run where it goes on, as `cancel`. Where another process carries it out, that one tells its own reason.
   */
  async cancelRun(runId: string, reason: string): Promise<void> {
    const { store, queue, clock, now } = this.#options;
    const ending: Failed = { ...cancelled, reason };
    for (;;) {
      const run = await store.db
        .selectFrom('mapping_runs')
        .selectAll()
        .where('id', '=', runId)
        .where('status', '=', 'running')
        .executeTakeFirst();
      if (!run) return;
      const active = this.#active.get(run.id);
      if (active) {
        active.end(ending);
        await active.done;
      } else if (store.notices && (await isHeld(store.db, run.id, now()))) {
        // The word may be lost on its way: it also stands where the holder looks every few seconds.
        await store.writeUnguarded((transaction) =>
          transaction.updateTable('slots').set({ cancelled: true }).where('run_id', '=', run.id).execute(),
        );
        store.notices?.send({ type: 'cancel', runId: run.id });
        await sleep(clock, askAgainMs);
      } else if (await this.#end(run, ending)) {
        await queue.remove(run.id);
      }
    }
  }

  /** Carries a queued run out; the queue's worker calls this. Rejects where another worker shall have it. */
  async carryOut(runId: string): Promise<void> {
    if (this.#stopping && this.#options.store.notices) throw new HandedBack();
    if (this.#stopping || this.#active.has(runId)) return;
    const controller = new AbortController();
    const carried = this.#carryOut(runId, controller).finally(() => {
      this.#active.delete(runId);
    });
    this.#active.set(runId, {
      end: (ending) => {
        controller.abort(ending);
      },
      done: carried.catch(() => undefined),
    });
    await carried;
  }

  /** Takes up what ended processes left running. */
  async recover(): Promise<void> {
    const { store, queue, log } = this.#options;
    if (store.notices) {
      this.#sweepLater();
      return;
    }
    const running = await store.db.selectFrom('mapping_runs').selectAll().where('status', '=', 'running').execute();
    const found = await queue.recover(running.map((run) => run.id));
    for (const run of running) {
      log.warn({ runId: run.id, attempts: run.attempts }, 'a run was interrupted');
      if (found.lost.includes(run.id)) await this.#end(run, lost);
    }
  }

  /**
   * Lets go of every run. Where other processes share the store they go on; else all end, also those that wait: a later
   * start must not place calls that nobody expects. What was found is kept.
   */
  async stop(): Promise<void> {
    const { store, queue, clock } = this.#options;
    this.#stopping = true;
    if (this.#sweeping !== undefined) clock.clearTimeout(this.#sweeping);
    const active = [...this.#active.values()];
    for (const { end } of active) end(store.notices ? { how: 'handedBack' } : stopped);
    await Promise.all(active.map(({ done }) => done));
    if (store.notices) return;
    for (const run of await store.db.selectFrom('mapping_runs').selectAll().where('status', '=', 'running').execute()) {
      await this.#end(run, stopped);
      await queue.remove(run.id);
    }
  }

  async #carryOut(runId: string, controller: AbortController): Promise<void> {
    const { store, now, log } = this.#options;
    const run = await store.db
      .updateTable('mapping_runs')
      .set((row) => ({ attempts: row('attempts', '+', 1) }))
      .where('id', '=', runId)
      .where('status', '=', 'running')
      .returningAll()
      .executeTakeFirst();
    if (!run) return;
    await store.sync();
    const { diedOnCall } = await readDialled(store.db, runId, now());
    if (run.attempts > maxResumptions + 1 || diedOnCall > maxDiedOnCall) {
      await this.#end(run, interrupted);
      return;
    }
    const job = await store.db
      .selectFrom('mapping_jobs')
      .selectAll()
      .where('id', '=', run.job_id)
      .executeTakeFirstOrThrow();
    const attempt = new RunAttempt(this.#options, run);
    let outcome: Outcome;
    try {
      outcome = await attempt.carryOut({ ...job, config: run.config ?? job.config }, controller.signal, (why) => {
        controller.abort(why === 'cancelled' ? cancelled : { how: 'lost' });
      });
    } catch (error) {
      log.error({ runId, err: error }, 'a run failed');
      outcome = { status: 'failed', reason: failureReason(error) };
    }
    const ending = controller.signal.aborted ? (controller.signal.reason as Ending) : undefined;
    if (ending?.how === 'lost') {
      log.warn({ runId, attempt: run.attempts }, 'another process has this run now');
      return;
    }
    if (ending?.how === 'handedBack') {
      await this.#handBack(run, job.workspace_id, attempt);
      throw new HandedBack();
    }
    if (
      !(await endRun(
        this.#options,
        run,
        ending ? { status: 'failed', ...ending } : outcome,
        attempt.stats,
        () => !this.#stopping,
      ))
    )
      return;
    await this.#enrich(run, controller.signal);
    log.info({ runId, status: ending ? 'failed' : outcome.status, limitReason: outcome.limitReason }, 'run ended');
  }

  /** An attempt that was handed back does not count as an interruption. */
  async #handBack(run: RunRow, workspaceId: string, { stats }: RunAttempt): Promise<void> {
    const { store, now, log } = this.#options;
    await store.writeUnguarded(async (transaction) => {
      await transaction
        .updateTable('mapping_runs')
        .set({ attempts: run.attempts - 1, in_flight: 0, stats: JSON.stringify(stats) })
        .where('id', '=', run.id)
        .where('attempts', '=', run.attempts)
        .where('status', '=', 'running')
        .execute();
      await handBack(transaction, { workspaceId, runId: run.id, pool: 'mapping', attempt: run.attempts }, now());
    });
    log.info({ runId: run.id }, 'run handed back');
  }

  /** Where the job asks for it. What was found stands in any case. */
  async #enrich(run: RunRow, signal: AbortSignal): Promise<void> {
    const { store, events, model, log } = this.#options;
    try {
      const job = await store.db
        .selectFrom('mapping_jobs')
        .select(['workspace_id', 'config'])
        .where('id', '=', run.job_id)
        .executeTakeFirst();
      if (job && (run.config ?? job.config).probeMode === 'auto')
        await enrichRun({ store, events, model, log }, job.workspace_id, run.job_id, run.id, signal);
    } catch (error) {
      log.error({ runId: run.id, err: error }, 'a run could not be enriched');
    }
  }

  #end(run: RunRow, failed: Failed): Promise<boolean> {
    return endRun(this.#options, run, { status: 'failed', ...failed }, run.stats, () => !this.#stopping);
  }

  #wake(): void {
    const { store, queue } = this.#options;
    queue.wake();
    store.notices?.send({ type: 'work' });
  }

  /** Ends runs that no process holds and no queue: their jobs were tried too often, or are gone. */
  #sweepLater(): void {
    const { clock, log } = this.#options;
    this.#sweeping = clock.setTimeout(() => {
      this.#sweep()
        .catch((error: unknown) => {
          log.error({ err: error }, 'abandoned runs could not be looked for');
        })
        .finally(() => {
          if (!this.#stopping) this.#sweepLater();
        });
    }, sweepEveryMs);
  }

  async #sweep(): Promise<void> {
    const { store, queue, now, log } = this.#options;
    const runs = await store.db
      .selectFrom('mapping_runs')
      .innerJoin('slots', 'slots.run_id', 'mapping_runs.id')
      .selectAll('mapping_runs')
      .where('mapping_runs.status', '=', 'running')
      .where('slots.expires_at', '<', new Date(now().getTime() - abandonedMs))
      .execute();
    for (const run of runs) {
      if (await queue.holds(run.id)) continue;
      log.warn({ runId: run.id }, 'a run was abandoned');
      await this.#end(run, lost);
    }
  }
}
