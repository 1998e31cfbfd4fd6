import type { Kysely, Selectable, Transaction } from 'kysely';
import { sleep } from '../../base/clock.ts';
import type { Clock, TimerHandle } from '../../base/clock.ts';
import type { Logger } from '../basics/log.ts';
import { HandedBack, isQueued } from './runQueue.ts';
import type { RunQueue } from './runQueue.ts';
import type { Database, SlotKind } from '../store/schema.ts';
import type { Store } from '../store/store.ts';
import { serviceStopping } from '../store/storeGate.ts';
import { admit, freeSlot, handBack, isHeld, poolOf, settle, takeSlot } from '../workspaces/admission.ts';
import type { WantedCalls } from '../workspaces/budgets.ts';
import { assertCapacity } from '../workspaces/capacity.ts';
import { readWorkspace } from '../workspaces/keys.ts';
import type { OperatorContact } from '../workspaces/operatorContact.ts';
import type { Launcher } from '../workspaces/principal.ts';
import { RunSlot } from './runSlot.ts';
import type { StopReason } from './stopReason.ts';

export interface LifecycleParts {
  readonly store: Store;
  readonly queue: RunQueue;
  readonly clock: Clock;
  readonly now: () => Date;
  readonly log: Logger;
  readonly contact?: OperatorContact;
  /** Whether this server sends codes by text message. */
  readonly sendsCodes?: boolean;
}

export interface OpenRun {
  readonly id: string;
}

/** Another attempt at a run. `giveUp`: why it isn't made. */
export interface Attempt<Row> {
  readonly row: Row;
  readonly workspaceId: string;
  readonly attempt: number;
  readonly giveUp?: StopReason;
}

export interface RunControl {
  /** Aborted with a StopReason. */
  readonly signal: AbortSignal;
  /** Seconds of calls that the run may use; undefined means no limit. */
  readonly budgetSeconds: number | undefined;
}

/** `used` is missing if the run's parts were counted one by one. */
export interface EndedRun {
  readonly workspaceId: string;
  readonly used?: { readonly seconds: number; readonly calls: number };
}

/**
 * A kind of run: what is specific to it. `Row` is what the store holds of a run that hasn't ended, `End` how it ended.
 * The lifecycle passes back only what it got from the same kind.
 */
export interface RunKind<Row extends OpenRun = OpenRun, End = unknown> {
  /** Whether other processes continue a run when this one stops. If not, the run ends with this process. */
  readonly handsOver: boolean;
  /** The usual reasons for ends from outside: on request, when the service stops, after a crash. */
  readonly cancelled: StopReason;
  readonly stopped: StopReason;
  readonly lost: StopReason;

  /** Returns the runs that haven't ended: all, or the one with this id. */
  open(db: Kysely<Database>, id?: string): Promise<Row[]>;
  /** Ends what earlier attempts left unfinished. The slot still shows when their process was last seen. */
  prepare?(id: string): Promise<void>;
  /** Counts another attempt, unless the run has ended. */
  begin(transaction: Transaction<Database>, id: string): Promise<Attempt<Row> | undefined>;
  /** Does the work and returns how it ended. A rejection returns the run to the queue. */
  work(attempt: Attempt<Row>, control: RunControl): Promise<End>;
  /** Returns the end of a run that is ended from outside. `worked` is the result of `work`, if it was called. */
  endOf(row: Row, why: StopReason, worked?: End): End | Promise<End>;
  /** Stores the end. Returns undefined if the run has ended or another attempt owns it. */
  end(transaction: Transaction<Database>, row: Row, end: End): Promise<EndedRun | undefined>;
  /** Stores what another process needs to continue. */
  handBack?(transaction: Transaction<Database>, row: Row, worked: End | undefined): Promise<void>;
  /** Notifies listeners that the run has ended. */
  ended?(row: Row, workspaceId: string): void;
  /** Works on a run that has ended; it still counts as active. */
  afterwards?(row: Row, signal: AbortSignal): Promise<void>;
}

interface ActiveRun {
  readonly kind: RunKind;
  readonly controller: AbortController;
  readonly done: Promise<unknown>;
}

