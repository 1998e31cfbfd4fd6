import type { PgBoss } from 'pg-boss';
import type { Transaction } from 'kysely';
import type { Logger } from '../basics/log.ts';
import type { Database, SlotKind } from '../store/schema.ts';
import type { Store } from '../store/store.ts';
import { createBoss, prepareQueue, runQueueName } from '../store/boss.ts';

/** Runs at once in this process; the others wait in the queue. */
const workers = 4;

/** The runs that wait for a worker. */
export type JobKind = Exclude<SlotKind, 'echo'>;
/** An echo call is carried out by whoever asks for it. */
export const isQueued = (kind: SlotKind): kind is JobKind => kind !== 'echo';
/** Jobs without a kind are of a time when there was one. */
interface RunJob {
  readonly runId: string;
  readonly kind?: JobKind;
}

/** Tells the queue that another worker shall have the job. */
export class HandedBack extends Error {
  override readonly name = 'HandedBack';
}

/** One queue job a run, with the run's id. A job outlives the process that works on it. */
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
    // pg-boss makes its schema in steps that disturb each other where two processes start at once.
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
    // Reads the queue's definition into pg-boss's cache: inside a transaction it could not ask for it, as the database
    // has one connection.
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

  /** Tells the workers of all processes that a job waits. Without it they find it at their next poll. */
  announce(): void {
    this.#wake();
    this.#store.notices?.send({ type: 'work' });
  }

  #wake(): void {
    for (const id of this.#workerIds) this.#boss.notifyWorker(id);
  }

  /** Whether the job waits or is being worked on, by whichever process. */
  async holds(runId: string): Promise<boolean> {
    const [job] = await this.#boss.findJobs(runQueueName, { id: runId });
    return job !== undefined && ['created', 'retry', 'active'].includes(job.state);
  }

  async remove(runId: string): Promise<void> {
    await this.#boss.deleteJob(runQueueName, runId);
  }

  /**
   * Puts jobs back that another process had begun, where this process owns the store: nobody works on them any more.
   */
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
   * Works on runs, a few at once. Each settles when its run has ended, and rejects only where the run shall be tried
   * again.
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
