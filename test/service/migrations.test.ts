import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { HumanError } from '../../src/contract/errors.ts';
import { migrate, migrationNames } from '../../src/service/store/migrations.ts';
import { baselineStatements } from '../../src/service/store/migrations/baseline.ts';
import type { Store } from '../../src/service/store/store.ts';
import { registerWorkspace } from '../../src/service/workspaces/registration.ts';
import { missionInput, scriptInput } from '../support/savedInputs.ts';
import { ServiceFixture } from '../support/serviceFixture.ts';
import { StorePlaces } from '../support/storePlaces.ts';

describe('the migrations of a store', function () {
  const fixture = new ServiceFixture();
  const places = new StorePlaces(fixture);
  afterEach(() => fixture.close());

  /** Before the baseline, each of these was a migration; there were 25. */
  const early = ['001-mapping', '002-workspaces', '024-load-recordings'];

  async function historyOf({ db }: Store): Promise<string[]> {
    const { rows } = await sql<{ name: string }>`SELECT name FROM kysely_migration ORDER BY name`.execute(db);
    return rows.map(({ name }) => name);
  }
  /** Fills the store, and makes its history begin with these migrations. */
  async function fill(store: Store, names: readonly string[]): Promise<void> {
    await registerWorkspace(store, '198.51.100.1', new Date());
    for (const name of names)
      await sql`INSERT INTO kysely_migration VALUES (${name}, ${new Date(0).toISOString()})`.execute(store.db);
  }
  async function forgetBaseline({ db }: Store): Promise<void> {
    await sql`DELETE FROM kysely_migration WHERE name IN (${sql.join(migrationNames)})`.execute(db);
  }
  const workspaces = ({ db }: Store) => db.selectFrom('workspaces').selectAll().execute();
  const isOutdated = (error: unknown): boolean =>
    error instanceof HumanError &&
    error.code === 'store_outdated' &&
    /with the version that you used last \(`dialtree export`\).* \(`dialtree import`\)/.test(error.message);

  it('keep the rows of a store with all migrations before the baseline, and give it the history of a new one @engine', async () => {
    const place = await places.make();
    const [made, before] = await places.use(place, async (store) => {
      assert.deepEqual(await historyOf(store), migrationNames);
      await fill(store, early);
      return [await places.count(store), await workspaces(store)];
    });
    await places.use(place, async (store) => {
      assert.deepEqual(await historyOf(store), migrationNames);
      assert.deepEqual(await workspaces(store), before);
      assert.deepEqual(await places.count(store), made);
    });
  });

  it('move scripted tests and missions into one table @engine', async () => {
    const place = await places.make();
    const id = randomUUID();
    const [script, mission] = [scriptInput('+12025550101', { rows: [{ pin: '1' }] }), missionInput('+12025550101')];
    await places.use(place, async (store) => {
      const { workspaceId } = await registerWorkspace(store, '198.51.100.1', new Date());
      const common = sql`'${sql.raw(workspaceId)}'::uuid, gen_random_uuid(), '["a"]'::jsonb, now(), now(), true, 'key'`;
      const columns = sql.raw('workspace_id, profile_id, tags, created_at, updated_at, from_file, made_by');
      for (const statement of baselineStatements.filter((text) => /TABLE (?:test|mission)_configs/.test(text)))
        await sql.raw(statement).execute(store.db);
      await sql`INSERT INTO test_configs (id, name, phone_number, language, steps, rows, ${columns})
        VALUES (${id}::uuid, 'Script', ${script.phoneNumber}, 'en-US', ${JSON.stringify(script.steps)}::text::jsonb, ${JSON.stringify(script.rows)}::text::jsonb, ${common})`.execute(
        store.db,
      );
      await sql`INSERT INTO mission_configs (id, name, description, phone_number, mission, acceptance, max_turns, ${columns})
        VALUES (gen_random_uuid(), 'Mission', 'Why', ${mission.phoneNumber}, ${mission.mission}, ${mission.acceptance}, 9, ${common})`.execute(
        store.db,
      );
      await sql`DROP TABLE tests`.execute(store.db);
      await sql`DELETE FROM kysely_migration WHERE name >= '027-tests'`.execute(store.db);
    });
    await places.use(place, async ({ db }) => {
      const rows = await db.selectFrom('tests').selectAll().orderBy('kind').execute();
      assert.deepEqual(
        rows.map(({ kind, name, tags, content, from_file: fromFile, made_by: madeBy }) => ({
          kind,
          name,
          tags,
          content,
          fromFile,
          madeBy,
        })),
        [
          {
            kind: 'mission',
            name: 'Mission',
            content: { description: 'Why', mission: mission.mission, acceptance: mission.acceptance, maxTurns: 9 },
          },
          { kind: 'script', name: 'Script', content: { language: 'en-US', steps: script.steps, rows: script.rows } },
        ].map((row) => ({ ...row, tags: ['a'], fromFile: true, madeBy: 'key' })),
      );
      assert.equal(rows[1]?.id, id);
    });
  });

  it('refuse a store that lacks some of the migrations before the baseline, and leave it as it is @engine', async () => {
    const place = await places.make();
    await places.use(place, async (store) => {
      await fill(store, early);
      await forgetBaseline(store);
      const before = await workspaces(store);
      await assert.rejects(migrate(store.db), isOutdated);
      assert.deepEqual(await historyOf(store), early);
      assert.deepEqual(await workspaces(store), before);
    });
    await assert.rejects(
      places.use(place, () => Promise.resolve()),
      isOutdated,
    );
  });

  it('remove what reports of load tests no longer show @engine', async () => {
    const place = await places.make();
    const counts = { passed: 1, failed: 1, inconclusive: 0, errors: 0 };
    const step = { name: 'Menu', ...counts, notReached: 0 };
    const failure = { call: 1, second: 0, outcome: 'FAIL', reason: 'Why' };
    const rest = { callsPlaced: 2, callsAnswered: 2, setupSuccess: 1, outcomes: {}, callSeconds: 9 };
    const tested = { ...counts, unfinished: 0, steps: [step], failures: [failure], referenceSeconds: 3 };
    const before = {
      ...tested,
      columnSeconds: 1,
      steps: [{ ...step, overTime: { calls: [2], notPassed: [1] } }],
      failures: [{ ...failure, heard: 'Other words' }],
      unknownPrompts: [{ step: 'Menu', calls: 1, heard: 'Other words' }],
    };
    await places.use(place, async (store) => {
      const { workspaceId } = await registerWorkspace(store, '198.51.100.1', new Date());
      for (const [name, stats] of [
        ['a', { ...rest, tested: before }],
        ['b', { ...rest, tested: { ...before, failures: [] } }],
        ['c', rest],
        ['d', null],
      ] as const)
        await sql`INSERT INTO load_tests (id, workspace_id, phone_number, concurrency, ramp_seconds, hold_seconds, status, stats, started_at)
          VALUES (gen_random_uuid(), ${workspaceId}::uuid, ${name}, 2, 0, 10, 'completed', ${stats && JSON.stringify(stats)}::text::jsonb, now())`.execute(
          store.db,
        );
      await sql`DELETE FROM kysely_migration WHERE name >= '029-load-figures'`.execute(store.db);
    });
    await places.use(place, async ({ db }) => {
      const rows = await db.selectFrom('load_tests').select('stats').orderBy('phone_number').execute();
      assert.deepEqual(
        rows.map(({ stats }) => stats),
        [{ ...rest, tested }, { ...rest, tested: { ...tested, failures: [] } }, rest, null],
      );
    });
  });

  it('leave runs in the queue that an earlier version queued @engine', async () => {
    const place = await places.make();
    const queued = [
      { kind: 'tests', attempt: 0, lane: 'tests', isTaken: false },
      { kind: 'mapping', attempt: 2, lane: 'mapping', isTaken: true },
      { kind: 'echo', attempt: 1, lane: null, isTaken: false },
    ];
    await places.use(place, async (store) => {
      const { workspaceId } = await registerWorkspace(store, '198.51.100.1', new Date());
      await sql`ALTER TABLE slots DROP COLUMN lane, DROP COLUMN place, DROP COLUMN taken_at`.execute(store.db);
      for (const { kind, attempt } of queued)
        await sql`INSERT INTO slots (run_id, workspace_id, kind, pool, attempt, expires_at)
          VALUES (gen_random_uuid(), ${workspaceId}::uuid, ${kind}, 'testing', ${attempt}, now())`.execute(store.db);
      await sql`CREATE SCHEMA queue`.execute(store.db);
      for (const table of ['job', 'queue', 'subscription', 'version'])
        await sql`CREATE TABLE ${sql.table(`queue.${table}`)} (name text)`.execute(store.db);
      await sql`INSERT INTO queue.queue VALUES ('mapping-run')`.execute(store.db);
      await sql`DELETE FROM kysely_migration WHERE name >= '030-queue'`.execute(store.db);
    });
    await places.use(place, async ({ db }) => {
      const slots = await db.selectFrom('slots').selectAll().orderBy('place').execute();
      assert.deepEqual(
        slots.map(({ kind, attempt, lane, taken_at: takenAt }) => ({ kind, attempt, lane, isTaken: takenAt !== null })),
        queued,
      );
      const left = await sql`SELECT 1 FROM information_schema.schemata WHERE schema_name = 'queue'`.execute(db);
      assert.deepEqual(left.rows, []);
    });
  });

  it('leave a schema alone that another program has under the name of the former queue @engine', async () => {
    const place = await places.make();
    await places.use(place, async ({ db }) => {
      await sql`CREATE SCHEMA queue`.execute(db);
      await sql`CREATE TABLE queue.queue (title text)`.execute(db);
      await sql`INSERT INTO queue.queue VALUES ('theirs')`.execute(db);
      await sql`DELETE FROM kysely_migration WHERE name >= '030-queue'`.execute(db);
    });
    await places.use(place, async ({ db }) => {
      const { rows } = await sql`SELECT title FROM queue.queue`.execute(db);
      assert.deepEqual(rows, [{ title: 'theirs' }]);
    });
  });
});
