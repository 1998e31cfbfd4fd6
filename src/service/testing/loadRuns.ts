import { randomUUID } from 'node:crypto';
import { availableParallelism } from 'node:os';
import type { Kysely, Selectable, Transaction } from 'kysely';
import type { EndedBy } from '../../contract/common.ts';
import { HumanError } from '../../contract/errors.ts';
import { limits } from '../../contract/limits.ts';
import type { LoadStats, LoadTest, RunLoadTest } from '../../contract/loadTests.ts';
import { runLoad } from '../../engine/load/runLoad.ts';
import type { LoadEvent, LoadOptions } from '../../engine/load/loadOptions.ts';
import { loadBudget } from '../../model/callBudget.ts';
import { sleep } from '../../base/clock.ts';
import type { Clock } from '../../base/clock.ts';
import type { EventBus } from '../events.ts';
import type { Logger } from '../log.ts';
import { HandedBack } from '../queue/runQueue.ts';
import type { RunQueue } from '../queue/runQueue.ts';
import { mannerOf } from '../lines/lineBook.ts';
import type { LineBook } from '../lines/lineBook.ts';
import type { LoadShare } from '../lines/lineTraffic.ts';
import { permitCalls } from '../runs/permission.ts';
import { failureReason } from '../runs/runAttempt.ts';
import { RunSlot } from '../runs/runSlot.ts';
import type { Database } from '../store/schema.ts';
import type { Store } from '../store/store.ts';
import { serviceStopping } from '../store/storeGate.ts';
import { admit, isHeld, settle } from '../workspaces/admission.ts';
import { lockWorkspace } from '../workspaces/keys.ts';
import type { OperatorContact } from '../workspaces/operatorContact.ts';
import type { Launcher } from '../workspaces/principal.ts';
import { demandRoom } from '../workspaces/quotas.ts';
import { readCaller } from '../workspaces/profiles.ts';
import { toLoadTest } from './loadTests.ts';
import { demandAllowed, pressedByLoad } from './planKeys.ts';
import { StopReason } from '../runs/stopReason.ts';

/**
 * Carries a load test out; tests put another one in its place. The calls are made where `target` says, and are gone
 * when the events end.
 */
export type PerformLoad = (options: Omit<LoadOptions, 'caller'>) => AsyncIterable<LoadEvent>;

export interface LoadRunsOptions {
  readonly store: Store;
  readonly queue: RunQueue;
  readonly events: EventBus;
  readonly lines: LineBook;
  readonly performLoad: PerformLoad;
  readonly clock: Clock;
  readonly now: () => Date;
  readonly log: Logger;
  readonly contact?: OperatorContact;
}

type Row = Selectable<Database['load_tests']>;
interface End {
  readonly status: 'completed' | 'failed' | 'aborted';
  readonly reason?: string;
  readonly endedBy?: EndedBy;
  readonly stats?: LoadStats;
}

const pool = 'loadTesting';
const cancelled = new StopReason('cancel', 'Cancelled.');
const stopped = new StopReason('stop', 'The service was stopped during this load test.');
const interrupted = new StopReason(
  'crash',
  'The service ended unexpectedly during this load test, so its figures are lost. Run it again.',
);
const endOf = (status: 'failed' | 'aborted', why: StopReason): End => ({
  status,
  reason: String(why),
  endedBy: why.endedBy,
});
const askAgainMs = 250;
/** Whoever begins has its slot by then. */
const beginningMs = 5000;

/**
 * Load tests: started by a request, carried out by the queue's workers. One that is interrupted is not taken up again.
 */
export class LoadRuns {
  readonly #options: LoadRunsOptions;
  readonly #active = new Map<string, { readonly controller: AbortController; readonly done: Promise<void> }>();
  #stopping = false;

  constructor(options: LoadRunsOptions) {
    this.#options = options;
    options.store.notices?.listen({
      onNotice: (notice) => {
        if (notice.type === 'cancel') this.#active.get(notice.runId)?.controller.abort(cancelled);
      },
    });
  }

  get activeCount(): number {
    return this.#active.size;
  }

