import { randomUUID } from 'node:crypto';
import { HumanError } from '../../contract/errors.ts';
import type { MappingStats } from '../../contract/mapping.ts';
import type { CrawlOptions } from '../../engine/crawl.ts';
import type { CrawlEvent } from '../../engine/crawlEvent.ts';
import type { CrawlNode } from '../../engine/crawlNode.ts';
import type { Clock } from '../../telephony/clock.ts';
import type { EventBus } from '../events.ts';
import type { Logger } from '../log.ts';
import { enrichRun } from '../mapping/enrichment.ts';
import { noJob } from '../mapping/findJob.ts';
import { emptyStats } from '../mapping/resources.ts';
import type { JobRow, RunRow } from '../mapping/resources.ts';
import type { RunQueue } from '../queue/runQueue.ts';
import { fromMemory } from '../store/stepMemory.ts';
import type { Store } from '../store/store.ts';
import { admit, settle } from '../workspaces/admission.ts';
import type { CallLine } from './callLine.ts';
import type { Dialling, Routes } from './dialGate.ts';
import { resolveTarget } from './dialGate.ts';
import type { Recordings } from './recordings.ts';
import { RunRecorder, storeFailureReason } from './runRecorder.ts';
import { RunSlot } from './runSlot.ts';

export type Crawl = (options: CrawlOptions) => AsyncIterable<CrawlEvent>;

export interface MappingRunsOptions {
  readonly store: Store;
  readonly queue: RunQueue;
  readonly events: EventBus;
  readonly recordings: Recordings;
  readonly recordingsPath: string;
  readonly line: CallLine;
  readonly routes: Routes;
  readonly crawl: Crawl;
  readonly clock: Clock;
  readonly now: () => Date;
  readonly log: Logger;
}

type Outcome = Pick<Extract<CrawlEvent, { type: 'ended' }>, 'status' | 'limitReason' | 'reason'>;

interface ActiveRun { readonly controller: AbortController; readonly done: Promise<void> }

/** A run that is interrupted more often than this ends as failed. */
const maxResumptions = 2;
/** Every call of a cancelled run has ended after this, or is given up on. */
const hangUpMs = 2000;
/** A run sets so much aside for each call that it may place. */
const wantedSecondsACall = 60;
const retrySavingMs = 5000;

const cancelled = 'Cancelled. What was found is kept.';
const stopped = 'The service was stopped during this run. What was found is kept: start it again to map the rest.';
const interrupted = 'The service ended unexpectedly during this run, three times. What was found is kept. See the log, then start it again.';
const lost = 'The service ended unexpectedly during this run. What was found is kept: start it again to map the rest.';

/** Mapping runs: started by a request, carried out by the queue's workers, ended by themselves, a request or the service's end. */
export class MappingRuns {
  readonly #options: MappingRunsOptions;
  readonly #active = new Map<string, ActiveRun>();
  #stopping = false;

