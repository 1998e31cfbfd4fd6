import type { RawBuilder } from 'kysely';
import { sql } from 'kysely';
import type { Logger } from '../basics/log.ts';
import type { Lane, QueuedKind } from '../store/schema.ts';
import type { Store } from '../store/store.ts';
import { isStopping } from '../store/storeGate.ts';
import { leaseMs } from '../workspaces/admission.ts';
import { RunWorkers } from './runWorkers.ts';

interface QueueParts {
  readonly store: Store;
  readonly log: Logger;
}
/** The runs of a workspace that wait for the same workers. */
interface Group {
  readonly lane: Lane;
  readonly workspaceId: string;
}
/** `takenAt` distinguishes it from the same run, taken by another process or begun. */
interface TakenRun {
  readonly runId: string;
  readonly kind: QueuedKind;
  readonly takenAt: string;
}
type CarryOut = (kind: QueuedKind, runId: string) => Promise<void>;

/** If no notice arrives. */
const pollMs = 5000;
const closeMs = 2000;

/** Another worker should take the run. */
export class HandedBack extends Error {
  override readonly name = 'HandedBack';
}

/**
 * The queue of runs: the slots that no worker holds. A worker takes a slot, and the attempt that follows renews it. If
 * its process crashes, the slot waits again once its lease has expired.
 */
export class RunQueue {
  readonly #parts: QueueParts;
  readonly #workers = new RunWorkers();
  readonly #held = new Map<string, Promise<void>>();
  #carryOut: CarryOut | undefined;
  #taking: Promise<void> | undefined;
  #takeAgain = false;
  #endPolls: () => void = () => undefined;

  constructor(parts: QueueParts) {
    this.#parts = parts;
  }

  /** Notifies the workers of all processes that a run is waiting. Otherwise, they find it at their next poll. */
  announce(): void {
    this.#wake();
    this.#parts.store.notices?.send({ type: 'work' });
  }

  /** Returns all runs to the queue that an earlier process had taken, if this process owns the store. */
  async recover(): Promise<{ readonly waiting: ReadonlySet<string> }> {
    const slots = await this.#parts.store.db
      .updateTable('slots')
      .set({ taken_at: null })
      .where('lane', 'is not', null)
      .returning('run_id')
      .execute();
    return { waiting: new Set(slots.map(({ run_id: id }) => id)) };
  }

  /** Works on as many runs as `RunWorkers` allows. A call resolves when its run has ended, and rejects for a retry. */
  work(carryOut: CarryOut): void {
    this.#carryOut = carryOut;
    const timer = setInterval(() => this.#wake(), pollMs);
    const unlisten = this.#parts.store.notices?.listen({
      onNotice: ({ type }) => {
        if (type === 'work') this.#wake();
      },
      onGap: () => this.#wake(),
    });
    this.#endPolls = () => {
      clearInterval(timer);
      unlisten?.();
    };
    this.#wake();
  }

  /** Leaves what waits to other processes. */
  takeNoMore(): void {
    this.#carryOut = undefined;
    this.#endPolls();
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
    clearTimeout(timer);
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

  /** Takes runs while a worker is free, from each workspace in turn. */
  async #takeWaiting(): Promise<void> {
    const passed = new Set<string>();
    for (;;) {
      const carryOut = this.#carryOut;
      if (!carryOut) return;
      const group = (await this.#waitingGroups()).find(
        (one) => !passed.has(nameOf(one)) && this.#workers.mayTake(one.lane, one.workspaceId),
      );
      if (group === undefined) return;
      const run = await this.#take(group);
      // Another process was faster.
      if (!run) passed.add(nameOf(group));
      // This process was stopped meanwhile.
      else if (!this.#carryOut) await this.#giveBack(run);
      else this.#held.set(run.runId, this.#work(group, run, carryOut));
    }
  }

  async #work({ lane, workspaceId }: Group, run: TakenRun, carryOut: CarryOut): Promise<void> {
    const free = this.#workers.take(lane, workspaceId);
    let hasEnded = false;
    try {
      await carryOut(run.kind, run.runId);
      hasEnded = true;
    } catch (error) {
      if (!(error instanceof HandedBack)) this.#report(error);
      await this.#giveBack(run).catch((failure: unknown) => this.#report(failure));
    } finally {
      free();
      this.#held.delete(run.runId);
      // A run that couldn't begin is tried again at the next poll, and one that had begun once its lease has expired.
      if (hasEnded) this.#wake();
    }
  }

  /**
   * The condition for a slot that waits: no worker took it, or the process of its worker crashed, before or after the
   * attempt began. This process knows what it holds itself, even if it can't renew the lease.
   */
  #waits(): RawBuilder<boolean> {
    const held = [...this.#held.keys()];
    const isOther = held.length > 0 ? sql`run_id NOT IN (${sql.join(held)})` : sql`true`;
    return sql`(${isOther} AND (taken_at IS NULL OR taken_at < clock_timestamp() - interval '${sql.raw(String(leaseMs))} ms'))`;
  }

  /**
   * Returns the groups with waiting runs, the one whose turn it is first: the fewest active runs in all processes, then
   * the longest time since a worker took or renewed one of the workspace's, or ended one.
   */
  async #waitingGroups(): Promise<Group[]> {
    const { rows } = await sql<Group>`
      SELECT lane, workspace_id AS "workspaceId"
      FROM (SELECT *, ${this.#waits()} AS waits FROM slots WHERE lane IS NOT NULL) AS queued
      GROUP BY lane, workspace_id HAVING bool_or(waits)
      ORDER BY count(*) FILTER (WHERE NOT waits),
        greatest(max(taken_at), (SELECT max(at) FROM ledger WHERE ledger.workspace_id = queued.workspace_id)) NULLS FIRST,
        min(place) FILTER (WHERE waits)`.execute(this.#parts.store.db);
    return rows;
  }

  async #take({ lane, workspaceId }: Group): Promise<TakenRun | undefined> {
    const { rows } = await sql<TakenRun>`
      UPDATE slots SET taken_at = clock_timestamp() WHERE run_id = (
        SELECT run_id FROM slots WHERE lane = ${lane} AND workspace_id = ${workspaceId} AND ${this.#waits()}
        ORDER BY place LIMIT 1 FOR UPDATE SKIP LOCKED)
      RETURNING run_id AS "runId", kind, taken_at::text AS "takenAt"`.execute(this.#parts.store.db);
    return rows[0];
  }

  async #giveBack({ runId, takenAt }: TakenRun): Promise<void> {
    await sql`UPDATE slots SET taken_at = NULL WHERE run_id = ${runId} AND taken_at = ${takenAt}`.execute(
      this.#parts.store.db,
    );
  }

  #report(error: unknown): void {
    if (!isStopping(error)) this.#parts.log.error({ err: error }, 'queue');
  }
}

const nameOf = ({ lane, workspaceId }: Group): string => `${lane}:${workspaceId}`;
