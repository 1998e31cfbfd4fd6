import type { Kysely, Transaction } from 'kysely';
import { sleep } from '../../base/clock.ts';
import type { Clock, TimerHandle } from '../../base/clock.ts';
import type { Logger } from '../basics/log.ts';
import { HandedBack } from './runQueue.ts';
import type { RunQueue } from './runQueue.ts';
import type { Database, SlotKind } from '../store/schema.ts';
import type { Store } from '../store/store.ts';
import { serviceStopping } from '../store/storeGate.ts';
import { admit, freeSlot, handBack, isHeld, poolOf, settleUsage, takeSlot } from '../workspaces/admission.ts';
import type { CallUsage, HeldRun } from '../workspaces/admission.ts';
import { Account } from '../workspaces/account.ts';
import { assertMinutes } from '../workspaces/meters.ts';
import type { WantedCalls } from '../workspaces/meters.ts';
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
  /** If the run shares its slot, and so its place in the queue, with others that are performed one after the other. */
  readonly slotOf?: string;
  /** Null if a run that shares its slot hasn't begun. */
  readonly attempt?: number | null;
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
  /** For a run that learns from its own rows that it was cancelled, or from its calls that it can't continue. */
  readonly interrupt: (why: StopReason) => void;
}

/** What a run used. `planned`: what was reserved for it, if other runs still use its slot. */
export interface EndedRun extends CallUsage {
  readonly workspaceId: string;
  readonly planned?: CallUsage | undefined;
}

/**
 * A kind of run: what is specific to it. `Row` is what the store holds of a run that hasn't ended, `End` how it ended.
 * The lifecycle passes back only what it got from the same kind.
 */
export interface RunKind<Row extends OpenRun = OpenRun, End = unknown> {
  /** Whether other processes continue a run when this one stops. If not, the run ends with this process. */
  readonly handsOver?: true;
  /** The usual reasons for ends from outside: on request, when the service stops, after a crash. */
  readonly cancelled: StopReason;
  readonly stopped: StopReason;
  readonly lost: StopReason;

  /** Returns the runs that haven't ended: all, or those with this id or slot. */
  open(db: Kysely<Database>, id?: string): Promise<Row[]>;
  /**
   * Counts another attempt at the run with this slot, unless it has ended. If several share the slot, begins the next
   * one; `attempt` is that of the run before. Until a run has begun, the slot shows when its earlier process was seen.
   */
  begin(transaction: Transaction<Database>, slotOf: string, attempt?: number): Promise<Attempt<Row> | undefined>;
  /** Does the work and returns how it ended. A rejection returns the run to the queue. */
  work(attempt: Attempt<Row>, control: RunControl): Promise<End>;
  /** Returns the end of a run that is ended from outside. `worked` is the result of `work`, if it was called. */
  endOf(row: Row, why: StopReason, worked?: End): End | Promise<End>;
  /** Stores the end. Returns undefined if the run has ended or another attempt owns it. */
  end(transaction: Transaction<Database>, row: Row, end: End): Promise<EndedRun | undefined>;
  /** Stores what another process needs to continue a run that has begun. Without it, such a run ends. */
  handBack?(transaction: Transaction<Database>, row: Row, worked: End | undefined): Promise<void>;
  /** Stores that another process should end one of the runs that share a slot. */
  ask?(transaction: Transaction<Database>, id: string): Promise<unknown>;
  /** Notifies listeners that the run has ended. */
  ended?(row: Row, workspaceId: string, end: End): void;
  /** Works on a run that has ended; it still counts as active. */
  afterwards?(row: Row, signal: AbortSignal): Promise<void>;
}

