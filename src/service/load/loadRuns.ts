import { because, sentence, type Reason } from '../../base/sentences.ts';
import { randomUUID } from 'node:crypto';
import type { Kysely, Transaction } from 'kysely';
import { dialerFor } from '../runs/dialerFor.ts';
import type { DialerParts } from '../runs/dialerFor.ts';
import type { SharedDialer } from '../runs/sharedDialer.ts';
import type { EndedBy } from '../../contract/common.ts';
import { HumanError } from '../../contract/errors.ts';
import { limits } from '../../contract/limits.ts';
import type { LoadCriteria, LoadStats, LoadTest, RunLoadTest } from '../../contract/loadTests.ts';
import { liveCaller } from '../../engine/load/liveCaller.ts';
import type { LoadEvent, LoadOptions } from '../../engine/load/loadOptions.ts';
import { loadBudget } from '../../model/calls/callBudget.ts';
import { fewestCalls, peakCalls, secondsForEachCall, type LoadCourse } from '../../model/calls/loadCourse.ts';
import type { EventBus } from '../store/events.ts';
import { mannerOf } from '../lines/lineBook.ts';
import type { LoadShare } from '../lines/lineTraffic.ts';
import { permitCalls, type Permit } from '../runs/permission.ts';
import type { LifecycleParts, RunControl, RunKind, RunLifecycle } from '../runs/lifecycle.ts';
import type { Recordings } from '../runs/recordings.ts';
import type { Database, LoadTestRow, StoredLoadRecordings } from '../store/schema.ts';
import type { Store } from '../store/store.ts';
import { lockWorkspace } from '../workspaces/keys.ts';
import { storedBy } from '../workspaces/meters.ts';
import { assertLaunchedByKey } from '../workspaces/authors.ts';
import type { Launcher } from '../workspaces/principal.ts';
import { assertHearsAll, isHeardLive, verdictOf } from './liveLoad.ts';
import { LoadRecordings } from './loadRecordings.ts';
import { toLoadTest } from './loadTests.ts';
import { assertKeysAllowed, pressedByLoad, pressedByPlans } from '../testing/planKeys.ts';
import { noUsage, placeReferences, type ReferenceUsage } from './loadReference.ts';
import type { LoadSubject } from './loadSubjects.ts';
import { assertValues } from '../testing/planValues.ts';
import { textsOfPlans, type PerformPlan } from '../testing/testPlan.ts';
import { failureReason, logFailure, StopReason } from '../runs/stopReason.ts';

/**
 * Runs a load test; tests replace it. The calls are placed to `target`, and have ended when the events end. `caller`:
 * places them instead of separate threads.
 */
export type PerformLoad = (options: Omit<LoadOptions, 'caller'> & Partial<LoadOptions>) => AsyncIterable<LoadEvent>;

export interface LoadKindOptions extends LifecycleParts, DialerParts {
  readonly events: EventBus;
  readonly performLoad: PerformLoad;
  /** Carries out a mission or a probe on one call. */
  readonly perform: PerformPlan;
  readonly dialer: SharedDialer;
  readonly recordings: Recordings;
}

/** Only if an earlier version stored the run. */
const withoutPlan = sentence`An earlier version of Dialtree started this load test, and this version doesn't know how to carry it out, so no call was placed. Start it again.`;
const noCalls = { placed: 0, answered: 0, active: 0, failed: 0 };

/** The default of a load test that carries out a test. */
const everyCallPasses: LoadCriteria = { minPassed: 1 };

interface End extends Reason {
  readonly status: 'completed' | 'failed' | 'aborted';
  readonly endedBy?: EndedBy;
  readonly stats?: LoadStats;
  /** Usage before the calls of the load. Without it and `stats`, the usage isn't known. */
  readonly reference?: ReferenceUsage;
  readonly recordings?: StoredLoadRecordings;
}

type LoadRunsOptions = Pick<LoadKindOptions, 'store' | 'lines' | 'now' | 'events' | 'recordings'>;

/** Starts, cancels and deletes load tests. */
export class LoadRuns {
  readonly #options: LoadRunsOptions;
  readonly #life: RunLifecycle<'load'>;

  constructor(options: LoadRunsOptions, life: RunLifecycle<'load'>) {
    this.#options = options;
    this.#life = life;
  }

