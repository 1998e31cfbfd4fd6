import { reasoned } from '../../language/judge/judge.ts';
import { because, sentence, sentencesOf, type Sentences } from '../../base/sentences.ts';
import type { Kysely, NotNull, Transaction } from 'kysely';
import { sql } from 'kysely';
import type { EndedBy } from '../../contract/common.ts';
import { defaultCaller } from '../../contract/profiles.ts';
import type { StepResult } from '../../contract/testRuns.ts';
import { notReachedEnd } from '../../engine/script/stepEnd.ts';
import type { CallAudio } from '../../engine/call/callAudio.ts';
import { cappedBudget } from '../../model/calls/callBudget.ts';
import type { EventBus } from '../store/events.ts';
import { dialerFor } from '../runs/dialerFor.ts';
import type { DialerParts } from '../runs/dialerFor.ts';
import { readDialled } from '../runs/dialRecord.ts';
import type { LiveSounds } from '../runs/liveSounds.ts';
import { permitCalls, permitInbound } from '../runs/permission.ts';
import type { LifecycleParts, RunControl, RunKind } from '../runs/lifecycle.ts';
import type { Recordings } from '../runs/recordings.ts';
import type { Database, StoredResult, TestRunRow } from '../store/schema.ts';
import type { CallUsage } from '../workspaces/admission.ts';
import type { ModelMeter } from '../workspaces/modelMeter.ts';
import { readWorkspaceSettings } from '../workspaces/settings.ts';
import { GivenSteps } from './givenSteps.ts';
import { lackingSecrets, withSecrets, type HeldSecrets } from './launchSecrets.ts';
import { awaitsCall, callsAtMost, isGuided, secondsAtMost } from './testPlan.ts';
import type { PerformPlan, PlanEnd } from './testPlan.ts';
import { RunProgress } from './runProgress.ts';
import { failureReason, logFailure, StopReason } from '../runs/stopReason.ts';
import { wholeCallId } from './testRuns.ts';

export interface TestKindOptions extends LifecycleParts, DialerParts {
  readonly events: EventBus;
  readonly recordings: Recordings;
  readonly perform: PerformPlan;
  readonly models: ModelMeter | undefined;
  readonly sounds: LiveSounds;
  readonly secrets: HeldSecrets;
}

type QueuedTestRow = TestRunRow & { readonly slotOf: string };
type RunEnd = PlanEnd & { readonly recordingBytes?: number };

const cancelled = new StopReason('cancel', sentence`Cancelled. What was heard is kept.`);
const notBegun = new StopReason('cancel', sentence`Cancelled before the call was placed.`);
const stopped = new StopReason(
  'stop',
  sentence`The service was stopped during this run. What was heard is kept. Run the test again.`,
);
const interrupted = new StopReason(
  'crash',
  sentence`The service ended unexpectedly during this run. What was heard is kept. Run the test again.`,
);
const crashing = new StopReason(
  'crash',
  sentence`Not called, because the service ended unexpectedly during other calls of this launch. See the log, then run the rest again.`,
);
const spent = new StopReason(
  'budget',
  sentence`The minutes reserved for this launch are used up. Get more minutes, then run the rest.`,
);
const secretLost = sentence`A secret of this test isn't known: another process of the service launched it, or it has started again since. Run the test again.`;
/** After this many crashes during calls, the remaining runs of a launch aren't dialled automatically. */
const maxCrashes = 1;

