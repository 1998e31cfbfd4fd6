import { randomUUID } from 'node:crypto';
import type { Kysely, Selectable, Transaction } from 'kysely';
import { sql } from 'kysely';
import type { EndedBy } from '../../contract/common.ts';
import { HumanError } from '../../contract/errors.ts';
import { defaultCaller } from '../../contract/profiles.ts';
import type { RunType, TestRun } from '../../contract/testRuns.ts';
import type { CallAudio } from '../../engine/call/callAudio.ts';
import { cappedBudget } from '../../model/calls/callBudget.ts';
import type { EventBus } from '../store/events.ts';
import { dialerFor } from '../runs/dialerFor.ts';
import type { DialerParts } from '../runs/dialerFor.ts';
import { readDialled } from '../runs/dialRecord.ts';
import { permitCalls, permitInbound } from '../runs/permission.ts';
import { endWherever, RunLifecycle } from '../runs/lifecycle.ts';
import type { Attempt, EndedRun, LifecycleParts, RunControl, RunKind } from '../runs/lifecycle.ts';
import type { Recordings } from '../runs/recordings.ts';
import type { Database, StoredResult } from '../store/schema.ts';
import { freeSlot, isHeld, meter } from '../workspaces/admission.ts';
import type { ModelMeter } from '../workspaces/modelMeter.ts';
import { assertLaunchedByKey } from '../workspaces/authors.ts';
import type { Launcher } from '../workspaces/principal.ts';
import { assertQuota } from '../workspaces/quotas.ts';
import { readCaller } from '../workspaces/profiles.ts';
import { readSettings } from '../workspaces/settings.ts';
import { awaitsCall, callsAtMost, launchBudget, secondsAtMost, shownRow, textsOfPlans } from './testPlan.ts';
import type { TestPlan } from '../store/testPlan.ts';
import type { PerformPlan, PlanEnd } from './testPlan.ts';
import { assertKeysAllowed, pressedByPlans } from './planKeys.ts';
import { assertValues } from './planValues.ts';
import { RunProgress } from './runProgress.ts';
import { failureReason, logFailure, StopReason } from '../runs/stopReason.ts';
import { callRecording, toRun } from './testRuns.ts';

export interface TestLaunchesOptions extends LifecycleParts, DialerParts {
  readonly events: EventBus;
  readonly recordings: Recordings;
  readonly perform: PerformPlan;
  readonly models: ModelMeter | undefined;
}

interface Launch {
  readonly runType: RunType;
  readonly phoneNumber: string;
  readonly configId?: string;
  readonly configName?: string;
  readonly catalogueTestId?: string;
  /** Default: the workspace's profile. */
  readonly profileId?: string;
  readonly plans: readonly TestPlan[];
  /** Rejects with HumanError 409 if the saved test isn't the version that the client means. */
  readonly assertCurrent?: () => void;
}

type Row = Selectable<Database['test_runs']>;
type LaunchRow = Selectable<Database['test_launches']>;

const cancelled = new StopReason('cancel', 'Cancelled. What was heard is kept.');
const noRun = (): HumanError =>
  new HumanError("This test run doesn't exist. List the runs to find the right one.", {
    status: 404,
    code: 'not_found',
  });
const notBegun = new StopReason('cancel', 'Cancelled before the call was placed.');
const stopped = new StopReason(
  'stop',
  'The service was stopped during this run. What was heard is kept. Run the test again.',
);
const interrupted = new StopReason(
  'crash',
  'The service ended unexpectedly during this run. What was heard is kept. Run the test again.',
);
const crashing = new StopReason(
  'crash',
  'Not called, because the service ended unexpectedly during other calls of this launch. See the log, then run the rest again.',
);
/** After this many crashes during calls, the remaining runs of a launch aren't dialled automatically. */
const maxCrashes = 1;

type RunEnd = PlanEnd & { readonly recordingBytes?: number };

interface RunningRun {
  readonly controller: AbortController;
  readonly done: Promise<void>;
}