interface NewRun<Made> {
  readonly id: string;
  readonly launcher: Launcher;
  /** Refuses targets that may not be called: target 400, consent 403. */
  readonly prepare: () => Promise<PreparedRun<Made>>;
}

interface PreparedRun<Made> {
  readonly wanted: WantedCalls;
  /** The run only waits for an incoming call. */
  readonly waits?: boolean;
  /** Refuses the run because of the current state (409), before minutes are reserved for it. */
  readonly check?: (transaction: Transaction<Database>) => Promise<void>;
  readonly insert: (transaction: Transaction<Database>, workspace: Selectable<Database['workspaces']>) => Promise<Made>;
}

const askAgainMs = 250;
const saveAgainMs = 5000;
const sweepEveryMs = 30_000;
/** A slot that expired this long ago has no process any more. */
const abandonedMs = 60_000;

/**
 * The life of all runs: admitted, queued, performed by one process at a time, ended and counted once, whether they end
 * by themselves, on request, by a stop, or after a crash.
 */
export class RunLifecycle<Name extends SlotKind = SlotKind> {
  readonly #parts: LifecycleParts;
  readonly #kinds: Readonly<Record<Name, RunKind>>;
  readonly #active = new Map<string, ActiveRun>();
  #sweeping: TimerHandle | undefined;
  #stopping = false;

  constructor(parts: LifecycleParts, kinds: Readonly<Record<Name, RunKind>>) {
    this.#parts = parts;
    this.#kinds = kinds;
    parts.store.notices?.listen({
      onNotice: (notice) => {
        const active = notice.type === 'cancel' && this.#active.get(notice.runId);
        if (active) active.controller.abort(active.kind.cancelled);
      },
    });
  }

  get activeCount(): number {
    return this.#active.size;
  }

  isActive(id: string): boolean {
    return this.#active.has(id);
  }

