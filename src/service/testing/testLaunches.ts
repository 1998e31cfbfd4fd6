import { randomUUID } from 'node:crypto';
import type { Kysely } from 'kysely';
import { HumanError } from '../../contract/errors.ts';
import type { LaunchSecrets } from '../../contract/testRuns.ts';
import { limits } from '../../contract/limits.ts';
import type { TestStep } from '../../contract/testConfigs.ts';
import type { RunType, TestRun } from '../../contract/testRuns.ts';
import { permitCalls, permitInbound } from '../runs/permission.ts';
import type { RunLifecycle } from '../runs/lifecycle.ts';
import type { Database, StoredResult, TestRunRow } from '../store/schema.ts';
import { assertLaunchedByKey } from '../workspaces/authors.ts';
import { storedBy } from '../workspaces/meters.ts';
import type { Launcher } from '../workspaces/principal.ts';
import { readCaller } from '../workspaces/profiles.ts';
import { awaitsCall, isGuided, launchBudget, shownRow, textsOfPlans } from './testPlan.ts';
import type { GuidedPlan } from './testPlan.ts';
import type { TestPlan } from '../store/storedPlan.ts';
import { assertKeysAllowed, pressedByPlans } from './planKeys.ts';
import { assertGivenColumns, assertValues } from './planValues.ts';
import { assertSecrets, withSecrets } from './launchSecrets.ts';
import type { LaunchedTest } from './savedTests.ts';
import type { TestKindOptions } from './testKind.ts';
import { toTestRun } from './testRuns.ts';

interface Launch {
  readonly runType: RunType;
  /** Without a profile, that of the workspace. */
  readonly test: { readonly phoneNumber: string; readonly name?: string; readonly profileId?: string | undefined };
  /** Instead of the profile's. */
  readonly line?: string | undefined;
  readonly id?: string;
  readonly catalogueTestId?: string;
  readonly plans: readonly TestPlan[];
  /** The launch is refused if no tokens of the language model are left. */
  readonly asksModel?: boolean;
  /** Values of the references to secrets in the plans. */
  readonly secrets?: LaunchSecrets | undefined;
  readonly save?: LaunchedTest<'script' | 'mission'>['save'];
}

const noRun = (): HumanError =>
  new HumanError("This test run doesn't exist. List the runs to find the right one.", {
    status: 404,
    code: 'not_found',
  });

/** @throws HumanError 409 `not_guided`, `already_ended` or `too_many_steps` */
function guidedPlanOf({ completed_at: endedAt, plan }: TestRunRow): GuidedPlan {
  if (endedAt)
    throw new HumanError('This run has ended, so it takes no more steps. Run the test again.', {
      status: 409,
      code: 'already_ended',
    });
  if (!plan || !isGuided(plan))
    throw new HumanError("This run isn't guided, so it takes no steps. Launch it with runTest and guided.", {
      status: 409,
      code: 'not_guided',
    });
  if (plan.steps.length + plan.given.length >= limits.steps.max)
    throw new HumanError(
      `This run already has ${String(limits.steps.max)} steps. Cancel it, then run the test again.`,
      { status: 409, code: 'too_many_steps' },
    );
  return plan;
}

type TestLaunchesOptions = Pick<TestKindOptions, 'store' | 'lines' | 'now' | 'events' | 'recordings' | 'secrets'>;

/** Starts, cancels and deletes test runs. The runs of a launch share its slot and are performed one after the other. */
export class TestLaunches {
  readonly #options: TestLaunchesOptions;
  readonly #life: RunLifecycle<'tests'>;

  constructor(options: TestLaunchesOptions, life: RunLifecycle<'tests'>) {
    this.#options = options;
    this.#life = life;
  }