  async start(launcher: Launcher, input: RunLoadTest, subject: LoadSubject): Promise<LoadTest> {
    const { phoneNumber, profileId, plans, tested } = subject;
    const { store, lines, now } = this.#options;
    const { workspaceId } = launcher;
    const id = randomUUID();
    const row = await this.#life.start('load', {
      id,
      launcher,
      prepare: async () => {
        const permit = await permitCalls(
          store,
          lines,
          { workspace_id: workspaceId, phone_number: phoneNumber, profile_id: profileId, line: input.line },
          launcher,
        );
        const { forbiddenKeys, costPerMinute, caller } = permit;
        const planTexts = textsOfPlans(plans);
        assertKeysAllowed([...pressedByLoad(input, forbiddenKeys), ...pressedByPlans(plans, forbiddenKeys)]);
        assertValues(plans);
        assertHearsAll(plans, input);
        const criteria = plans.length > 0 ? { ...everyCallPasses, ...input.criteria } : input.criteria;
        const { expectedUpdatedAt: _version, test: _test, mission: _mission, line: _line, ...course } = input;
        const load = lines.fitLoad({ ...course, ...(criteria && { criteria }) }, permit, caller);
        const { phoneNumber: _number, configId: _id, concurrency, rampSeconds, holdSeconds, ...shape } = load;
        return {
          wanted: {
            ...loadBudget({ ...load, testRows: plans.length, isLive: plans.some(isHeardLive) }),
            costPerMinute,
            stored: storedBy.load({ records: plans.length > 0 }),
          },
          check: async (transaction) => {
            await lockWorkspace(transaction, workspaceId);
            await assertNoLoadTest(transaction, workspaceId);
            await tested?.save(transaction);
          },
          insert: (transaction) =>
            transaction
              .insertInto('load_tests')
              .values({
                id,
                workspace_id: workspaceId,
                phone_number: phoneNumber,
                config_id: tested?.id ?? null,
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
                plans: plans.length > 0 ? `[${planTexts.join(',')}]` : null,
              })
              .returningAll()
              .executeTakeFirstOrThrow(),
        };
      },
    });
    tell(this.#options, row);
    return toLoadTest(row);
  }

  /** Ends a load test. Resolves when it has ended. */
  async cancel(author: Launcher, id: string): Promise<void> {
    await assertLaunchedByKey(this.#options.store.db, author, id);
    await this.#life.cancel('load', id);
  }

  /** Deletes a load test that has ended, with its recordings. Rejects with HumanError 409 while it is active. */
  async remove(author: Launcher, id: string): Promise<void> {
    const { store, recordings } = this.#options;
    const { workspaceId } = author;
    await assertLaunchedByKey(store.db, author, id);
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
    await recordings.remove(id);
    tell(this.#options, row);
  }
}

const lost = new StopReason(
  'crash',
  sentence`The service ended unexpectedly during this load test, so its figures are lost. Run it again.`,
);

/** Load tests. An interrupted one isn't resumed. */
export const loadKind = (options: LoadKindOptions): RunKind<LoadTestRow, End> => ({
  cancelled: new StopReason('cancel', sentence`Cancelled.`),
  stopped: new StopReason('stop', sentence`The service was stopped during this load test.`),
  lost,

  open: openLoads,

  async begin(transaction, id) {
    const [before] = await openLoads(transaction, id);
    if (!before) return undefined;
    const attempt = { workspaceId: before.workspace_id, attempt: 1 };
    if (before.begun) return { ...attempt, row: before, giveUp: lost };
    const row = await transaction
      .updateTable('load_tests')
      .set({ begun: true, begun_at: options.now() })
      .where('id', '=', id)
      .where('status', '=', 'running')
      .where('begun', '=', false)
      .returningAll()
      .executeTakeFirst();
    return row && { ...attempt, row };
  },

  async work({ row }, control) {
    const recordings = new LoadRecordings(options, row);
    try {
      const end = await placeCalls(options, row, control, recordings);
      const stored = await recordings.finish(end.stats?.tested?.failures);
      return { ...end, ...(stored && { recordings: stored }) };
    } catch (error) {
      logFailure({ runId: row.id, log: options.log, signal: control.signal }, error, 'a load test failed');
      const stored = await recordings.finish();
      return { status: 'failed', ...because(failureReason(error)), ...(stored && { recordings: stored }) };
    }
  },

  endOf: (_row, why, worked) => ({
    ...worked,
    status: why.endedBy === 'crash' ? 'failed' : 'aborted',
    ...because(why),
    endedBy: why.endedBy,
  }),

  async end(transaction, row, { status, reason, reasonParts, endedBy, stats, reference, recordings }) {
    const used =
      stats || reference
        ? {
            seconds: (stats?.callSeconds ?? 0) + (reference?.seconds ?? 0),
            calls: (stats?.callsPlaced ?? 0) + (reference?.calls ?? 0),
          }
        : await usedAtMost(transaction, row.id, options.now());
    const updated = await transaction
      .updateTable('load_tests')
      .set({
        status,
        reason: reason ?? null,
        reason_parts: reasonParts ? JSON.stringify(reasonParts) : null,
        stats: stats ? JSON.stringify(stats) : null,
        recordings: recordings ? JSON.stringify(recordings) : null,
        progress: null,
        plans: null,
        completed_at: options.now(),
        ...(endedBy && { ended_by: endedBy }),
      })
      .where('id', '=', row.id)
      .where('status', '=', 'running')
      .where('begun', '=', row.begun)
      .returning('workspace_id')
      .executeTakeFirst();
    return updated && { workspaceId: updated.workspace_id, ...used };
  },

  ended: (row) => tell(options, row, { ended: true }),
});

const openLoads = (db: Kysely<Database>, id?: string): Promise<LoadTestRow[]> =>
  db
    .selectFrom('load_tests')
    .selectAll()
    .where('status', '=', 'running')
    .$if(id !== undefined, (query) => query.where('id', '=', id ?? ''))
    .execute();

async function placeCalls(
  options: LoadKindOptions,
  row: LoadTestRow,
  { signal, budgetSeconds, interrupt }: RunControl,
  recordings: LoadRecordings,
): Promise<End> {
  const { store, lines, perform, clock } = options;
  const plans = row.plans ?? [];
  const carriesOutTest = row.config_id !== null || row.shape?.catalogueTestId !== undefined;
  if (carriesOutTest && plans.length === 0) return { status: 'failed', ...because(withoutPlan), reference: noUsage };
  const permit = await permitCalls(store, lines, row);
  const { forbiddenKeys, caller } = permit;
  // More keys can be forbidden since the launch.
  assertKeysAllowed([...pressedByLoad(row.shape ?? {}, forbiddenKeys), ...pressedByPlans(plans, forbiddenKeys)]);
  const load = lines.fitLoad(courseOf(row), permit, caller);
  // An earlier version, or a larger machine, can have started it.
  assertHearsAll(plans, load);
  /** From now on, a test whose figures are lost counts as having dialled. */
  const begin = async (): Promise<void> => {
    await writeProgress(store, row, noCalls);
    await store.sync();
  };
  const calling = { runId: row.id, slotOf: row.id, attempt: 1, interrupt };
  const parts = { row, permit, load, signal, budgetSeconds, recordings };
  const [live] = plans.filter(isHeardLive);
  if (live)
    return await dialerFor(options, { ...calling, hasLine: true }, permit, async ({ dialer, ...calls }) => {
      await begin();
      return await holdCalls(options, {
        ...parts,
        reference: noUsage,
        // Without a language model, because a load test has no budget for one.
        how: {
          scripts: [],
          caller: liveCaller(dialer, clock, (call) => verdictOf(perform(live, { ...calls, ...call }))),
        },
      });
    });
  const scriptPlans = plans.filter((plan) => plan.type === 'script');
  if (scriptPlans.length === 0) {
    await begin();
    return await holdCalls(options, { ...parts, reference: noUsage, how: {} });
  }
  const {
    scripts,
    failure,
    used: reference,
  } = await dialerFor(options, calling, permit, async (calls) => {
    await begin();
    return await placeReferences(calls, {
      plans: scriptPlans,
      signal,
      holdSeconds: secondsForEachCall(load),
      budgetSeconds,
      onCall: (references) => noteProgress(options, row, { ...noCalls, references }),
      onAudio: (...call) => recordings.addReference(...call),
    });
  });
  if (failure) return { status: failure.endedBy ? 'aborted' : 'failed', ...failure, reference };
  return await holdCalls(options, { ...parts, reference, how: { scripts, keepsExamples: true } });
}

interface HeldCalls extends Pick<RunControl, 'signal' | 'budgetSeconds'> {
  readonly row: LoadTestRow;
  readonly permit: Permit;
  readonly load: LoadCourse;
  readonly recordings: LoadRecordings;
  /** Usage before these calls. */
  readonly reference: ReferenceUsage;
  /** What the calls carry out. */
  readonly how: Partial<LoadOptions>;
}

/** Places the calls of the load. */
async function holdCalls(
  options: LoadKindOptions,
  { row, permit, load, signal, budgetSeconds, recordings, reference, how }: HeldCalls,
): Promise<End> {
  const { lines, performLoad, clock, log } = options;
  const { uri, caller } = permit;
  let share: LoadShare | undefined;
  let isBegun = false;
  try {
    if (permit.line !== undefined) await lines.register(permit.line, signal);
    share = await lines.share(permit, load, signal);
    const events = performLoad({
      target: uri,
      signal,
      clock,
      ...row.shape,
      ...load,
      keyTiming: mannerOf(caller, permit.line === undefined ? {} : lines.settingsOf(permit.line)).keys,
      ...(permit.line !== undefined && { call: lines.accountOf(permit.line, caller) }),
      ...how,
      ...(budgetSeconds !== undefined && { budgetSeconds: Math.max(0, budgetSeconds - reference.seconds) }),
    });
    for await (const event of events) {
      isBegun = true;
      if (event.type === 'ended') {
        if (event.fault !== undefined)
          log.error({ runId: row.id, err: event.fault }, 'a load test ended with an internal error');
        return {
          status: event.status,
          stats: event.stats,
          reference,
          reason: event.reason,
          reasonParts: event.reasonParts,
          ...(event.endedBy && { endedBy: event.endedBy }),
        };
      }
      if (event.type === 'example') await recordings.addExample(event);
      if (event.type !== 'progress') continue;
      const { placed, answered, active, failed } = event;
      share?.setCalls(active);
      if (placed >= fewestCalls(load) && row.shape?.replace !== true) share?.begun();
      await noteProgress(options, row, { placed, answered, active, failed });
    }
    throw new Error('the load test ended without saying how');
  } catch (error) {
    if (isBegun) throw error;
    logFailure({ runId: row.id, log, signal }, error, 'a load test placed no call');
    return { status: 'failed', ...because(failureReason(error)), reference };
  } finally {
    share?.release();
  }
}

/** The calls continue without this write; the next one has newer numbers. */
async function noteProgress(
  options: LoadKindOptions,
  row: LoadTestRow,
  progress: NonNullable<LoadTest['progress']>,
): Promise<void> {
  const { store, log } = options;
  await writeProgress(store, row, progress).catch((error: unknown) =>
    log.error({ runId: row.id, err: error }, 'the progress of a load test could not be written'),
  );
  tell(options, row);
}

const writeProgress = (
  store: Store,
  { id }: LoadTestRow,
  progress: NonNullable<LoadTest['progress']>,
): Promise<unknown> =>
  store.write((transaction) =>
    transaction
      .updateTable('load_tests')
      .set({ progress: JSON.stringify(progress) })
      .where('id', '=', id)
      .execute(),
  );

function tell(
  { events }: Pick<LoadKindOptions, 'events'>,
  { id, workspace_id: workspaceId }: LoadTestRow,
  change?: { readonly ended: true },
): void {
  events.publish(workspaceId, { type: 'load.changed', loadTestId: id, ...change });
}

/**
 * Returns the usage of a load test without final figures: nothing before it began to dial, otherwise all the calls that
 * were reserved for it, because it isn't known how many were placed.
 */
async function usedAtMost(
  transaction: Transaction<Database>,
  id: string,
  now: Date,
): Promise<{ readonly seconds: number; readonly calls: number }> {
  const row = await transaction
    .selectFrom('load_tests')
    .leftJoin('slots', 'slots.run_id', 'load_tests.id')
    .select(['progress', 'concurrency', 'shape', 'begun_at', 'reserved_seconds', 'seconds_at_most', 'calls_at_most'])
    .where('load_tests.id', '=', id)
    .executeTakeFirst();
  if (!row?.progress || !row.begun_at) return { seconds: 0, calls: 0 };
  const elapsed = Math.max(0, now.getTime() - row.begun_at.getTime()) / 1000;
  return {
    seconds: Math.min(
      peakCalls({ concurrency: row.concurrency, stages: row.shape?.stages }) * elapsed,
      row.reserved_seconds ?? row.seconds_at_most ?? Infinity,
    ),
    calls: row.calls_at_most ?? row.progress.placed,
  };
}

/** Rejects with HumanError 409 while a load test of the workspace is active. */
export async function assertNoLoadTest(db: Kysely<Database>, workspaceId: string): Promise<void> {
  const running = await db
    .selectFrom('load_tests')
    .select('id')
    .where('workspace_id', '=', workspaceId)
    .where('status', '=', 'running')
    .executeTakeFirst();
  if (running)
    throw new HumanError('Another load test in this workspace is running. Wait for it to end, or cancel it first.', {
      status: 409,
      code: 'already_running',
    });
}

const courseOf = ({ concurrency, ramp_seconds, hold_seconds, shape }: LoadTestRow): LoadCourse => ({
  concurrency,
  rampSeconds: ramp_seconds,
  holdSeconds: hold_seconds,
  callsPerSecond: shape?.callsPerSecond ?? limits.loadTest.callsPerSecond.max,
  ...(shape?.stages && { stages: shape.stages }),
});