type BegunRun = Attempt<OpenRun> & Pick<RunControl, 'budgetSeconds'> & { readonly held: HeldRun };

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
  readonly insert: (transaction: Transaction<Database>) => Promise<Made>;
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
  /** By slot: one run, or all that share it. */
  readonly #active = new Map<string, ActiveRun>();
  readonly #runs = new Map<string, ActiveRun>();
  #sweeping: TimerHandle | undefined;
  #stopping = false;

  constructor(parts: LifecycleParts, kinds: Readonly<Record<Name, RunKind>>) {
    this.#parts = parts;
    this.#kinds = kinds;
    parts.store.notices?.listen({
      onNotice: (notice) => {
        const active = notice.type === 'cancel' && this.#activeOf(notice.runId);
        if (active) active.controller.abort(active.kind.cancelled);
      },
    });
  }

  get activeCount(): number {
    return this.#active.size;
  }

  /** @throws HumanError 503 `stopping` */
  assertRunning(): void {
    if (this.#stopping) throw serviceStopping();
  }

  /**
   * Admits, queues and stores a run in one transaction, so that a refusal leaves nothing. The order of refusals, after
   * those of `invoke` and for nonexistent resources: capacity 402, target 400, consent 403, state 409, budget 402,
   * ceiling 429. Capacity is first, so that an agent learns how to get minutes before anything that it can't know yet.
   */
  async start<Made>(kind: Name, { id, launcher, prepare }: NewRun<Made>): Promise<Made> {
    const { store, queue, now, log, contact, sendsCodes } = this.#parts;
    this.assertRunning();
    const workspace = await readWorkspace(store.db, launcher.workspaceId);
    await assertMinutes(new Account(store.db, workspace, now(), { contact, sendsCodes }), poolOf[kind]);
    const { wanted, waits = false, check, insert } = await prepare();
    const createdRun = await store.write(async (transaction) => {
      // `stop` ends what is stored by then; this run would be stored afterwards.
      this.assertRunning();
      await check?.(transaction);
      await admit(transaction, {
        workspaceId: launcher.workspaceId,
        runId: id,
        kind,
        waits,
        wanted,
        now: now(),
        launcher,
        contact,
        sendsCodes,
      });
      return await insert(transaction);
    });
    await store.sync();
    // The request for an echo call performs it itself.
    if (kind !== 'echo') {
      log.info({ runId: id, kind }, 'run queued');
      queue.announce();
    }
    return createdRun;
  }

  #activeOf(id: string): ActiveRun | undefined {
    return this.#active.get(id) ?? this.#runs.get(id);
  }

  /** Ends a run, or all runs of the slot with this id, in any process. Resolves when they have ended. */
  async cancel(name: Name, id: string, reason: StopReason = this.#kinds[name].cancelled): Promise<void> {
    const { store, clock, now } = this.#parts;
    const kind = this.#kinds[name];
    // At once: while the store is read, which can take long, the run would place calls.
    this.#activeOf(id)?.controller.abort(reason);
    for (;;) {
      const rows = await kind.open(store.db, id);
      const [first] = rows;
      if (!first) return;
      const { slotOf = id, attempt } = first;
      const active = this.#activeOf(id);
      if (active) {
        active.controller.abort(reason);
        await active.done;
      } else if (store.notices && (slotOf === id || attempt !== null) && (await isHeld(store.db, slotOf, now()))) {
        // The notice can be lost, so the request is also stored.
        await store.writeUnguarded(async (transaction) => {
          await transaction.updateTable('slots').set({ cancelled: true }).where('run_id', '=', id).execute();
          await kind.ask?.(transaction, id);
        });
        store.notices.send({ type: 'cancel', runId: id });
        await sleep(clock, askAgainMs);
      } else {
        await this.#endAll(name, rows, reason);
      }
    }
  }

  /**
   * Performs the runs with this slot until they have ended, unless there is nothing to do, or another process continues.
   * @throws HandedBack if another worker should take it
   */
  async carryOut(name: Name, slotOf: string): Promise<void> {
    if (this.#stopping && this.#parts.store.notices) throw new HandedBack();
    if (this.#stopping || this.#active.has(slotOf)) return;
    await this.#noting(this.#active, slotOf, name, (controller) => this.#attemptAll(name, slotOf, controller));
  }

  /** Does work that `cancel` and `stop` can abort. */
  async #noting<Result>(
    active: Map<string, ActiveRun>,
    id: string,
    name: Name,
    work: (controller: AbortController) => Promise<Result>,
  ): Promise<Result> {
    const controller = new AbortController();
    const working = work(controller).finally(() => {
      active.delete(id);
    });
    active.set(id, { kind: this.#kinds[name], controller, done: working.catch(() => undefined) });
    return await working;
  }

  /** Ends or resumes what crashed processes left. The queue's workers take the rest. */
  async recover(): Promise<void> {
    const { store, queue, log } = this.#parts;
    if (store.notices) {
      this.#sweepLater();
      return;
    }
    const { waiting } = await queue.recover();
    for (const [name, kind] of byName(this.#kinds)) {
      const rows = await kind.open(store.db);
      for (const row of rows) log.warn({ runId: row.id, kind: name }, 'a run was interrupted');
      await this.#endAll(
        name,
        rows.filter((row) => !waiting.has(slotOf(row))),
        kind.lost,
      );
    }
  }

  /**
   * Stops all runs. If other processes share the store, they continue the runs that can be handed over. Otherwise all
   * end, including waiting ones, because a later start must not place unexpected calls.
   */
  async stop(): Promise<void> {
    const { store, clock, log } = this.#parts;
    this.#stopping = true;
    if (this.#sweeping !== undefined) clock.clearTimeout(this.#sweeping);
    const active = [...this.#active.values()];
    for (const { kind, controller } of active) controller.abort(kind.stopped);
    await Promise.all(active.map(({ done }) => done));
    if (store.notices) return;
    const ended = byName(this.#kinds).map(async ([name, kind]) => {
      await this.#endAll(name, await kind.open(store.db), kind.stopped);
    });
    // What fails for one kind doesn't keep the others open.
    for (const stopped of await Promise.allSettled(ended))
      if (stopped.status === 'rejected') log.error({ err: stopped.reason as unknown }, 'some runs could not be ended');
  }

  /** Performs a run, or the runs that share this slot, one after the other. */
  async #attemptAll(name: Name, slot: string, all: AbortController): Promise<void> {
    const { store, now } = this.#parts;
    const kind = this.#kinds[name];
    let begun: BegunRun | undefined;
    do {
      begun = await store.writeUnguarded(async (transaction) => {
        const next = await kind.begin(transaction, slot, begun?.attempt);
        if (!next) return undefined;
        const held = { runId: slot, attempt: next.attempt };
        return { ...next, held, budgetSeconds: next.giveUp ? 0 : await takeSlot(transaction, held, now()) };
      });
      if (!begun) return;
      const run = begun;
      const perform = (one: AbortController): Promise<boolean> => this.#attempt(name, run, one, all);
      if (!(await this.#noting(this.#runs, run.row.id, name, perform)) || run.row.slotOf === undefined) return;
    } while (!all.signal.aborted);
    const why = all.signal.reason as StopReason;
    if (this.#handsBack(kind, why)) await this.#handBack(begun.held);
    await this.#endAll(name, await kind.open(store.db, slot), why);
  }

  /** Returns false if another process has the run. */
  async #attempt(name: Name, begun: BegunRun, one: AbortController, all: AbortController): Promise<boolean> {
    const { store, log } = this.#parts;
    const kind = this.#kinds[name];
    const { row, held, budgetSeconds, giveUp } = begun;
    await store.sync();
    if (giveUp) {
      await this.#endAll(name, [row], giveUp);
      return true;
    }
    let isLost = false;
    const slot = new RunSlot({
      ...this.#parts,
      run: held,
      onEnd: (why) => {
        isLost = why === 'lost';
        all.abort(isLost ? kind.lost : kind.cancelled);
      },
    });
    const signal = AbortSignal.any([one.signal, all.signal]);
    let worked: { readonly end: unknown } | undefined;
    try {
      const interrupt = (why: StopReason): void => one.abort(why);
      if (!signal.aborted) worked = { end: await kind.work(begun, { signal, budgetSeconds, interrupt }) };
    } finally {
      slot.release();
    }
    if (isLost) {
      log.warn({ runId: row.id, attempt: begun.attempt }, 'another process has this run now');
      return false;
    }
    const why = signal.aborted ? (signal.reason as StopReason) : undefined;
    if (kind.handBack && this.#handsBack(kind, why))
      await this.#handBack(held, (transaction) => kind.handBack?.(transaction, row, worked?.end));
    const end = worked && !why ? worked.end : await kind.endOf(row, why ?? kind.lost, worked?.end);
    if (await this.#end(name, row, end)) await kind.afterwards?.(row, signal);
    return true;
  }

  /** Whether what this reason ends continues in another process. */
  #handsBack(kind: RunKind, why: StopReason | undefined): boolean {
    return why === kind.stopped && kind.handsOver === true && this.#parts.store.notices !== undefined;
  }

  async #handBack(
    held: HeldRun,
    store?: (transaction: Transaction<Database>) => Promise<void> | undefined,
  ): Promise<never> {
    await this.#parts.store.writeUnguarded(async (transaction) => {
      await store?.(transaction);
      await handBack(transaction, held, this.#parts.now());
    });
    this.#parts.log.info({ runId: held.runId }, 'run handed back');
    throw new HandedBack();
  }

  async #endAll(name: Name, rows: readonly OpenRun[], why: StopReason): Promise<void> {
    for (const row of rows) await this.#end(name, row, await this.#kinds[name].endOf(row, why));
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
          await settleUsage(transaction, { ...stored, runId, slotOf: slotOf(row), kind: name, now: now() });
          return stored;
        });
        if (!ended) return false;
        await store.sync();
        kind.ended?.(row, ended.workspaceId, end);
        log.info({ runId, kind: name }, 'run ended');
        return true;
      } catch (error) {
        log.error({ runId, err: error }, 'the end of a run could not be stored');
        if (this.#stopping) return false;
        await sleep(clock, saveAgainMs);
      }
    }
  }

  /** Ends what no process performs and no worker takes, and frees slots without a run. */
  #sweepLater(): void {
    const { clock, log } = this.#parts;
    this.#sweeping = clock.setTimeout(() => {
      this.#sweep()
        .catch((error: unknown) => log.error({ err: error }, 'abandoned runs could not be looked for'))
        .finally(() => {
          if (!this.#stopping) this.#sweepLater();
        });
    }, sweepEveryMs);
  }

  async #sweep(): Promise<void> {
    const { store, now, log } = this.#parts;
    const slots = await store.db
      .selectFrom('slots')
      .select(['run_id', 'workspace_id', 'kind', 'lane'])
      .where('expires_at', '<', new Date(now().getTime() - abandonedMs))
      .execute();
    for (const [name, kind] of byName(this.#kinds))
      for (const { run_id: id, workspace_id: workspaceId, lane } of slots.filter((slot) => slot.kind === name)) {
        const rows = await kind.open(store.db, id);
        if (lane !== null && rows.length > 0) continue;
        log.warn({ runId: id }, 'a run was abandoned');
        await this.#endAll(name, rows, kind.lost);
        if (rows.length === 0) await store.writeUnguarded((transaction) => freeSlot(transaction, workspaceId, id));
      }
  }
}

const byName = <Name extends SlotKind>(kinds: Readonly<Record<Name, RunKind>>): [Name, RunKind][] =>
  Object.entries(kinds) as [Name, RunKind][];

const slotOf = ({ id, slotOf: shared = id }: OpenRun): string => shared;