/** Test runs. The runs of a launch share its slot. A call during which a process crashed isn't continued. */
export const testKind = (options: TestKindOptions): RunKind<QueuedTestRow, RunEnd> => ({
  handsOver: true,
  cancelled,
  stopped,
  lost: interrupted,

  open: (db, id) =>
    openRuns(db)
      .$if(id !== undefined, (query) =>
        query.where((row) => row.or([row('id', '=', id ?? ''), row('launch_id', '=', id ?? '')])),
      )
      .execute(),

  async begin(transaction, launchId, before) {
    const launch = await transaction
      .updateTable('test_launches')
      .set((row) => ({ attempts: row('attempts', '+', before === undefined ? 1 : 0) }))
      .where('id', '=', launchId)
      // Otherwise, another process has the launch now.
      .$if(before !== undefined, (query) => query.where('attempts', '=', before ?? 0))
      .returning(['workspace_id as workspaceId', 'attempts as attempt'])
      .executeTakeFirst();
    if (!launch) return undefined;
    for (;;) {
      const row = await openRuns(transaction).where('launch_id', '=', launchId).limit(1).executeTakeFirst();
      if (!row) return undefined;
      if (row.attempt !== null) return { ...launch, row, giveUp: interrupted };
      if (launch.attempt > 1 && (await crashesOf(transaction, launchId)) > maxCrashes)
        return { ...launch, row, giveUp: crashing };
      const { attempt } = launch;
      const begun = await transaction
        .updateTable('test_runs')
        .set({ attempt })
        .where('id', '=', row.id)
        .where('completed_at', 'is', null)
        .returning('id')
        .executeTakeFirst();
      // Otherwise, it was cancelled meanwhile.
      if (begun) return { ...launch, row: { ...row, attempt } };
    }
  },

  async work({ row }, control) {
    const { log } = options;
    const { signal, interrupt } = control;
    const onCancelled = (): void => interrupt(cancelled);
    const onStored = (): void => {
      tell(options, row);
    };
    const progress = new RunProgress({ ...options, onCancelled, onStored }, row);
    try {
      return await call(options, row, progress, control);
    } catch (error) {
      logFailure({ runId: row.id, log, signal }, error, 'a test run failed');
      return errorEnd(
        { ...row, result: progress.stored },
        signal.aborted ? sentencesOf(signal.reason) : failureReason(error),
      );
    }
  },

  endOf: (row, why, worked) =>
    worked ?? errorEnd(row, row.attempt === null && why.endedBy === 'cancel' ? notBegun : why),

  /** Stores the end of a run, and wipes its plan. */
  async end(
    transaction,
    run,
    {
      outcome,
      reason,
      reasonParts,
      endedBy: by,
      callSeconds,
      hangUp,
      postDialMs,
      steps,
      transcript,
      mission,
      recordingBytes = 0,
    },
  ) {
    const { now } = options;
    const { awaitsCallAt: _over, hearing: _cut, ...before } = run.result;
    const dialled = await readDialled(transaction, run.id, now());
    // An interrupted run knows less about its calls than their records do.
    const seconds = Math.max(callSeconds, dialled.seconds);
    const result: StoredResult = {
      ...before,
      steps: [...steps, ...(by === 'crash' ? [] : await missedSteps(transaction, run, steps.length))],
      transcript: [...transcript],
      ...(reason !== undefined && { reason }),
      ...(reasonParts && { reasonParts }),
      ...(by && { endedBy: by }),
      ...(hangUp && { hangUp }),
      ...(postDialMs !== undefined && { postDialMs }),
      ...(recordingBytes > 0 && { recorded: true }),
      ...(mission && { mission }),
      callSeconds: seconds,
    };
    const ended = await transaction
      .updateTable('test_runs')
      .set({
        outcome,
        completed_at: now(),
        result: JSON.stringify(result),
        recording_bytes: recordingBytes,
        plan: null,
      })
      .where('id', '=', run.id)
      .where('completed_at', 'is', null)
      .where('attempt', run.attempt === null ? 'is' : '=', run.attempt)
      .returning('id')
      .executeTakeFirst();
    if (!ended) return undefined;
    // A client that sees the last run ended also sees its slot free.
    const other = await openRuns(transaction).where('launch_id', '=', run.slotOf).limit(1).executeTakeFirst();
    return {
      workspaceId: run.workspace_id,
      seconds,
      calls: run.plan && awaitsCall(run.plan) ? 0 : dialled.calls,
      planned: other && (await usageAtMost(transaction, run)),
    };
  },

  ask: (transaction, id) =>
    transaction.updateTable('test_runs').set({ cancelled: true }).where('id', '=', id).execute(),

  ended(row, _workspaceId, { outcome }) {
    tell(options, row, { ended: true });
    options.log.info({ runId: row.id, outcome }, 'test run ended');
  },
});

/** Returns the results of steps that a guided run was given too late. */
async function missedSteps(
  transaction: Transaction<Database>,
  { id, plan }: QueuedTestRow,
  done: number,
): Promise<StepResult[]> {
  if (!plan || !isGuided(plan) || done < plan.steps.length) return [];
  const current = await transaction
    .selectFrom('test_runs')
    .select('plan')
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();
  const given = current?.plan && isGuided(current.plan) ? current.plan.given : [];
  return given.slice(done - plan.steps.length).map(({ name }) => ({ name, ...notReachedEnd }));
}

/** In the order in which they begin, after those that earlier attempts left. */
const openRuns = (db: Kysely<Database>) =>
  db
    .selectFrom('test_runs')
    .selectAll()
    .select('launch_id as slotOf')
    .where('completed_at', 'is', null)
    .where('launch_id', 'is not', null)
    .orderBy('attempt', (order) => order.asc().nullsLast())
    .orderBy('position')
    .$narrowType<{ slotOf: NotNull }>();

