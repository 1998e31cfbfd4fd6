import { randomUUID } from 'node:crypto';
import type { Kysely, Selectable } from 'kysely';
import { HumanError } from '../../contract/errors.ts';
import type { RunType, TestRun } from '../../contract/testRuns.ts';
import type { CallAudio } from '../../engine/callAudio.ts';
import { cappedBudget } from '../../model/callBudget.ts';
import type { Clock } from '../../telephony/clock.ts';
import type { EventBus } from '../events.ts';
import type { Logger } from '../log.ts';
import { HandedBack } from '../queue/runQueue.ts';
import type { RunQueue } from '../queue/runQueue.ts';
import type { LineBook } from '../lines/lineBook.ts';
import type { CallLine } from '../runs/callLine.ts';
import { permitCalls } from '../runs/permission.ts';
import { failureReason } from '../runs/runAttempt.ts';
import type { Recordings } from '../runs/recordings.ts';
import { RunSlot } from '../runs/runSlot.ts';
import type { Database, StoredResult } from '../store/schema.ts';
import type { Store } from '../store/store.ts';
import { admit, freeSlot, handBack, isHeld, lastSeen, meter } from '../workspaces/admission.ts';
import type { HeldRun } from '../workspaces/admission.ts';
import type { Launcher } from '../workspaces/principal.ts';
import { readSettings } from '../workspaces/settings.ts';
import { awaitsCall, callsAtMost, launchBudget, secondsAtMost, shownRow } from './callPlan.ts';
import type { CallPlan, PerformPlan, PlanEnd } from './callPlan.ts';
import { demandAllowed, pressedByPlans } from './planKeys.ts';
import { demandValues } from './planValues.ts';
import { RunProgress, secondsKnown } from './runProgress.ts';
import { callRecording, toRun } from './testRuns.ts';

export interface TestLaunchesOptions {
  readonly store: Store;
  readonly queue: RunQueue;
  readonly events: EventBus;
  readonly line: CallLine;
  readonly recordings: Recordings;
  readonly lines: LineBook;
  readonly perform: PerformPlan;
  readonly clock: Clock;
  readonly now: () => Date;
  readonly log: Logger;
}

export interface Launch {
  readonly runType: RunType;
  readonly phoneNumber: string;
  readonly configId?: string;
  readonly configName?: string;
  readonly catalogueTestId?: string;
  readonly plans: readonly CallPlan[];
}

type Row = Selectable<Database['test_runs']>;

const cancelled = 'Cancelled. What was heard is kept.';
const notBegun = 'Cancelled before its call.';
const stopped = 'The service was stopped during this run. What was heard is kept: run the test again.';
const interrupted = 'The service ended unexpectedly during this run. What was heard is kept: run the test again.';
/** A call of theirs needs no permission and costs nothing. */
const theirCall = { uri: undefined, forbiddenKeys: '', costPerMinute: undefined, line: undefined };
const askAgainMs = 250;
const pool = 'testing';

type RunEnd = PlanEnd & { readonly recorded?: boolean };

interface ActiveRun {
  readonly runId: string;
  readonly controller: AbortController;
  readonly done: Promise<void>;
}

/** Launches of tests: started by a request, their runs carried out one after the other by the queue's workers. */
export class TestLaunches {
  readonly #options: TestLaunchesOptions;
  /** By launch. */
  readonly #active = new Map<string, ActiveRun>();
  #stopping = false;

  constructor(options: TestLaunchesOptions) {
    this.#options = options;
    options.store.notices?.listen({
      onNotice: (notice) => {
        if (notice.type === 'cancel') this.#activeRun(notice.runId)?.controller.abort(cancelled);
      },
    });
  }

  get activeCount(): number {
    return this.#active.size;
  }