  /** Creates the runs and queues them. Refuses targets that must not be called before anything is stored. */
  async launch(
    launcher: Launcher,
    {
      runType,
      test: { phoneNumber, name, profileId },
      line,
      id: configId,
      catalogueTestId,
      plans: planned,
      asksModel = false,
      secrets = {},
      save,
    }: Launch,
  ): Promise<TestRun[]> {
    const { store, lines, now } = this.#options;
    const { workspaceId } = launcher;
    const caller = await readCaller(store.db, workspaceId, profileId, line);
    const plans = planned.map((plan): TestPlan => ({ ...plan, caller }));
    const filled = plans.map((plan) => withSecrets(plan, secrets));
    const launchId = randomUUID();
    const runIds = plans.map(() => randomUUID());
    // Before the runs are queued, because they can begin at once.
    const forget = this.#options.secrets.hold(launchId, secrets, workspaceId, runIds);
    const starting = this.#life.start('tests', {
      id: launchId,
      launcher,
      prepare: async () => {
        const waits = plans.every(awaitsCall);
        const { forbiddenKeys, costPerMinute, consentedBy } = waits
          ? permitInbound(caller)
          : await permitCalls(store, lines, { workspace_id: workspaceId, phone_number: phoneNumber, caller }, launcher);
        const planTexts = textsOfPlans(plans);
        assertSecrets(plans, secrets);
        assertKeysAllowed(pressedByPlans(filled, forbiddenKeys));
        assertValues(filled);
        return {
          wanted: {
            ...launchBudget(filled),
            costPerMinute,
            ...(asksModel && { tokens: 1 }),
            stored: storedBy.tests(plans.length),
          },
          waits,
          ...(save && { check: save }),
          insert: async (transaction) => {
            // Not earlier than the version of the test that this launch has just saved.
            const startedAt = now();
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
                    id: runIds[position] ?? randomUUID(),
                    workspace_id: workspaceId,
                    run_type: runType,
                    outcome: null,
                    phone_number: phoneNumber,
                    config_id: configId ?? null,
                    catalogue_test_id: catalogueTestId ?? null,
                    config_name: name ?? null,
                    // A millisecond apart, so that lists keep the order of the rows.
                    started_at: new Date(startedAt.getTime() + position),
                    completed_at: null,
                    result: JSON.stringify({
                      steps: [],
                      ...(row && { row }),
                      ...(isGuided(plan) && { guided: true }),
                    } satisfies StoredResult),
                    launch_id: launchId,
                    position,
                    plan: planTexts[position] ?? null,
                    consented_by: consentedBy ?? null,
                  };
                }),
              )
              .returningAll()
              .execute();
            return runRow.sort((one, other) => (one.position ?? 0) - (other.position ?? 0));
          },
        };
      },
    });
    const rows = await starting.catch((error: unknown) => {
      forget();
      throw error;
    });
    for (const { id } of rows) this.#tell(workspaceId, id);
    return rows.map(toTestRun);
  }

  /** Ends a run, and with `others` all runs of its launch. Resolves when they have ended. */
  async cancel(author: Launcher, runId: string, { others = false } = {}): Promise<void> {
    const launchId = await this.#assertLaunched(author, runId);
    if (launchId !== null) await this.#life.cancel('tests', others ? launchId : runId);
  }

  /**
   * Stores the next step of a guided run, which passes the same doors as at the launch, for the process that performs
   * the run. Rejects with HumanError 409 if the run isn't guided, has ended, or has too many steps.
   */
  async give(author: Launcher, runId: string, step: TestStep): Promise<void> {
    const { store, lines } = this.#options;
    const { workspaceId } = author;
    this.#life.assertRunning();
    await store.write(async (transaction) => {
      await this.#assertLaunched(author, runId, transaction);
      const run = await transaction
        .selectFrom('test_runs')
        .selectAll()
        .where('id', '=', runId)
        .forUpdate()
        .executeTakeFirst();
      if (!run) throw noRun();
      const plan = guidedPlanOf(run);
      const { caller } = plan;
      const { forbiddenKeys } = await permitCalls({ db: transaction }, lines, { ...run, caller }, author);
      const given: TestPlan = { type: 'script', steps: [step] };
      const secrets = this.#options.secrets.of(run.launch_id ?? '');
      assertSecrets([given], secrets);
      assertKeysAllowed(pressedByPlans([withSecrets(given, secrets)], forbiddenKeys));
      assertGivenColumns([...plan.steps, ...plan.given], step);
      await transaction
        .updateTable('test_runs')
        .set({ plan: JSON.stringify({ ...plan, given: [...plan.given, step] } satisfies TestPlan) })
        .where('id', '=', runId)
        .execute();
    });
    await store.sync();
    this.#tell(workspaceId, runId);
  }

  /** Returns the launch id of a run that this key may guide, end or delete. */
  async #assertLaunched(
    author: Launcher,
    runId: string,
    db: Kysely<Database> = this.#options.store.db,
  ): Promise<string | null> {
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

  #tell(workspaceId: string, runId: string): void {
    this.#options.events.publish(workspaceId, { type: 'test.changed', runId });
  }
}