function tell(
  { events }: Pick<TestKindOptions, 'events'>,
  { id, workspace_id: workspaceId }: QueuedTestRow,
  change?: { readonly ended: true },
): void {
  events.publish(workspaceId, { type: 'test.changed', runId: id, ...change });
}

async function call(
  options: TestKindOptions,
  run: QueuedTestRow,
  progress: RunProgress,
  { signal, budgetSeconds, interrupt }: RunControl,
): Promise<RunEnd> {
  const { store, lines, perform, models, sounds } = options;
  if (!run.plan) throw new Error('a run without a plan');
  const secrets = options.secrets.of(run.slotOf);
  if (lackingSecrets(run.plan, secrets).length > 0) return errorEnd(run, secretLost);
  const plan = withSecrets(run.plan, secrets);
  if (budgetSeconds !== undefined && budgetSeconds < 1) return errorEnd(run, spent);
  const permit = awaitsCall(plan)
    ? permitInbound(plan.caller ?? defaultCaller)
    : await permitCalls(store, lines, { ...run, caller: plan.caller });
  const { seconds: maxSeconds } = await usageAtMost(store.db, run);
  const model = plan.type === 'mission' ? await models?.forRun(run.workspace_id, run.slotOf) : undefined;
  // Nothing else limits how long a person guides a call.
  const mostSeconds = budgetSeconds ?? (isGuided(plan) ? maxSeconds : undefined);
  const calling = { runId: run.id, slotOf: run.slotOf, attempt: run.attempt ?? 0, interrupt };
  return await dialerFor(options, calling, permit, async (calls, address) => {
    const guide = isGuided(plan) ? new GivenSteps(options, run) : undefined;
    const endSound = sounds.begin(run.id);
    let recordingBytes = 0;
    if (address !== undefined) progress.waitsAt(address);
    try {
      for await (const event of perform(plan, {
        ...calls,
        signal,
        onSound: (sound) => sounds.answered(run.id, sound),
        ...(model && { model }),
        ...(guide && { guide }),
        ...(mostSeconds !== undefined && { budgetSeconds: Math.min(mostSeconds, maxSeconds) }),
      })) {
        if (event.type === 'ended')
          return {
            ...event.ended,
            ...(signal.aborted && { endedBy: endedBy(signal.reason) }),
            recordingBytes,
          };
        if (event.type === 'audio') recordingBytes = await record(options, run, event.audio);
        else progress.take(event);
      }
    } finally {
      endSound();
      await guide?.close();
      await progress.close();
    }
    throw new Error('the test ended without saying how');
  });
}

/** Returns its size in bytes; 0 if it can't be stored, which doesn't affect the run. */
async function record({ recordings, log }: TestKindOptions, run: QueuedTestRow, audio: CallAudio): Promise<number> {
  try {
    return (await recordings.write(run.id, wholeCallId, audio)).bytes;
  } catch (error) {
    log.error({ runId: run.id, err: error }, 'the recording of a test run could not be stored');
    return 0;
  }
}

/** Returns the maximum usage of a run, with the current budget per run. */
async function usageAtMost(
  db: Kysely<Database>,
  { workspace_id: workspaceId, plan }: QueuedTestRow,
): Promise<CallUsage> {
  const seconds = plan ? secondsAtMost(plan) : 0;
  const { budgets } = await readWorkspaceSettings(db, workspaceId);
  const { seconds: capped } = cappedBudget({ calls: 1, seconds, secondsOfRun: seconds }, budgets.secondsPerRun);
  return { calls: plan ? callsAtMost(plan) : 1, seconds: capped };
}

/** Returns how many runs of a launch were on a call when their process crashed. */
async function crashesOf(db: Kysely<Database>, launchId: string): Promise<number> {
  const { crashes } = await db
    .selectFrom('test_runs')
    .select(({ fn }) => fn.countAll<number | string>().as('crashes'))
    .where('launch_id', '=', launchId)
    .where(sql`result ->> 'endedBy'`, '=', 'crash')
    .executeTakeFirstOrThrow();
  return Number(crashes);
}

const endedBy = (reason: unknown): EndedBy => (reason instanceof StopReason ? reason.endedBy : 'cancel');

function errorEnd(run: Pick<QueuedTestRow, 'run_type' | 'result'>, why: Sentences): RunEnd {
  const { run_type: runType, result } = run;
  return {
    outcome: 'ERROR',
    ...because(why),
    steps: result.steps,
    transcript: result.transcript ?? [],
    callSeconds: 0,
    ...(why instanceof StopReason && { endedBy: why.endedBy }),
    ...(runType === 'mission' && { mission: { verdict: 'error', ...reasoned(why) } }),
  };
}