  /** @throws HumanError 503 `stopping` */
  assertRunning(): void {
    if (this.#stopping) throw serviceStopping();
  }

  /**
   * Admits, stores and queues a run in one transaction, so that a refusal leaves nothing. The order of refusals, after
   * those of `invoke` and for nonexistent resources: capacity 402, target 400, consent 403, state 409, budget 402,
   * ceiling 429. Capacity is first, so that an agent learns how to get minutes before anything that it can't know yet.
   */
  async start<Made>(kind: Name, { id, launcher, prepare }: NewRun<Made>): Promise<Made> {
    const { store, queue, now, log, contact, sendsCodes } = this.#parts;
    this.assertRunning();
    await assertCapacity(store.db, await readWorkspace(store.db, launcher.workspaceId), poolOf[kind], {
      contact,
      sendsCodes,
    });
    const { wanted, waits = false, check, insert } = await prepare();
    const createdRun = await store.write(async (transaction) => {
      // `stop` ends what is stored by then; this run would be stored afterwards.
      this.assertRunning();
      await check?.(transaction);
      const { workspace } = await admit(transaction, {
        workspaceId: launcher.workspaceId,
        runId: id,
        kind,
        wanted,
        now: now(),
        launcher,
        contact,
        sendsCodes,
      });
      const rows = await insert(transaction, workspace);
      if (isQueued(kind))
        await queue.enqueue(transaction, { runId: id, kind, workspaceId: launcher.workspaceId, waits });
      return rows;
    });
    await store.sync();
    if (isQueued(kind)) {
      log.info({ runId: id, kind }, 'run queued');
      queue.announce();
    }
    return createdRun;
  }

  /** Ends a run, even if another process performs it. Resolves when it has ended. */
  async cancel(name: Name, id: string, reason: StopReason = this.#kinds[name].cancelled): Promise<void> {
    const { store, queue, now } = this.#parts;
    const kind = this.#kinds[name];
    await endWherever(this.#parts, id, reason, {
      find: async () => (await kind.open(store.db, id))[0],
      here: () => this.#active.get(id),
      isElsewhere: () => isHeld(store.db, id, now()),
      ask: (transaction) =>
        transaction.updateTable('slots').set({ cancelled: true }).where('run_id', '=', id).execute(),
      end: async (row) => {
        if (await this.#end(name, row, await kind.endOf(row, reason))) await queue.remove(id);
      },
    });
  }

  /**
   * Performs a run until it has ended, unless there is nothing to do, or another process continues it.
   * @throws HandedBack if another worker should take it
   */
  async carryOut(name: Name, id: string): Promise<void> {
    if (this.#stopping && this.#parts.store.notices) throw new HandedBack();
    if (this.#stopping || this.#active.has(id)) return;
    const controller = new AbortController();
    const carried = this.#attempt(name, id, controller).finally(() => {
      this.#active.delete(id);
    });
    this.#active.set(id, { kind: this.#kinds[name], controller, done: carried.catch(() => undefined) });
    await carried;
  }

  /** Ends or resumes what crashed processes left. The queue's workers take the rest. */
  async recover(): Promise<void> {
    const { store, queue, log } = this.#parts;
    if (store.notices) {
      this.#sweepLater();
      return;
    }
    for (const [name, kind] of byName(this.#kinds)) {
      const rows = await kind.open(store.db);
      const { lost } = await queue.recover(rows.map(({ id }) => id));
      for (const row of rows) {
        log.warn({ runId: row.id, kind: name }, 'a run was interrupted');
        if (lost.includes(row.id)) await this.#end(name, row, await kind.endOf(row, kind.lost));
      }
    }
  }

  /**
   * Stops all runs. If other processes share the store, they continue the runs that can be handed over. Otherwise all
   * end, including waiting ones, because a later start must not place unexpected calls.
   */
  async stop(): Promise<void> {
    const { store, queue, clock, log } = this.#parts;
    this.#stopping = true;
    if (this.#sweeping !== undefined) clock.clearTimeout(this.#sweeping);
    const active = [...this.#active.values()];
    for (const { kind, controller } of active) controller.abort(kind.stopped);
    await Promise.all(active.map(({ done }) => done));
    if (store.notices) return;
    const ended = byName(this.#kinds).map(async ([name, kind]) => {
      for (const row of await kind.open(store.db)) {
        await this.#end(name, row, await kind.endOf(row, kind.stopped));
        await queue.remove(row.id);
      }
    });
    // What fails for one kind doesn't keep the others open.
    for (const stopped of await Promise.allSettled(ended))
      if (stopped.status === 'rejected') log.error({ err: stopped.reason as unknown }, 'some runs could not be ended');
  }

  async #attempt(name: Name, id: string, controller: AbortController): Promise<void> {
    const { store, now, log } = this.#parts;
    const kind = this.#kinds[name];
    await kind.prepare?.(id);
    const begun = await store.writeUnguarded(async (transaction) => {
      const attempt = await kind.begin(transaction, id);
      if (!attempt || attempt.giveUp) return attempt;
      const { workspaceId } = attempt;
      const ownedRun = { workspaceId, runId: id, kind: name, attempt: attempt.attempt };
      return { ...attempt, held: ownedRun, budgetSeconds: await takeSlot(transaction, ownedRun, now()) };
    });
    if (!begun) return;
    await store.sync();
    const { row } = begun;
    if (!('held' in begun)) {
      await this.#end(name, row, await kind.endOf(row, begun.giveUp ?? kind.lost));
      return;
    }
    let isLost = false;
    const slot = new RunSlot({
      ...this.#parts,
      run: begun.held,
      onEnd: (why) => {
        isLost = why === 'lost';
        controller.abort(isLost ? kind.lost : kind.cancelled);
      },
    });
    const { signal } = controller;
    let worked: { readonly end: unknown } | undefined;
    try {
      if (!signal.aborted) worked = { end: await kind.work(begun, { signal, budgetSeconds: begun.budgetSeconds }) };
    } finally {
      slot.release();
    }
    if (isLost) {
      log.warn({ runId: id, attempt: begun.attempt }, 'another process has this run now');
      return;
    }
    const why = signal.aborted ? (signal.reason as StopReason) : undefined;
    if (why === kind.stopped && kind.handsOver && store.notices) {
      await store.writeUnguarded(async (transaction) => {
        await kind.handBack?.(transaction, row, worked?.end);
        await handBack(transaction, begun.held, now());
      });
      log.info({ runId: id }, 'run handed back');
      throw new HandedBack();
    }
    const end = worked && !why ? worked.end : await kind.endOf(row, why ?? kind.lost, worked?.end);
    if (await this.#end(name, row, end)) await kind.afterwards?.(row, signal);
  }

  /**
   * Stores the end of a run and counts its usage, in one transaction. Returns false if the run has ended or another
   * attempt owns it. A run must not stay "running", so a failure is retried until the service stops.
   */
  async #end(name: Name, row: OpenRun, end: unknown): Promise<boolean> {
    const { store, clock, now, log } = this.#parts;
    const kind = this.#kinds[name];
    const runId = row.id;
    for (;;) {
      try {
        const ended = await store.writeUnguarded(async (transaction) => {
          const stored = await kind.end(transaction, row, end);
          if (!stored) return undefined;
          const { workspaceId, used } = stored;
          if (used) await settle(transaction, { workspaceId, runId, kind: name, ...used, now: now() });
          else await freeSlot(transaction, workspaceId, runId);
          return stored;
        });
        if (!ended) return false;
        await store.sync();
        kind.ended?.(row, ended.workspaceId);
        log.info({ runId, kind: name }, 'run ended');
        return true;
      } catch (error) {
        log.error({ runId, err: error }, 'the end of a run could not be stored');
        if (this.#stopping) return false;
        await sleep(clock, saveAgainMs);
      }
    }
  }

  /** Ends runs that neither a process nor the queue holds: they were tried too often, or their job is gone. */
  #sweepLater(): void {
    const { clock, log } = this.#parts;
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
    const { store, queue, now, log } = this.#parts;
    const slots = await store.db
      .selectFrom('slots')
      .select(['run_id', 'workspace_id', 'kind'])
      .where('expires_at', '<', new Date(now().getTime() - abandonedMs))
      .execute();
    for (const [name, kind] of byName(this.#kinds))
      for (const { run_id: id, workspace_id: workspaceId } of slots.filter((slot) => slot.kind === name)) {
        if (await queue.holds(id)) continue;
        log.warn({ runId: id }, 'a run was abandoned');
        const [row] = await kind.open(store.db, id);
        if (row) await this.#end(name, row, await kind.endOf(row, kind.lost));
        else await store.writeUnguarded((transaction) => freeSlot(transaction, workspaceId, id));
      }
  }
}

const byName = <Name extends SlotKind>(kinds: Readonly<Record<Name, RunKind>>): [Name, RunKind][] =>
  Object.entries(kinds) as [Name, RunKind][];

interface Ending<Row> {
  /** Returns undefined once it has ended. */
  readonly find: () => Promise<Row | undefined>;
  readonly here: () => Pick<ActiveRun, 'controller' | 'done'> | undefined;
  readonly isElsewhere: (row: Row) => Promise<boolean>;
  /** Asks the process that performs it to end it. The notice can be lost, so the request is also stored. */
  readonly ask: (transaction: Transaction<Database>) => Promise<unknown>;
  readonly end: (row: Row) => Promise<unknown>;
}

/** Ends a run of this process, another one, or none. Resolves when it has ended. */
export async function endWherever<Row>(
  { store, clock }: Pick<LifecycleParts, 'store' | 'clock'>,
  runId: string,
  reason: StopReason,
  { find, here, isElsewhere, ask, end }: Ending<Row>,
): Promise<void> {
  for (;;) {
    const row = await find();
    if (!row) return;
    const active = here();
    if (active) {
      active.controller.abort(reason);
      await active.done;
    } else if (store.notices && (await isElsewhere(row))) {
      await store.writeUnguarded(ask);
      store.notices.send({ type: 'cancel', runId });
      await sleep(clock, askAgainMs);
    } else await end(row);
  }
}
