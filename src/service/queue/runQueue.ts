import type { PgBoss } from 'pg-boss';
import type { Transaction } from 'kysely';
import type { Logger } from '../basics/log.ts';
import type { Database, SlotKind } from '../store/schema.ts';
import type { Store } from '../store/store.ts';
import { createBoss, prepareQueue, runQueueName } from '../store/boss.ts';

/** Simultaneous runs in this process; others wait in the queue. */
const workers = 4;

/** The runs that wait for a worker. */
type JobKind = Exclude<SlotKind, 'echo'>;
/** The request for an echo call performs it itself. */
export const isQueued = (kind: SlotKind): kind is JobKind => kind !== 'echo';
/** Jobs without a kind are from before the queue was shared. */
interface RunJob {
  readonly runId: string;
  readonly kind?: JobKind;
}

/** Another worker should take the job. */
export class HandedBack extends Error {
  override readonly name = 'HandedBack';
}

/** One queue job per run, with the run's id. A job outlives the process that works on it. */
export class RunQueue {
  readonly #store: Store;
  readonly #boss: PgBoss;
  #workerIds: readonly string[] = [];

  private constructor(store: Store, boss: PgBoss) {
    this.#store = store;
    this.#boss = boss;
  }

  static async open(store: Store, log: Logger): Promise<RunQueue> {
    const shared = store.notices !== undefined;
    const boss = createBoss(store.queueDatabase, shared, (error) => {
      log.error({ err: error }, 'queue');
    });
    // pg-boss creates its schema in steps that conflict if two processes start simultaneously.
    await store.alone(async () => {
      await boss.start();
      await prepareQueue(boss, shared);
    });
    const queue = new RunQueue(store, boss);
    store.notices?.listen({
      onNotice: ({ type }) => {
        if (type === 'work') queue.#wake();
      },
      onGap: () => {
        queue.#wake();
      },
    });
    // Reads the queue's definition into pg-boss's cache, because it couldn't query it inside a transaction: the
    // database has one connection.
    await boss.findJobs(runQueueName, { id: '00000000-0000-4000-8000-000000000000' });
    return queue;
  }

  /** Adds the run in the transaction that creates it. */
  async enqueue(transaction: Transaction<Database>, runId: string, kind: JobKind): Promise<void> {
    await this.#boss.send(runQueueName, { runId, kind } satisfies RunJob, {
      id: runId,
      db: this.#store.queueIn(transaction),
    });
  }

  /** Notifies the workers of all processes that a job is waiting. Otherwise, they find it at their next poll. */
  announce(): void {
    this.#wake();
    this.#store.notices?.send({ type: 'work' });
  }

  #wake(): void {
    for (const id of this.#workerIds) this.#boss.notifyWorker(id);
  }

  /** Returns true if the job is waiting or in progress, in any process. */
  async holds(runId: string): Promise<boolean> {
    const [job] = await this.#boss.findJobs(runQueueName, { id: runId });
    return job !== undefined && ['created', 'retry', 'active'].includes(job.state);
  }

  async remove(runId: string): Promise<void> {
    await this.#boss.deleteJob(runQueueName, runId);
  }

  /** Returns jobs to the queue that an earlier process had started, if this process owns the store. */
  async recover(runIds: readonly string[]): Promise<{ readonly lost: readonly string[] }> {
    const lost: string[] = [];
    for (const runId of runIds) {
      const [job] = await this.#boss.findJobs(runQueueName, { id: runId });
      if (job?.state === 'active') await this.#boss.fail(runQueueName, runId, { reason: 'interrupted' });
      else if (job?.state !== 'created' && job?.state !== 'retry') lost.push(runId);
    }
    return { lost };
  }

  /**
   * Works on runs, a few at a time. Each call resolves when its run has ended, and rejects only if the run should be
   * tried again.
   */
  async work(carryOut: (kind: JobKind, runId: string) => Promise<void>): Promise<void> {
    const ids: string[] = [];
    for (let index = 0; index < workers; index += 1) {
      ids.push(
        await this.#boss.work<RunJob>(runQueueName, { batchSize: 1, pollingIntervalSeconds: 5 }, async (jobs) => {
          for (const { data } of jobs) await carryOut(data.kind ?? 'mapping', data.runId);
        }),
      );
    }
    this.#workerIds = ids;
  }

  async close(): Promise<void> {
    await this.#boss.stop({ graceful: true, timeout: 2000 });
  }
}
