import { because, join, sentence } from '../../base/sentences.ts';
import type { MappingStats } from '../../contract/mapping.ts';
import { defaultCallsPerSecond } from '../../engine/crawl/crawl.ts';
import { raiseMaxCalls } from '../../model/tree/limitAdvice.ts';
import type { CrawlOptions } from '../../engine/crawl/crawl.ts';
import type { CrawlEvent } from '../../engine/crawl/crawlEvent.ts';
import type { CrawlNode } from '../../engine/crawl/crawlNode.ts';
import type { EventBus } from '../store/events.ts';
import type { JobRow, RunRow } from './resources.ts';
import { fromMemory } from '../store/stepMemory.ts';
import { dialerFor } from '../runs/dialerFor.ts';
import type { DialerParts } from '../runs/dialerFor.ts';
import type { MappingOutcome } from './endRun.ts';
import type { RunControl } from '../runs/lifecycle.ts';
import { permitCalls } from '../runs/permission.ts';
import { logFailure } from '../runs/stopReason.ts';
import type { Recordings } from '../runs/recordings.ts';
import { RunRecorder, storeFailureReason } from './runRecorder.ts';

export type Crawl = (options: CrawlOptions) => AsyncIterable<CrawlEvent>;

export interface RunAttemptParts extends DialerParts {
  readonly events: EventBus;
  readonly recordings: Recordings;
  readonly recordingsPath: string;
  readonly crawl: Crawl;
}

/** Every call of an aborted run ends within this time, or isn't waited for. */
const hangUpMs = 2000;

/** One attempt at a run: crawls, and stores the events. `stats` are of the whole run, including earlier attempts. */
export class RunAttempt {
  readonly #parts: RunAttemptParts;
  readonly #run: RunRow;
  stats: MappingStats;

  constructor(parts: RunAttemptParts, run: RunRow) {
    this.#parts = parts;
    this.#run = run;
    this.stats = run.stats;
  }

  async carryOut(job: JobRow, { signal, budgetSeconds, interrupt }: RunControl): Promise<MappingOutcome> {
    const { store, lines, recordings, recordingsPath, clock, crawl, log } = this.#parts;
    const run = this.#run;
    const permit = await permitCalls(store, lines, { ...job, caller: run.caller });
    const { callsPerSecond, concurrentCalls = Infinity } = lines.limitsOf(permit);
    const before = run.stats;
    if (before.callsPlaced >= job.config.maxCalls)
      return {
        status: 'limited',
        limitReason: 'max_calls',
        ...because(join(sentence`The run had placed all its calls before the service stopped.`, raiseMaxCalls)),
      };
    const resume = await this.#resume();
    const failure = new AbortController();
    const recorder = new RunRecorder({
      runId: run.id,
      store,
      recordings,
      recordingsPath,
      clock,
      nextPosition: resume.nextPosition,
      onStored: ({ tree }) => {
        this.#publish(job, { type: 'mapping.changed' });
        if (tree) this.#publish(job, { type: 'mapping.tree', runId: run.id });
      },
      onFailure: (error) => {
        logFailure({ runId: run.id, log, signal }, error, 'a run could not be stored');
        failure.abort(error);
      },
    });
    const ending = AbortSignal.any([signal, failure.signal]);
    log.info({ runId: run.id, attempt: run.attempts, resumedSteps: resume.nodes.length }, 'run begins');
    const calling = { runId: run.id, slotOf: run.id, attempt: run.attempts, interrupt };
    const outcome = await dialerFor(this.#parts, calling, permit, async (calls) => {
      const explore = async (): Promise<MappingOutcome> => {
        const options = {
          ...calls,
          config: {
            ...job.config,
            maxCalls: job.config.maxCalls - before.callsPlaced,
            concurrency: Math.min(job.config.concurrency, concurrentCalls, permit.caller.concurrency ?? Infinity),
          },
          signal: ending,
          ...(callsPerSecond !== undefined && { callsPerSecond: Math.min(callsPerSecond, defaultCallsPerSecond) }),
          ...(resume.nodes.length > 0 && { resume: resume.nodes }),
          ...(budgetSeconds !== undefined && { budgetSeconds: Math.max(0, budgetSeconds - before.callSeconds) }),
        };
        for await (const event of crawl(options)) {
          if (event.type === 'ended') {
            this.stats = addStats(before, event.stats);
            return event;
          }
          if (event.type === 'stats') this.stats = addStats(before, event.stats);
          recorder.take(event.type === 'stats' ? { ...event, stats: this.stats } : event);
        }
        throw new Error('the crawl ended without saying how');
      };
      return await Promise.race([explore(), this.#givenUp(ending)]);
    });
    await recorder.close();
    return failure.signal.aborted
      ? { status: 'failed', ...because(storeFailureReason(failure.signal.reason)) }
      : outcome;
  }

  /** Resolves some time after an abort if the crawl doesn't respond to it. */
  #givenUp(signal: AbortSignal): Promise<MappingOutcome> {
    return new Promise((resolve) => {
      const give = (): void => {
        this.#parts.clock.setTimeout(() => resolve({ status: 'failed' }), hangUpMs);
      };
      if (signal.aborted) give();
      else signal.addEventListener('abort', give, { once: true });
    });
  }

  /** Reads what is stored of an interrupted run. Nodes that were being explored are open again. */
  async #resume(): Promise<{ readonly nodes: CrawlNode[]; readonly nextPosition: number }> {
    const rows = await this.#parts.store.db
      .selectFrom('mapping_steps')
      .select(['memory', 'position'])
      .where('run_id', '=', this.#run.id)
      .orderBy('position')
      .execute();
    const nodes = rows.map((row): CrawlNode => {
      const node = fromMemory(row.memory);
      return node.status === 'exploring' ? { ...node, status: 'pending' } : node;
    });
    return { nodes, nextPosition: (rows.at(-1)?.position ?? -1) + 1 };
  }

  #publish(
    job: Pick<JobRow, 'id' | 'workspace_id'>,
    event: { readonly type: 'mapping.changed' } | { readonly type: 'mapping.tree'; readonly runId: string },
  ): void {
    this.#parts.events.publish(job.workspace_id, { ...event, jobId: job.id });
  }
}

/** A resumed crawl counts its own calls; what it found includes earlier results. */
function addStats(before: MappingStats, now: MappingStats): MappingStats {
  return {
    ...now,
    callsPlaced: before.callsPlaced + now.callsPlaced,
    callsFailed: before.callsFailed + now.callsFailed,
    callSeconds: Math.round((before.callSeconds + now.callSeconds) * 1000) / 1000,
  };
}