  async start(
    launcher: Launcher,
    { profileId, ...input }: RunLoadTest & { readonly phoneNumber: string; readonly profileId?: string },
  ): Promise<LoadTest> {
    const { store, queue, lines, now, contact } = this.#options;
    const { workspaceId } = launcher;
    const { phoneNumber } = input;
    if (this.#stopping)
      throw new HumanError('The service is stopping. Start it again, then run the test.', {
        status: 503,
        code: 'stopping',
      });
    const caller = await readCaller(store.db, workspaceId, profileId);
    const permit = await permitCalls(
      store,
      lines,
      { workspace_id: workspaceId, phone_number: phoneNumber, caller },
      launcher,
    );
    const { forbiddenKeys, costPerMinute } = permit;
    demandAllowed(pressedByLoad(input, forbiddenKeys));
    const load = lines.fitLoad(input, permit, caller);
    const { phoneNumber: _number, configId, concurrency, rampSeconds, holdSeconds, ...shape } = load;
    const id = randomUUID();
    const row = await store.write(async (transaction) => {
      // Once more in here: `stop` ends what is stored by then, and this would come after it.
      if (this.#stopping) throw serviceStopping();
      const workspace = await lockWorkspace(transaction, workspaceId);
      await demandNoLoad(transaction, workspaceId);
      await admit(transaction, {
        workspaceId,
        runId: id,
        pool,
        wanted: { ...loadBudget(load), costPerMinute },
        now: now(),
        launcher,
        contact,
      });
      const made = await transaction
        .insertInto('load_tests')
        .values({
          id,
          workspace_id: workspaceId,
          phone_number: phoneNumber,
          config_id: configId ?? null,
          concurrency,
          ramp_seconds: rampSeconds,
          hold_seconds: holdSeconds,
          shape: JSON.stringify(shape),
          status: 'running',
          reason: null,
          stats: null,
          started_at: now(),
          completed_at: null,
          caller: JSON.stringify(caller),
        })
        .returningAll()
        .executeTakeFirstOrThrow();
      await demandRoom(transaction, workspace, { loadTests: 1 });
      await queue.enqueue(transaction, id, 'load');
      return made;
    });
    await store.sync();
    this.#tell(row);
    queue.wake();
    store.notices?.send({ type: 'work' });
    return toLoadTest(row);
  }

  /** Ends a load test, and settles when all its calls are hung up. */
  async cancel(workspaceId: string, id: string, reason: StopReason = cancelled): Promise<void> {
    const { store, queue, clock, now } = this.#options;
    for (;;) {
      const row = await store.db
        .selectFrom('load_tests')
        .selectAll()
        .where('id', '=', id)
        .where('workspace_id', '=', workspaceId)
        .executeTakeFirst();
      if (row?.status !== 'running') return;
      const active = this.#active.get(id);
      if (active) {
        active.controller.abort(reason);
        await active.done;
      } else if (
        !row.begun ||
        (now().getTime() - (row.begun_at ?? row.started_at).getTime() > beginningMs &&
          !(await isHeld(store.db, id, now())))
      ) {
        // Where a worker has begun it meanwhile, it is looked at again.
        if (await this.#end(row, row.begun ? endOf('failed', interrupted) : endOf('aborted', reason)))
          await queue.remove(id);
      } else {
        await store.writeUnguarded((transaction) =>
          transaction.updateTable('slots').set({ cancelled: true }).where('run_id', '=', id).execute(),
        );
        store.notices?.send({ type: 'cancel', runId: id });
        await sleep(clock, askAgainMs);
      }
    }
  }

  /** Deletes a load test that has ended. Rejects with HumanError 409 while it goes on. */
  async remove(workspaceId: string, id: string): Promise<void> {
    const { store } = this.#options;
    const row = await store.writeUnguarded((transaction) =>
      transaction
        .deleteFrom('load_tests')
        .where('id', '=', id)
        .where('workspace_id', '=', workspaceId)
        .where('status', '!=', 'running')
        .returningAll()
        .executeTakeFirst(),
    );
    if (!row)
      throw new HumanError('This load test is still running. Cancel it first, then delete it.', {
        status: 409,
        code: 'already_running',
      });
    await store.sync();
    this.#tell(row);
  }

  /** The queue's worker calls this. */
  async carryOut(id: string): Promise<void> {
    const { store } = this.#options;
    if (this.#stopping) {
      if (store.notices) throw new HandedBack();
      return;
    }
    const before = await store.db
      .selectFrom('load_tests')
      .selectAll()
      .where('id', '=', id)
      .where('status', '=', 'running')
      .executeTakeFirst();
    if (!before) return;
    if (before.begun) {
      await this.#end(before, endOf('failed', interrupted));
      return;
    }
    const row = await store.db
      .updateTable('load_tests')
      .set({ begun: true, begun_at: this.#options.now() })
      .where('id', '=', id)
      .where('status', '=', 'running')
      .where('begun', '=', false)
      .returningAll()
      .executeTakeFirst();
    if (!row) return;
    const controller = new AbortController();
    if (this.#stopping) controller.abort(stopped);
    const done = this.#perform(row, controller)
      .catch((error: unknown): End => {
        this.#options.log.error({ runId: id, err: error }, 'a load test failed');
        return { status: 'failed', reason: failureReason(error) };
      })
      .then(async (end) => {
        await this.#end(
          row,
          controller.signal.aborted ? { ...end, ...endOf('aborted', controller.signal.reason as StopReason) } : end,
        );
      })
      .finally(() => {
        this.#active.delete(id);
      });
    this.#active.set(id, { controller, done });
    await done;
  }

  async recover(): Promise<void> {
    const { store, queue } = this.#options;
    if (store.notices) return;
    const running = await store.db.selectFrom('load_tests').selectAll().where('status', '=', 'running').execute();
    const { lost } = await queue.recover(running.map(({ id }) => id));
    for (const row of running) if (lost.includes(row.id)) await this.#end(row, endOf('failed', interrupted));
  }

  async stop(): Promise<void> {
    const { store, queue } = this.#options;
    this.#stopping = true;
    const active = [...this.#active.values()];
    for (const { controller } of active) controller.abort(stopped);
    await Promise.all(active.map(({ done }) => done));
    if (store.notices) return;
    for (const row of await store.db.selectFrom('load_tests').selectAll().where('status', '=', 'running').execute()) {
      await this.#end(row, endOf('aborted', stopped));
      await queue.remove(row.id);
    }
  }

  async #perform(row: Row, controller: AbortController): Promise<End> {
    const { store, lines, performLoad, clock, now, log } = this.#options;
    const caller = row.caller ?? (await readCaller(store.db, row.workspace_id, undefined));
    const permit = await permitCalls(store, lines, { ...row, caller });
    const { uri, forbiddenKeys } = permit;
    demandAllowed(pressedByLoad(row.shape ?? {}, forbiddenKeys));
    const slot = new RunSlot({
      store,
      clock,
      now,
      log,
      run: { workspaceId: row.workspace_id, runId: row.id, pool, attempt: 1 },
      onEnd: (why) => {
        controller.abort(why === 'cancelled' ? cancelled : interrupted);
      },
    });
    const { concurrency } = row;
    const load = lines.fitLoad(
      { concurrency, callsPerSecond: row.shape?.callsPerSecond ?? limits.loadTest.callsPerSecond.max },
      permit,
      caller,
    );
    const budgetSeconds = await slot.hold();
    let share: LoadShare | undefined;
    try {
      share = await lines.share(permit, load, controller.signal);
      await this.#noteDialling(row);
      const events = performLoad({
        target: uri,
        signal: controller.signal,
        clock,
        rampSeconds: row.ramp_seconds,
        holdSeconds: row.hold_seconds,
        ...row.shape,
        ...load,
        keyTiming: mannerOf(caller).keys,
        ...(permit.line !== undefined && { call: lines.accountOf(permit.line, caller) }),
        ...(budgetSeconds !== undefined && { budgetSeconds }),
      });
      for await (const event of events) {
        if (event.type === 'ended')
          return {
            status: event.status,
            stats: event.stats,
            ...(event.reason !== undefined && { reason: event.reason }),
            ...(event.endedBy && { endedBy: event.endedBy }),
          };
        if (event.type !== 'progress') continue;
        const { placed, answered, active, failed } = event;
        share?.setCalls(active);
        if (placed >= concurrency && row.shape?.replace !== true) share?.begun();
        // The calls go on without it: the next second has another.
        await store
          .write((transaction) =>
            transaction
              .updateTable('load_tests')
              .set({ progress: JSON.stringify({ placed, answered, active, failed }) })
              .where('id', '=', row.id)
              .execute(),
          )
          .catch((error: unknown) => {
            log.error({ runId: row.id, err: error }, 'the progress of a load test could not be written');
          });
        this.#tell(row);
      }
      throw new Error('the load test ended without saying how');
    } finally {
      share?.release();
      slot.release();
    }
  }

  /** Before the first call: from now on a test whose figures are lost has dialled. */
  async #noteDialling({ id }: Row): Promise<void> {
    const { store } = this.#options;
    await store.write((transaction) =>
      transaction
        .updateTable('load_tests')
        .set({ progress: JSON.stringify({ placed: 0, answered: 0, active: 0, failed: 0 }) })
        .where('id', '=', id)
        .execute(),
    );
    await store.sync();
  }

  /** Returns whether it did: the row still ran, and had begun or not as in `row`. */
  async #end(row: Row, { status, reason, endedBy, stats }: End): Promise<boolean> {
    const { store, now, log } = this.#options;
    const ended = await store.writeUnguarded(async (transaction) => {
      const used = stats
        ? { seconds: stats.callSeconds, calls: stats.callsPlaced }
        : await usedAtMost(transaction, row.id, now());
      const updated = await transaction
        .updateTable('load_tests')
        .set({
          status,
          reason: reason ?? null,
          stats: stats ? JSON.stringify(stats) : null,
          progress: null,
          completed_at: now(),
          ...(endedBy && { ended_by: endedBy }),
        })
        .where('id', '=', row.id)
        .where('status', '=', 'running')
        .where('begun', '=', row.begun)
        .returning('id')
        .executeTakeFirst();
      if (updated)
        await settle(transaction, { workspaceId: row.workspace_id, runId: row.id, pool, ...used, now: now() });
      return updated !== undefined;
    });
    if (!ended) return false;
    await store.sync();
    this.#tell(row);
    log.info({ runId: row.id, status }, 'load test ended');
    return true;
  }

  #tell({ id, workspace_id: workspaceId }: Row): void {
    this.#options.events.publish(workspaceId, { type: 'load.changed', loadTestId: id });
  }
}

/**
 * What a load test without figures of its end has used: nothing before it began to dial, else all the calls that were
 * set aside for it, since none knows how many were placed.
 */
async function usedAtMost(
  transaction: Transaction<Database>,
  id: string,
  now: Date,
): Promise<{ readonly seconds: number; readonly calls: number }> {
  const row = await transaction
    .selectFrom('load_tests')
    .leftJoin('slots', 'slots.run_id', 'load_tests.id')
    .select(['progress', 'concurrency', 'begun_at', 'reserved_seconds', 'seconds_at_most', 'calls_at_most'])
    .where('load_tests.id', '=', id)
    .executeTakeFirst();
  if (!row?.progress || !row.begun_at) return { seconds: 0, calls: 0 };
  const elapsed = Math.max(0, now.getTime() - row.begun_at.getTime()) / 1000;
  return {
    seconds: Math.min(row.concurrency * elapsed, row.reserved_seconds ?? row.seconds_at_most ?? Infinity),
    calls: row.calls_at_most ?? row.progress.placed,
  };
}

/** Rejects with HumanError 409 while a load test of the workspace goes on. */
export async function demandNoLoad(db: Kysely<Database>, workspaceId: string): Promise<void> {
  const running = await db
    .selectFrom('load_tests')
    .select('id')
    .where('workspace_id', '=', workspaceId)
    .where('status', '=', 'running')
    .executeTakeFirst();
  if (running)
    throw new HumanError('Another load test of this workspace is running. Wait for its end, or cancel it first.', {
      status: 409,
      code: 'already_running',
    });
}

/** As many as one thread sends well within its tick. */
const callsOfThread = 500;
/** One core is left to the rest of this process, and to what else the machine does. */
const threadsFor = (concurrency: number): number =>
  Math.max(1, Math.min(Math.ceil(concurrency / callsOfThread), availableParallelism() - 1));

/** Makes the calls in threads of their own, so that they do not wait for what else this process does. */
export const createLoadPerformer = (workerUrl: URL, host: string): PerformLoad =>
  async function* (options) {
    const { startCallerThreads } = await import('../../engine/load/callerThreads.ts');
    const caller = await startCallerThreads({ workerUrl, threads: threadsFor(options.concurrency), agent: { host } });
    try {
      yield* runLoad({ ...options, caller });
    } finally {
      await caller.close();
    }
  };