  /** Creates the runs and queues them. Refuses what must not be called before anything is stored. */
  async launch(
    launcher: Launcher,
    { runType, phoneNumber, configId, configName, catalogueTestId, plans }: Launch,
  ): Promise<TestRun[]> {
    const { store, queue, lines, now, log } = this.#options;
    const { workspaceId } = launcher;
    if (this.#stopping)
      throw new HumanError('The service is stopping. Start it again, then run the test.', {
        status: 503,
        code: 'stopping',
      });
    const { forbiddenKeys, costPerMinute } = plans.every(awaitsCall)
      ? theirCall
      : await permitCalls(store, lines, { workspace_id: workspaceId, phone_number: phoneNumber }, launcher);
    demandAllowed(pressedByPlans(plans, forbiddenKeys));
    demandValues(plans);
    const launchId = randomUUID();
    const startedAt = now();
    const rows = await store.write(async (transaction) => {
      // First: whoever inserts what belongs to the workspace before it is locked waits for others that did so too, and they for him.
      await admit(transaction, {
        workspaceId,
        runId: launchId,
        pool,
        wanted: { ...launchBudget(plans), costPerMinute },
        now: startedAt,
        launcher,
      });
      await transaction
        .insertInto('test_launches')
        .values({ id: launchId, workspace_id: workspaceId, created_at: startedAt })
        .execute();
      const made = await transaction
        .insertInto('test_runs')
        .values(
          plans.map((plan, position) => {
            const row = shownRow(plan);
            return {
              id: randomUUID(),
              workspace_id: workspaceId,
              run_type: runType,
              outcome: null,
              phone_number: phoneNumber,
              config_id: configId ?? null,
              catalogue_test_id: catalogueTestId ?? null,
              config_name: configName ?? null,
              started_at: startedAt,
              completed_at: null,
              result: JSON.stringify({ steps: [], ...(row && { row }) } satisfies StoredResult),
              launch_id: launchId,
              position,
              plan: JSON.stringify(plan),
            };
          }),
        )
        .returningAll()
        .execute();
      await queue.enqueue(transaction, launchId, 'tests');
      return made.sort((one, other) => (one.position ?? 0) - (other.position ?? 0));
    });
    await store.sync();
    log.info({ launchId, runs: rows.length }, 'tests queued');
    for (const { id } of rows) this.#tell(workspaceId, id);
    queue.wake();
    store.notices?.send({ type: 'work' });
    return rows.map(toRun);
  }

  /** Ends a run, and settles when it has ended, also where another process carries it out. */
  async cancel(workspaceId: string, runId: string, reason = cancelled): Promise<void> {
    const { store, clock, now } = this.#options;
    for (;;) {
      const run = await store.db
        .selectFrom('test_runs')
        .selectAll()
        .where('id', '=', runId)
        .where('workspace_id', '=', workspaceId)
        .executeTakeFirst();
      if (!run || run.completed_at) return;
      const active = this.#activeRun(runId);
      if (active) {
        active.controller.abort(reason);
        await active.done;
      } else if (run.attempt === null || !(await isHeld(store.db, launchOf(run), now()))) {
        await this.#end(run, await this.#leftEnd(run));
        // The worker passes over what has ended; nobody waits for the last one.
        await this.#finishLaunch(run);
      } else {
        await store.writeUnguarded((transaction) =>
          transaction.updateTable('test_runs').set({ cancelled: true }).where('id', '=', runId).execute(),
        );
        store.notices?.send({ type: 'cancel', runId });
        await new Promise<void>((resolve) => {
          clock.setTimeout(resolve, askAgainMs);
        });
      }
    }
  }

  /** Ends a run and all that were launched with it. */
  async cancelWithOthers(workspaceId: string, runId: string, reason = cancelled): Promise<void> {
    const run = await this.#options.store.db
      .selectFrom('test_runs')
      .select('launch_id')
      .where('id', '=', runId)
      .where('workspace_id', '=', workspaceId)
      .executeTakeFirst();
    if (run && run.launch_id !== null) await this.cancelLaunch(workspaceId, run.launch_id, reason);
  }

  /** Ends all runs of a launch, the one under way first, as `cancel`: none of the others is begun meanwhile. */
  async cancelLaunch(workspaceId: string, launchId: string, reason: string): Promise<void> {
    const { store } = this.#options;
    await store.writeUnguarded((transaction) =>
      transaction
        .updateTable('test_runs')
        .set({ cancelled: true })
        .where('launch_id', '=', launchId)
        .where('workspace_id', '=', workspaceId)
        .where('completed_at', 'is', null)
        .execute(),
    );
    const open = await this.#open(launchId);
    for (const run of open.toSorted((one, other) => Number(one.attempt === null) - Number(other.attempt === null)))
      await this.cancel(workspaceId, run.id, reason);
  }

  /** Carries a launch out; the queue's worker calls this. Rejects where another worker shall have the rest. */
  async carryOut(launchId: string): Promise<void> {
    const { store, clock, now, log } = this.#options;
    const launch = await store.db
      .updateTable('test_launches')
      .set((row) => ({ attempts: row('attempts', '+', 1) }))
      .where('id', '=', launchId)
      .returningAll()
      .executeTakeFirst();
    if (!launch) return;
    const attempt = launch.attempts;
    const held: HeldRun = { workspaceId: launch.workspace_id, runId: launchId, pool, attempt };
    // Where another process had this launch, nobody goes on with the call that it was in.
    for (const run of await this.#open(launchId))
      if (run.attempt !== null || run.cancelled) await this.#end(run, await this.#leftEnd(run));
    const slot = new RunSlot({
      store,
      clock,
      now,
      log,
      run: held,
      onEnd: (why) => {
        if (why === 'lost') this.#active.get(launchId)?.controller.abort(interrupted);
      },
    });
    let budgetSeconds = await slot.hold();
    try {
      for (;;) {
        if (this.#stopping) break;
        const run = await store.db
          .updateTable('test_runs')
          .set({ attempt, started_at: now() })
          .where('id', '=', (row) =>
            row
              .selectFrom('test_runs')
              .select('id')
              .where('launch_id', '=', launchId)
              .where('attempt', 'is', null)
              .where('completed_at', 'is', null)
              .where('cancelled', '=', false)
              .orderBy('position')
              .limit(1),
          )
          .where('completed_at', 'is', null)
          .where('cancelled', '=', false)
          .returningAll()
          .executeTakeFirst();
        if (!run) break;
        const seconds = await this.#carryOutRun(run, budgetSeconds);
        if (budgetSeconds !== undefined) budgetSeconds = Math.max(0, budgetSeconds - seconds);
      }
    } finally {
      slot.release();
    }
    if (this.#stopping && store.notices) {
      await store.writeUnguarded((transaction) => handBack(transaction, held, now()));
      throw new HandedBack();
    }
    await store.writeUnguarded((transaction) => freeSlot(transaction, held.workspaceId, launchId));
  }

  /** What an ended process left: launches that the queue does not hold any more. The others are taken up by a worker. */
  async recover(): Promise<void> {
    const { store, queue } = this.#options;
    if (store.notices) return;
    const open = await store.db
      .selectFrom('test_runs')
      .select('launch_id')
      .distinct()
      .where('completed_at', 'is', null)
      .where('launch_id', 'is not', null)
      .execute();
    const { lost } = await queue.recover(open.flatMap(({ launch_id: id }) => (id === null ? [] : [id])));
    for (const launchId of lost) await this.#endAll(launchId, interrupted);
  }

  /** Ends the runs in hand. Where no other process shares the store the waiting ones end too: a later start must not place calls that nobody expects. */
  async stop(): Promise<void> {
    const { store, queue } = this.#options;
    this.#stopping = true;
    const active = [...this.#active.values()];
    for (const { controller } of active) controller.abort(stopped);
    await Promise.all(active.map(({ done }) => done));
    if (store.notices) return;
    const open = await store.db
      .selectFrom('test_runs')
      .select('launch_id')
      .distinct()
      .where('completed_at', 'is', null)
      .where('launch_id', 'is not', null)
      .execute();
    for (const { launch_id: launchId } of open) {
      if (launchId === null) continue;
      await this.#endAll(launchId, stopped);
      await queue.remove(launchId);
    }
  }

  async #carryOutRun(run: Row, budgetSeconds: number | undefined): Promise<number> {
    const { now, log } = this.#options;
    const controller = new AbortController();
    const progress = new RunProgress(
      {
        ...this.#options,
        onCancelled: () => {
          controller.abort(cancelled);
        },
        onStored: () => {
          this.#tell(run.workspace_id, run.id);
        },
      },
      run,
    );
    let seconds = 0;
    const end = async (how: RunEnd): Promise<void> => {
      seconds = how.callSeconds;
      await this.#end(run, how);
    };
    const done = this.#perform(run, progress, controller, budgetSeconds)
      .then(end)
      .catch(async (error: unknown) => {
        const { signal } = controller;
        if (!signal.aborted) log.error({ runId: run.id, err: error }, 'a test run failed');
        await end(
          errorEnd(
            { ...run, result: progress.stored },
            signal.aborted ? String(signal.reason) : failureReason(error),
            now(),
          ),
        );
      })
      .finally(() => {
        this.#active.delete(launchOf(run));
      });
    this.#active.set(launchOf(run), { runId: run.id, controller, done });
    await done;
    return seconds;
  }

  async #perform(
    run: Row,
    progress: RunProgress,
    controller: AbortController,
    budgetSeconds: number | undefined,
  ): Promise<RunEnd> {
    const { store, lines, line, perform, clock } = this.#options;
    const { plan } = run;
    if (!plan) throw new Error('a run without a plan');
    if (budgetSeconds !== undefined && budgetSeconds < 1)
      return errorEnd(
        run,
        'The minutes that were set aside for this launch are used up. Add capacity, then run the rest.',
      );
    const permit = awaitsCall(plan) ? theirCall : await permitCalls(store, lines, run);
    const { uri, forbiddenKeys } = permit;
    const mostSeconds = await this.#secondsAtMost(store.db, run);
    return await line.use(async (opened, receive) => {
      const point = uri === undefined ? await receive() : undefined;
      let recorded = false;
      if (point) progress.waitsAt(point.address);
      const over = progress.over(point?.line ?? lines.over(opened, permit), plan);
      try {
        for await (const event of perform(plan, {
          target: uri ?? '',
          line: over,
          clock,
          signal: controller.signal,
          forbiddenKeys,
          ...(budgetSeconds !== undefined && { budgetSeconds: Math.min(budgetSeconds, mostSeconds) }),
        })) {
          if (event.type === 'ended') return { ...event.ended, recorded };
          if (event.type === 'audio') recorded = await this.#record(run, event.audio);
          else progress.take(event);
        }
      } finally {
        await Promise.all([progress.close(), point?.close()]);
      }
      throw new Error('the test ended without saying how');
    });
  }

  /** A recording that cannot be stored does not spoil the run. */
  async #record(run: Row, { us, them }: CallAudio): Promise<boolean> {
    const { recordings, log } = this.#options;
    try {
      await recordings.write(run.id, callRecording, us, them);
      return true;
    } catch (error) {
      log.error({ runId: run.id, err: error }, 'the recording of a test run could not be stored');
      return false;
    }
  }

  /** Stores the end of a run, counts its minutes, and wipes its plan, in one transaction. */
  async #end(
    run: Row,
    { outcome, reason, callSeconds, hangUp, postDialMs, steps, transcript, mission, recorded }: RunEnd,
  ): Promise<void> {
    const { store, now, log } = this.#options;
    const launchId = launchOf(run);
    const { awaitsCallAt: _over, calledAt: _began, ...before } = run.result;
    const result: StoredResult = {
      ...before,
      steps: [...steps],
      transcript: [...transcript],
      callSeconds,
      ...(reason !== undefined && { reason }),
      ...(hangUp && { hangUp }),
      ...(postDialMs !== undefined && { postDialMs }),
      ...(recorded === true && { recorded }),
      ...(mission && { mission }),
    };
    await store.writeUnguarded(async (transaction) => {
      const ended = await transaction
        .updateTable('test_runs')
        .set({ outcome, completed_at: now(), result: JSON.stringify(result), plan: null })
        .where('id', '=', run.id)
        .where('completed_at', 'is', null)
        .where('attempt', run.attempt === null ? 'is' : '=', run.attempt)
        .returning('id')
        .executeTakeFirst();
      if (!ended) return;
      // Whoever sees the last run ended sees its slot free.
      const others = await transaction
        .selectFrom('test_runs')
        .select('id')
        .where('launch_id', '=', launchId)
        .where('completed_at', 'is', null)
        .limit(1)
        .execute();
      const planned = {
        calls: run.plan ? callsAtMost(run.plan) : 1,
        seconds: await this.#secondsAtMost(transaction, run),
      };
      await meter(transaction, {
        workspaceId: run.workspace_id,
        runId: run.id,
        slotOf: launchId,
        planned,
        pool,
        seconds: callSeconds,
        calls: run.attempt === null ? 0 : planned.calls,
        now: now(),
      });
      if (others.length === 0) await freeSlot(transaction, run.workspace_id, launchId);
    });
    await store.sync();
    this.#tell(run.workspace_id, run.id);
    log.info({ runId: run.id, outcome }, 'test run ended');
  }