const spent = new StopReason(
  'budget',
  'The minutes reserved for this launch are used up. Get more minutes, then run the rest.',
);
const awaitsOnly = ({ plan }: Pick<Row, 'plan'>): boolean => plan !== null && awaitsCall(plan);

/** Launches of tests. The runs of a launch share its slot and are performed one after the other. */
export class TestLaunches implements RunKind<LaunchRow, void> {
  readonly life: RunLifecycle<'tests'>;
  readonly kind = 'tests';
  readonly handsOver = true;
  readonly cancelled = cancelled;
  readonly stopped = stopped;
  readonly lost = interrupted;
  readonly #options: TestLaunchesOptions;
  /** By run. */
  readonly #running = new Map<string, RunningRun>();

  constructor(options: TestLaunchesOptions) {
    this.#options = options;
    this.life = new RunLifecycle(options, { tests: this });
    options.store.notices?.listen({
      onNotice: (notice) => {
        if (notice.type === 'cancel') this.#running.get(notice.runId)?.controller.abort(cancelled);
      },
    });
  }

  /** Creates the runs and queues them. Refuses targets that must not be called before anything is stored. */
  async launch(
    launcher: Launcher,
    { runType, phoneNumber, configId, configName, catalogueTestId, profileId, plans: planned, assertCurrent }: Launch,
  ): Promise<TestRun[]> {
    const { store, lines, now } = this.#options;
    const { workspaceId } = launcher;
    const caller = await readCaller(store.db, workspaceId, profileId);
    const plans = planned.map((plan): TestPlan => ({ ...plan, caller }));
    const launchId = randomUUID();
    const startedAt = now();
    const rows = await this.life.start('tests', {
      id: launchId,
      launcher,
      prepare: async () => {
        const waits = plans.every(awaitsCall);
        const { forbiddenKeys, costPerMinute, consentedBy } = waits
          ? permitInbound(caller)
          : await permitCalls(store, lines, { workspace_id: workspaceId, phone_number: phoneNumber, caller }, launcher);
        assertKeysAllowed(pressedByPlans(plans, forbiddenKeys));
        assertValues(plans);
        const planTexts = textsOfPlans(plans);
        assertCurrent?.();
        return {
          wanted: { ...launchBudget(plans), costPerMinute },
          waits,
          insert: async (transaction, workspace) => {
            await transaction
              .insertInto('test_launches')
              .values({ id: launchId, workspace_id: workspaceId, created_at: startedAt })
              .execute();
            const runRow = await transaction
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
                    // A millisecond apart, so that lists keep the order of the rows.
                    started_at: new Date(startedAt.getTime() + position),
                    completed_at: null,
                    result: JSON.stringify({ steps: [], ...(row && { row }) } satisfies StoredResult),
                    launch_id: launchId,
                    position,
                    plan: planTexts[position] ?? null,
                    consented_by: consentedBy ?? null,
                  };
                }),
              )
              .returningAll()
              .execute();
            await assertQuota(transaction, workspace, { testRuns: plans.length, recordingBytes: 0 });
            return runRow.sort((one, other) => (one.position ?? 0) - (other.position ?? 0));
          },
        };
      },
    });
    for (const { id } of rows) this.#tell(workspaceId, id);
    return rows.map(toRun);
  }

  /** Ends a run, even if another process performs it. Resolves when it has ended. */
  async cancel(author: Launcher, runId: string): Promise<void> {
    const { store, now } = this.#options;
    const { workspaceId } = author;
    await this.#assertLaunched(author, runId);
    await endWherever(this.#options, runId, cancelled, {
      find: () =>
        store.db
          .selectFrom('test_runs')
          .selectAll()
          .where('id', '=', runId)
          .where('workspace_id', '=', workspaceId)
          .where('completed_at', 'is', null)
          .executeTakeFirst(),
      here: () => this.#running.get(runId),
      isElsewhere: async (run) => run.attempt !== null && (await isHeld(store.db, launchOf(run), now())),
      ask: (transaction) =>
        transaction.updateTable('test_runs').set({ cancelled: true }).where('id', '=', runId).execute(),
      end: async (run) => {
        await this.#end(run, errorEnd(run, run.attempt === null ? notBegun : interrupted));
        await this.#forgetLaunch(launchOf(run));
      },
    });
  }

  /** Ends a run and all others of its launch. */
  async cancelWithOthers(author: Launcher, runId: string): Promise<void> {
    const launchId = await this.#assertLaunched(author, runId);
    if (launchId !== null) await this.life.cancel('tests', launchId);
  }

  /** Returns the launch id of a run that this key may end or delete. */
  async #assertLaunched(author: Launcher, runId: string): Promise<string | null> {
    const { db } = this.#options.store;
    const run = await db
      .selectFrom('test_runs')
      .select('launch_id')
      .where('id', '=', runId)
      .where('workspace_id', '=', author.workspaceId)
      .executeTakeFirst();
    if (!run) throw noRun();
    await assertLaunchedByKey(db, author, runId, run.launch_id);
    return run.launch_id;
  }

  /** Deletes a run that has ended, with its recording. Rejects with HumanError 409 while it is active. */
  async remove(author: Launcher, runId: string): Promise<void> {
    const { store, recordings } = this.#options;
    const { workspaceId } = author;
    await this.#assertLaunched(author, runId);
    await store.writeUnguarded(async (transaction) => {
      const run = await transaction
        .selectFrom('test_runs')
        .select(['completed_at', 'launch_id'])
        .where('id', '=', runId)
        .where('workspace_id', '=', workspaceId)
        .forUpdate()
        .executeTakeFirst();
      if (!run) throw noRun();
      if (!run.completed_at)
        throw new HumanError("This run hasn't ended yet. Cancel it first, then delete it.", {
          status: 409,
          code: 'already_running',
        });
      await transaction.deleteFrom('test_runs').where('id', '=', runId).execute();
      if (run.launch_id === null) return;
      await transaction
        .deleteFrom('test_launches')
        .where('id', '=', run.launch_id)
        .where((row) =>
          row.not(row.exists(row.selectFrom('test_runs').select('id').where('launch_id', '=', run.launch_id))),
        )
        .execute();
    });
    await store.sync();
    await recordings.remove(runId);
    this.#tell(workspaceId, runId);
  }

  open(db: Kysely<Database>, id?: string): Promise<LaunchRow[]> {
    return db
      .selectFrom('test_launches')
      .selectAll()
      .where((row) =>
        row.exists(
          row
            .selectFrom('test_runs')
            .select('test_runs.id')
            .whereRef('test_runs.launch_id', '=', 'test_launches.id')
            .where('completed_at', 'is', null),
        ),
      )
      .$if(id !== undefined, (query) => query.where('id', '=', id ?? ''))
      .execute();
  }

  /** A call during which another process crashed isn't continued. */
  async prepare(launchId: string): Promise<void> {
    for (const run of await this.#open(launchId))
      if (run.attempt !== null || run.cancelled)
        await this.#end(run, errorEnd(run, run.attempt === null ? notBegun : interrupted));
  }

  async begin(transaction: Transaction<Database>, launchId: string): Promise<Attempt<LaunchRow> | undefined> {
    if ((await this.open(transaction, launchId)).length === 0) return undefined;
    const launch = await transaction
      .updateTable('test_launches')
      .set((row) => ({ attempts: row('attempts', '+', 1) }))
      .where('id', '=', launchId)
      .returningAll()
      .executeTakeFirstOrThrow();
    const isGivenUp = (await this.#crashesOf(transaction, launchId)) > maxCrashes;
    return {
      row: launch,
      workspaceId: launch.workspace_id,
      attempt: launch.attempts,
      ...(isGivenUp && { giveUp: crashing }),
    };
  }

  async work({ row: { id: launchId }, attempt }: Attempt<LaunchRow>, control: RunControl): Promise<void> {
    const { store } = this.#options;
    let { budgetSeconds } = control;
    while (!control.signal.aborted) {
      const run = await store.db
        .updateTable('test_runs')
        .set({ attempt })
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
      if (!run) return;
      const seconds = await this.#carryOutRun(run, { ...control, budgetSeconds });
      if (budgetSeconds !== undefined) budgetSeconds = Math.max(0, budgetSeconds - seconds);
    }
  }

  /** Each run has its own end. */
  async endOf({ id: launchId }: LaunchRow, why: StopReason): Promise<void> {
    for (const run of await this.#open(launchId))
      await this.#end(run, errorEnd(run, run.attempt === null && why.endedBy === 'cancel' ? notBegun : why));
  }

  end(_transaction: Transaction<Database>, { workspace_id: workspaceId }: LaunchRow): Promise<EndedRun> {
    return Promise.resolve({ workspaceId });
  }

  async #carryOutRun(run: Row, { signal: launchSignal, budgetSeconds }: RunControl): Promise<number> {
    const { log } = this.#options;
    const controller = new AbortController();
    const signal = AbortSignal.any([launchSignal, controller.signal]);
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
      seconds = await this.#end(run, how);
    };
    const done = this.#perform(run, progress, { signal, budgetSeconds })
      .then(end)
      .catch(async (error: unknown) => {
        logFailure({ runId: run.id, log, signal }, error, 'a test run failed');
        await end(
          errorEnd(
            { ...run, result: progress.stored },
            signal.aborted ? asReason(signal.reason) : failureReason(error),
          ),
        );
      })
      .finally(() => {
        this.#running.delete(run.id);
      });
    this.#running.set(run.id, { controller, done });
    await done;
    return seconds;
  }

  async #perform(run: Row, progress: RunProgress, { signal, budgetSeconds }: RunControl): Promise<RunEnd> {
    const { store, lines, perform, models } = this.#options;
    const { plan } = run;
    if (!plan) throw new Error('a run without a plan');
    if (budgetSeconds !== undefined && budgetSeconds < 1) return errorEnd(run, spent);
    const permit = awaitsCall(plan)
      ? permitInbound(plan.caller ?? defaultCaller)
      : await permitCalls(store, lines, { ...run, caller: plan.caller });
    const maxSeconds = await this.#secondsAtMost(store.db, run);
    const model = plan.type === 'mission' ? await models?.forRun(run.workspace_id, launchOf(run)) : undefined;
    const calling = { runId: run.id, slotOf: launchOf(run), attempt: run.attempt ?? 0 };
    return await dialerFor(this.#options, calling, permit, async (calls, address) => {
      let recordingBytes = 0;
      if (address !== undefined) progress.waitsAt(address);
      try {
        for await (const event of perform(plan, {
          ...calls,
          signal,
          ...(model && { model }),
          ...(budgetSeconds !== undefined && { budgetSeconds: Math.min(budgetSeconds, maxSeconds) }),
        })) {
          if (event.type === 'ended')
            return {
              ...event.ended,
              ...(signal.aborted && { endedBy: endedBy(signal.reason) }),
              recordingBytes,
            };
          if (event.type === 'audio') recordingBytes = await this.#record(run, event.audio);
          else progress.take(event);
        }
      } finally {
        await progress.close();
      }
      throw new Error('the test ended without saying how');
    });
  }

  /** Returns its size in bytes; 0 if it can't be stored, which doesn't affect the run. */
  async #record(run: Row, audio: CallAudio): Promise<number> {
    const { recordings, log } = this.#options;
    try {
      return (await recordings.write(run.id, callRecording, audio)).bytes;
    } catch (error) {
      log.error({ runId: run.id, err: error }, 'the recording of a test run could not be stored');
      return 0;
    }
  }

  /** Stores the end of a run, counts and returns its seconds, and wipes its plan, in one transaction. */
  async #end(
    run: Row,
    {
      outcome,
      reason,
      endedBy: by,
      callSeconds,
      hangUp,
      postDialMs,
      steps,
      transcript,
      mission,
      recordingBytes = 0,
    }: RunEnd,
  ): Promise<number> {
    const { store, now, log } = this.#options;
    const launchId = launchOf(run);
    const { awaitsCallAt: _over, ...before } = run.result;
    const result: StoredResult = {
      ...before,
      steps: [...steps],
      transcript: [...transcript],
      ...(reason !== undefined && { reason }),
      ...(by && { endedBy: by }),
      ...(hangUp && { hangUp }),
      ...(postDialMs !== undefined && { postDialMs }),
      ...(recordingBytes > 0 && { recorded: true }),
      ...(mission && { mission }),
    };
    const counted = await store.writeUnguarded(async (transaction) => {
      const dialled = await readDialled(transaction, run.id, now());
      // An interrupted run knows less about its calls than their records do.
      const seconds = Math.max(callSeconds, dialled.seconds);
      const ended = await transaction
        .updateTable('test_runs')
        .set({
          outcome,
          completed_at: now(),
          result: JSON.stringify({ ...result, callSeconds: seconds } satisfies StoredResult),
          recording_bytes: recordingBytes,
          plan: null,
        })
        .where('id', '=', run.id)
        .where('completed_at', 'is', null)
        .where('attempt', run.attempt === null ? 'is' : '=', run.attempt)
        .returning('id')
        .executeTakeFirst();
      if (!ended) return seconds;
      // A client that sees the last run ended also sees its slot free.
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
        kind: this.kind,
        seconds,
        calls: awaitsOnly(run) ? 0 : dialled.calls,
        now: now(),
      });
      if (others.length === 0) await freeSlot(transaction, run.workspace_id, launchId);
      return seconds;
    });
    await store.sync();
    this.#tell(run.workspace_id, run.id);
    log.info({ runId: run.id, outcome }, 'test run ended');
    return counted;
  }

  /** Returns the maximum usage of a run, with the current budget per run. */
  async #secondsAtMost(db: Kysely<Database>, { workspace_id: workspaceId, plan }: Row): Promise<number> {
    const seconds = plan ? secondsAtMost(plan) : 0;
    const { budgets } = await readSettings(db, workspaceId);
    return cappedBudget({ calls: 1, seconds, secondsOfRun: seconds }, budgets.secondsPerRun).seconds;
  }

  /** Returns how many runs of a launch were on a call when their process crashed. */
  async #crashesOf(db: Kysely<Database>, launchId: string): Promise<number> {
    const { crashes } = await db
      .selectFrom('test_runs')
      .select(({ fn }) => fn.countAll<number | string>().as('crashes'))
      .where('launch_id', '=', launchId)
      .where(sql`result ->> 'endedBy'`, '=', 'crash')
      .executeTakeFirstOrThrow();
    return Number(crashes);
  }

  /** A launch without open runs waits for nothing. */
  async #forgetLaunch(launchId: string): Promise<void> {
    const { queue } = this.#options;
    if (!this.life.isActive(launchId) && (await this.#open(launchId)).length === 0) await queue.remove(launchId);
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

  #tell(workspaceId: string, runId: string): void {
    this.#options.events.publish(workspaceId, { type: 'test.changed', runId });
  }
}

function launchOf({ launch_id: launchId }: Row): string {
  if (launchId === null) throw new Error('a run that nobody launched');
  return launchId;
}

const asReason = (reason: unknown): StopReason | string => (reason instanceof StopReason ? reason : String(reason));
const endedBy = (reason: unknown): EndedBy => (reason instanceof StopReason ? reason.endedBy : 'cancel');

function errorEnd(run: Pick<Row, 'run_type' | 'result'>, why: StopReason | string): RunEnd {
  const { run_type: runType, result } = run;
  const reason = String(why);
  return {
    outcome: 'ERROR',
    reason,
    steps: result.steps,
    transcript: result.transcript ?? [],
    callSeconds: 0,
    ...(why instanceof StopReason && { endedBy: why.endedBy }),
    ...(runType === 'mission' && { mission: { verdict: 'error', judgeReasoning: reason } }),
  };
}