  constructor(options: MappingRunsOptions) { this.#options = options; }

  get activeCount(): number { return this.#active.size; }

  /** Creates a run and queues it. Refuses what must not be called before anything is stored. */
  async start(workspaceId: string, jobId: string): Promise<void> {
    const { store, queue, now, log } = this.#options;
    if (this.#stopping) throw new HumanError('The service is stopping. Start it again, then start the run.', { status: 503, code: 'stopping' });
    const runId = randomUUID();
    const job = await store.db.selectFrom('mapping_jobs').selectAll().where('id', '=', jobId).where('workspace_id', '=', workspaceId).executeTakeFirst();
    if (!job) throw noJob();
    await this.#permit(job);
    await store.write(async (transaction) => {
      if (!await transaction.selectFrom('mapping_jobs').select('id').where('id', '=', jobId).forUpdate().executeTakeFirst()) throw noJob();
      const latest = await transaction.selectFrom('mapping_runs').select(['run_number', 'status']).where('job_id', '=', jobId)
        .orderBy('run_number', 'desc').limit(1).executeTakeFirst();
      if (latest?.status === 'running') {
        throw new HumanError('This job is running already. Wait for the run to end, or cancel it first.', { status: 409, code: 'already_running' });
      }
      await transaction.insertInto('mapping_runs').values({
        id: runId, job_id: jobId, run_number: (latest?.run_number ?? 0) + 1, status: 'running', stats: JSON.stringify(emptyStats), started_at: now(),
        limit_reason: null, reason: null, completed_at: null,
      }).execute();
      await admit(transaction, { workspaceId, runId, pool: 'mapping', wantedSeconds: job.config.maxCalls * wantedSecondsACall, now: now() });
      await queue.enqueue(transaction, runId);
    });
    await store.sync();
    log.info({ jobId, runId }, 'run queued');
    this.#options.events.publish(workspaceId, { type: 'mapping.changed', jobId });
    queue.wake();
  }

  /** Ends the active run of a job, if there is one, and settles when it has ended. */
  async cancel(jobId: string): Promise<void> {
    const { store, queue } = this.#options;
    const run = await store.db.selectFrom('mapping_runs').selectAll().where('job_id', '=', jobId).where('status', '=', 'running').executeTakeFirst();
    if (!run) return;
    const active = this.#active.get(run.id);
    if (active) {
      active.controller.abort(cancelled);
      await active.done;
      return;
    }
    await this.#save(run, { status: 'failed', reason: cancelled }, run.stats);
    await queue.remove(run.id);
  }

  /** Carries a queued run out; the queue's worker calls this. */
  async carryOut(runId: string): Promise<void> {
    if (this.#stopping || this.#active.has(runId)) return;
    const controller = new AbortController();
    const done = this.#carryOut(runId, controller.signal).finally(() => { this.#active.delete(runId); });
    this.#active.set(runId, { controller, done });
    await done;
  }

  /** Takes up what an ended process left running. */
  async recover(): Promise<void> {
    const { store, queue, log } = this.#options;
    const running = await store.db.selectFrom('mapping_runs').selectAll().where('status', '=', 'running').execute();
    const found = await queue.recover(running.map((run) => run.id));
    for (const run of running) {
      log.warn({ runId: run.id, attempts: run.attempts }, 'a run was interrupted');
      if (found.lost.includes(run.id)) await this.#save(run, { status: 'failed', reason: lost }, run.stats);
    }
  }

  /** Ends every run, also those that wait: a later start must not place calls that nobody expects. What was found is kept. */
  async stop(): Promise<void> {
    const { store, queue } = this.#options;
    this.#stopping = true;
    const active = [...this.#active.values()];
    for (const { controller } of active) controller.abort(stopped);
    await Promise.all(active.map(({ done }) => done));
    for (const run of await store.db.selectFrom('mapping_runs').selectAll().where('status', '=', 'running').execute()) {
      await this.#save(run, { status: 'failed', reason: stopped }, run.stats);
      await queue.remove(run.id);
    }
  }

  async #permit(job: JobRow): Promise<Dialling> {
    const dialling = resolveTarget(job.phone_number, this.#options.routes);
    const number = dialling.consentFor;
    if (number === undefined) return dialling;
    const consent = await this.#options.store.db.selectFrom('consents').select('recorded_at')
      .where('workspace_id', '=', job.workspace_id).where('phone_number', '=', number).executeTakeFirst();
    if (!consent) {
      throw new HumanError(`${number} is on the public network and is only called with consent. Confirm "I may test this number" for it (recordConsent), then start again.`,
        { status: 403, code: 'consent_required', details: { phoneNumber: number, statement: 'I may test this number' } });
    }
    return dialling;
  }

  async #carryOut(runId: string, signal: AbortSignal): Promise<void> {
    const { store, log } = this.#options;
    const run = await store.db.updateTable('mapping_runs').set((row) => ({ attempts: row('attempts', '+', 1) }))
      .where('id', '=', runId).where('status', '=', 'running').returningAll().executeTakeFirst();
    if (!run) return;
    await store.sync();
    if (run.attempts > maxResumptions + 1) {
      await this.#save(run, { status: 'failed', reason: interrupted }, run.stats);
      return;
    }
    const progress = { stats: run.stats };
    let outcome: Outcome;
    try {
      outcome = await this.#crawl(run, signal, progress);
    } catch (error) {
      log.error({ runId, err: error }, 'a run failed');
      outcome = { status: 'failed', reason: error instanceof HumanError || isNamed(error, 'SpeechError') ? (error as Error).message : 'Internal error, see the log of the service.' };
    }
    if (signal.aborted) outcome = { status: 'failed', reason: String(signal.reason) };
    await this.#save(run, outcome, progress.stats);
    await this.#enrich(run);
    log.info({ runId, status: outcome.status, limitReason: outcome.limitReason }, 'run ended');
  }

  /** Where the job asks for it. What was found stands in any case. */
  async #enrich(run: RunRow): Promise<void> {
    const { store, events, log } = this.#options;
    try {
      const job = await store.db.selectFrom('mapping_jobs').select(['workspace_id', 'config']).where('id', '=', run.job_id).executeTakeFirst();
      if (job?.config.probeMode === 'auto') await enrichRun(store, events, job.workspace_id, run.job_id, run.id);
    } catch (error) {
      log.error({ runId: run.id, err: error }, 'a run could not be enriched');
    }
  }

  async #crawl(run: RunRow, signal: AbortSignal, progress: { stats: MappingStats }): Promise<Outcome> {
    const { store, recordings, recordingsPath, clock, crawl, line, log } = this.#options;
    const job = await store.db.selectFrom('mapping_jobs').selectAll().where('id', '=', run.job_id).executeTakeFirstOrThrow();
    const { uri, consentFor } = await this.#permit(job);
    const before = run.stats;
    if (before.callsPlaced >= job.config.maxCalls) return { status: 'limited', limitReason: 'max_calls', reason: 'The run had placed all its calls when the service stopped. Raise maxCalls to go on.' };
    const resume = await this.#resume(run.id);
    const failure = new AbortController();
    const recorder = new RunRecorder({
      runId: run.id, store, recordings, recordingsPath, clock, nextPosition: resume.nextPosition,
      onStored: ({ tree }) => {
        this.#publish(job, { type: 'mapping.changed' });
        if (tree) this.#publish(job, { type: 'mapping.tree', runId: run.id });
      },
      onFailure: (error) => {
        log.error({ runId: run.id, err: error }, 'a run could not be stored');
        failure.abort(error);
      },
    });
    const ending = AbortSignal.any([signal, failure.signal]);
    log.info({ runId: run.id, attempt: run.attempts, resumedSteps: resume.nodes.length }, 'run begins');
    const slot = new RunSlot({ ...this.#options, workspaceId: job.workspace_id, runId: run.id, pool: 'mapping' });
    const budgetSeconds = await slot.hold();
    const outcome = await line.use(async (opened) => {
      const explore = async (): Promise<Outcome> => {
        const options = {
          target: uri, config: { ...job.config, maxCalls: job.config.maxCalls - before.callsPlaced }, line: opened, clock, signal: ending, guarded: consentFor !== undefined,
          ...(resume.nodes.length > 0 && { resume: resume.nodes }),
          ...(budgetSeconds !== undefined && { budgetSeconds: Math.max(0, budgetSeconds - before.callSeconds) }),
        };
        for await (const event of crawl(options)) {
          if (event.type === 'ended') {
            progress.stats = addStats(before, event.stats);
            return event;
          }
          if (event.type === 'stats') progress.stats = addStats(before, event.stats);
          recorder.take(event.type === 'stats' ? { ...event, stats: progress.stats } : event);
        }
        throw new Error('the crawl ended without saying how');
      };
      return await Promise.race([explore(), this.#givenUp(ending)]);
    }).finally(() => { slot.release(); });
    await recorder.flush();
    return failure.signal.aborted ? { status: 'failed', reason: storeFailureReason(failure.signal.reason) } : outcome;
  }

  /** Settles some time after an abort that the crawl did not heed. */
  #givenUp(signal: AbortSignal): Promise<Outcome> {
    return new Promise((resolve) => {
      const give = (): void => { this.#options.clock.setTimeout(() => { resolve({ status: 'failed' }); }, hangUpMs); };
      if (signal.aborted) give();
      else signal.addEventListener('abort', give, { once: true });
    });
  }

  /** What is stored of an interrupted run. Nodes that were being explored are open again: nobody is at them any more. */
  async #resume(runId: string): Promise<{ readonly nodes: CrawlNode[]; readonly nextPosition: number }> {
    const rows = await this.#options.store.db.selectFrom('mapping_steps').select(['memory', 'position']).where('run_id', '=', runId).orderBy('position').execute();
    const nodes = rows.map((row): CrawlNode => {
      const node = fromMemory(row.memory);
      return node.status === 'exploring' ? { ...node, status: 'pending' } : node;
    });
    return { nodes, nextPosition: (rows.at(-1)?.position ?? -1) + 1 };
  }

  /** Stores the end of a run. It must not stay "running": where storing fails it is tried again until the service ends. */
  async #save(run: RunRow, outcome: Outcome, stats: MappingStats): Promise<void> {
    const { store, clock, log, now } = this.#options;
    for (;;) {
      try {
        const { workspace_id: workspaceId } = await store.writeUnguarded(async (transaction) => {
          await transaction.updateTable('mapping_runs').set({
            status: outcome.status, stats: JSON.stringify(stats), in_flight: 0, limit_reason: outcome.limitReason ?? null, reason: outcome.reason ?? null, completed_at: now(),
          }).where('id', '=', run.id).where('status', '=', 'running').execute();
          const open = await transaction.selectFrom('mapping_steps').selectAll().where('run_id', '=', run.id).where('status', '=', 'exploring').execute();
          for (const step of open) {
            await transaction.updateTable('mapping_steps').set({
              status: 'pending', node: JSON.stringify({ ...step.node, status: 'pending' }), memory: JSON.stringify({ ...step.memory, status: 'pending' }),
            }).where('run_id', '=', run.id).where('step_id', '=', step.step_id).execute();
          }
          const job = await transaction.selectFrom('mapping_jobs').select('workspace_id').where('id', '=', run.job_id).executeTakeFirstOrThrow();
          await settle(transaction, { workspaceId: job.workspace_id, runId: run.id, pool: 'mapping', seconds: stats.callSeconds, now: now() });
          return job;
        });
        await store.sync();
        this.#publish({ id: run.job_id, workspace_id: workspaceId }, { type: 'mapping.changed' });
        this.#publish({ id: run.job_id, workspace_id: workspaceId }, { type: 'mapping.tree', runId: run.id });
        return;
      } catch (error) {
        log.error({ runId: run.id, err: error }, 'the end of a run could not be stored');
        if (this.#stopping) return;
        await new Promise<void>((resolve) => { clock.setTimeout(resolve, retrySavingMs); });
      }
    }
  }

  #publish(job: Pick<JobRow, 'id' | 'workspace_id'>, event: { readonly type: 'mapping.changed' } | { readonly type: 'mapping.tree'; readonly runId: string }): void {
    this.#options.events.publish(job.workspace_id, { ...event, jobId: job.id });
  }
}

/** A resumed crawl counts its own calls; what it found includes what was found before. */
function addStats(before: MappingStats, now: MappingStats): MappingStats {
  return {
    ...now,
    callsPlaced: before.callsPlaced + now.callsPlaced,
    callsFailed: before.callsFailed + now.callsFailed,
    callSeconds: Math.round((before.callSeconds + now.callSeconds) * 1000) / 1000,
  };
}

const isNamed = (error: unknown, name: string): boolean => error instanceof Error && error.name === name;