  async #endAll(launchId: string, reason: string): Promise<void> {
    const { store } = this.#options;
    const open = await this.#open(launchId);
    for (const run of open) await this.#end(run, await this.#leftEnd(run, reason));
    const [first] = open;
    if (first) await store.writeUnguarded((transaction) => freeSlot(transaction, first.workspace_id, launchId));
  }

  /** What a run may take, with the budget of a run as it is now. */
  async #secondsAtMost(db: Kysely<Database>, { workspace_id: workspaceId, plan }: Row): Promise<number> {
    const seconds = plan ? secondsAtMost(plan) : 0;
    const { budgets } = await readSettings(db, workspaceId);
    return cappedBudget({ calls: 1, seconds, secondsOfRun: seconds }, budgets.secondsPerRun).seconds;
  }

  /** How a run ends that nobody carries out any more: its call is counted up to the last sign of life of whoever did. */
  async #leftEnd(run: Row, reason = run.attempt === null ? notBegun : interrupted): Promise<RunEnd> {
    return errorEnd(
      run,
      reason,
      run.attempt === null ? undefined : await lastSeen(this.#options.store.db, launchOf(run)),
    );
  }

  async #finishLaunch({ launch_id: launchId, workspace_id: workspaceId }: Row): Promise<void> {
    const { store, queue } = this.#options;
    if (launchId === null || this.#active.has(launchId) || (await this.#open(launchId)).length > 0) return;
    await queue.remove(launchId);
    await store.writeUnguarded((transaction) => freeSlot(transaction, workspaceId, launchId));
  }

  #open(launchId: string): Promise<Row[]> {
    return this.#options.store.db
      .selectFrom('test_runs')
      .selectAll()
      .where('launch_id', '=', launchId)
      .where('completed_at', 'is', null)
      .orderBy('position')
      .execute();
  }

  #activeRun(runId: string): ActiveRun | undefined {
    return [...this.#active.values()].find((active) => active.runId === runId);
  }
  #tell(workspaceId: string, runId: string): void {
    this.#options.events.publish(workspaceId, { type: 'test.changed', runId });
  }
}

function launchOf({ launch_id: launchId }: Row): string {
  if (launchId === null) throw new Error('a run that nobody launched');
  return launchId;
}

/** `until`: its call may have gone on so long. */
function errorEnd(run: Pick<Row, 'run_type' | 'result' | 'plan'>, reason: string, until?: Date): RunEnd {
  const { run_type: runType, result } = run;
  return {
    outcome: 'ERROR',
    reason,
    steps: result.steps,
    transcript: result.transcript ?? [],
    callSeconds: secondsKnown(run, until),
    ...(runType === 'mission' && { mission: { verdict: 'error', judgeReasoning: reason } }),
  };
}
