import type { Job, PgBoss } from 'pg-boss';
import type { Transaction } from 'kysely';
import type { Logger } from '../basics/log.ts';
import type { Database, SlotKind } from '../store/schema.ts';
import type { Store } from '../store/store.ts';
import { createBoss, heartbeatSeconds, prepareQueue, runQueueName, waitingGroups } from '../store/boss.ts';
import { isStopping } from '../store/storeGate.ts';
import { RunWorkers } from './runWorkers.ts';
import type { JobKind, Lane } from './runWorkers.ts';

/** The request for an echo call performs it itself. */
export const isQueued = (kind: SlotKind): kind is JobKind => kind !== 'echo';
/** Jobs without a kind are from before the queue was shared. */
interface RunJob {
  readonly runId: string;
  readonly kind?: JobKind;
}
interface NewJob {
  readonly runId: string;
  readonly kind: JobKind;
  readonly workspaceId: string;
  /** The run only waits for an incoming call. */
  readonly waits: boolean;
}
type CarryOut = (kind: JobKind, runId: string) => Promise<void>;

/** If no notice arrives. */
const pollMs = 5000;
const closeMs = 2000;

/** Another worker should take the job. */
export class HandedBack extends Error {
  override readonly name = 'HandedBack';
}

/** One queue job per run, with the run's id. A job outlives the process that works on it. */
export class RunQueue {
  readonly #store: Store;
  readonly #boss: PgBoss;
  readonly #log: Logger;
  readonly #workers = new RunWorkers();
  readonly #held = new Map<Job<RunJob>, Promise<void>>();
  readonly #timers: NodeJS.Timeout[] = [];
  #carryOut: CarryOut | undefined;
  #taking: Promise<void> | undefined;
  #takeAgain = false;

  private constructor(store: Store, boss: PgBoss, log: Logger) {
    this.#store = store;
    this.#boss = boss;
    this.#log = log;
  }

  static async open(store: Store, log: Logger): Promise<RunQueue> {
    const shared = store.notices !== undefined;
    const boss = createBoss(store.queueDatabase, shared, (error) => log.error({ err: error }, 'queue'));
    // pg-boss creates its schema in steps that conflict if two processes start simultaneously.
    await store.alone(async () => {
      await boss.start();
      await prepareQueue(boss, shared);
    });
    const queue = new RunQueue(store, boss, log);
    store.notices?.listen({
      onNotice: ({ type }) => {
        if (type === 'work') queue.#wake();
      },
      onGap: () => queue.#wake(),
    });
    // Reads the queue's definition into pg-boss's cache, because it couldn't query it inside a transaction: the
    // database has one connection.
    await boss.findJobs(runQueueName, { id: '00000000-0000-4000-8000-000000000000' });
    return queue;
  }

  /** Adds the run in the transaction that creates it. */
  async enqueue(transaction: Transaction<Database>, { runId, kind, workspaceId, waits }: NewJob): Promise<void> {
    const lane: Lane = waits ? 'wait' : kind;
    await this.#boss.send(runQueueName, { runId, kind } satisfies RunJob, {
      id: runId,
      group: { id: `${lane}:${workspaceId}` },
      db: this.#store.queueIn(transaction),
    });
  }

  /** Notifies the workers of all processes that a job is waiting. Otherwise, they find it at their next poll. */
  announce(): void {
    this.#wake();
    this.#store.notices?.send({ type: 'work' });
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

  /** Works on as many runs as `RunWorkers` allows. A call resolves when its run has ended, and rejects for a retry. */
  work(carryOut: CarryOut): void {
    this.#carryOut = carryOut;
    this.#timers.push(
      setInterval(() => this.#wake(), pollMs),
      setInterval(
        () => {
          if (this.#held.size > 0)
            this.#boss.touch(runQueueName, [...this.#held.keys()]).catch((error: unknown) => this.#report(error));
        },
        heartbeatSeconds(this.#store.notices !== undefined) * 500,
      ),
    );
    this.#wake();
  }

  /** Leaves what waits to other processes. */
  takeNoMore(): void {
    this.#carryOut = undefined;
  }

  async close(): Promise<void> {
    this.takeNoMore();
    const settled = async (): Promise<void> => {
      await this.#taking;
      await Promise.all(this.#held.values());
    };
    let timer: NodeJS.Timeout | undefined;
    // A database that doesn't respond must not hold up the stop.
    await Promise.race([settled(), new Promise((resolve) => (timer = setTimeout(resolve, closeMs)))]);
    for (const each of [timer, ...this.#timers]) clearTimeout(each);
    await this.#boss.stop({ graceful: true, timeout: closeMs });
  }

  #wake(): void {
    this.#takeAgain = true;
    this.#taking ??= this.#takeAll().finally(() => {
      this.#taking = undefined;
    });
  }

  async #takeAll(): Promise<void> {
    while (this.#takeAgain) {
      this.#takeAgain = false;
      await this.#takeWaiting().catch((error: unknown) => this.#report(error));
    }
  }

  /** Takes jobs while a worker is free, from each workspace in turn. */
  async #takeWaiting(): Promise<void> {
    const passed = new Set<string>();
    for (;;) {
      const carryOut = this.#carryOut;
      if (!carryOut) return;
      const groups = await waitingGroups(this.#store.queueDatabase);
      const next = groups.find((group) => !passed.has(group) && this.#workers.mayTake(...placeOf(group)));
      if (next === undefined) return;
      // A job that another workspace added this moment may come instead, at worst one run too many.
      const [job] = await this.#boss.fetch<RunJob>(runQueueName, {
        ignoreGroups: groups.filter((group) => group !== next),
      });
      // Another process was faster.
      if (!job) passed.add(next);
      // This process was stopped meanwhile.
      else if (!this.#carryOut) await this.#boss.fail(runQueueName, job, { message: 'This process is stopping.' });
      else this.#held.set(job, this.#work(job, carryOut));
    }
  }

  async #work(job: Job<RunJob>, carryOut: CarryOut): Promise<void> {
    const { runId, kind = 'mapping' } = job.data;
    const free = this.#workers.take(...placeOf(job.groupId ?? `${kind}:`));
    let hasEnded = false;
    try {
      const failure = await carryOut(kind, runId).then(
        () => undefined,
        (error: unknown) => ({ message: String(error) }),
      );
      if (failure) await this.#boss.fail(runQueueName, job, failure);
      else await this.#boss.complete(runQueueName, job);
      hasEnded = failure === undefined;
    } catch (error) {
      this.#report(error);
    } finally {
      free();
      this.#held.delete(job);
      // A failed run is tried again at the next poll.
      if (hasEnded) this.#wake();
    }
  }

  #report(error: unknown): void {
    if (!isStopping(error)) this.#log.error({ err: error }, 'queue');
  }
}

function placeOf(group: string): [lane: Lane, workspaceId: string] {
  const [lane = '', workspaceId = ''] = group.split(':');
  return [lane as Lane, workspaceId];
}
