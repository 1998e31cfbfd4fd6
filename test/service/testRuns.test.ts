import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import {
  aggregateTestRunsSchema,
  listTestRunsSchema,
  runResultsSchema,
  testRunPageSchema,
} from '../../src/contract/testRuns.ts';
import { operations } from '../../src/contract/operations.ts';
import type { RunOutcome, RunType } from '../../src/contract/testRuns.ts';
import { listLoadTestsSchema, loadTestPageSchema } from '../../src/contract/loadTests.ts';
import { listMissionTestConfigsSchema, missionTestConfigPageSchema } from '../../src/contract/missionConfigs.ts';
import { Signer } from '../../src/service/basics/signing.ts';
import type { Store } from '../../src/service/store/store.ts';
import { listLoadTests } from '../../src/service/load/loadTests.ts';
import { SavedTests } from '../../src/service/testing/savedTests.ts';
import { listRunsSchema, runListSchema, type Run } from '../../src/contract/runs.ts';
import { RunList } from '../../src/service/testing/runList.ts';
import { TestRuns } from '../../src/service/testing/testRuns.ts';
import { openTestStore } from '../support/testStore.ts';
import { insertLoadTest, insertWorkspace } from '../support/storedRows.ts';
import { refused } from '../support/refused.ts';

const number = '+12025550101';
const at = (text: string): Date => new Date(`${text}Z`);

interface StoredRun {
  type: RunType;
  outcome?: RunOutcome;
  phone?: string;
  config?: string;
  name?: string;
  probe?: string;
  started: string;
  completed?: string;
  workspace?: string;
}

describe('service: stored test runs', function () {
  let store: Store;
  let runs: TestRuns;
  let missions: SavedTests;
  let workspace = '';
  let stranger = '';
  let clock = 0;

  const newWorkspace = async (): Promise<string> => {
    const id = randomUUID();
    await store.write((transaction) => insertWorkspace(transaction, { id, kind: 'agent', created_at: new Date() }));
    return id;
  };
  const put = async (run: StoredRun): Promise<string> => {
    const id = randomUUID();
    await store.write((transaction) =>
      transaction
        .insertInto('test_runs')
        .values({
          id,
          workspace_id: run.workspace ?? workspace,
          run_type: run.type,
          outcome: run.outcome ?? null,
          phone_number: run.phone ?? number,
          config_id: run.config ?? null,
          catalogue_test_id: run.probe ?? null,
          config_name: run.name ?? null,
          started_at: at(run.started),
          completed_at: run.completed === undefined ? null : at(run.completed),
          result: JSON.stringify({
            steps: [
              {
                name: 'greeting',
                outcome: run.outcome ?? 'ERROR',
                similarity: 0.9,
                words: [{ word: 'hello', startMs: 1, endMs: 2 }],
              },
            ],
            transcript: [{ speaker: 'them', text: 'Hello' }],
            ...(run.type === 'mission' && {
              mission: { verdict: 'pass', passReasoning: 'said so', passEvidence: [{ quote: 'Hello' }] },
            }),
          }),
        })
        .execute(),
    );
    return id;
  };
  const list = async (input: object) =>
    testRunPageSchema.parse(await runs.list(workspace, listTestRunsSchema.parse(input)));
  const count = async (input: object) => await runs.aggregate(workspace, aggregateTestRunsSchema.parse(input));

  before(async () => {
    store = await openTestStore();
    const signer = new Signer(store.secret);
    runs = new TestRuns(store, signer, () => '');
    missions = new SavedTests(store, signer, () => new Date(Date.UTC(2026, 0, 1) + (clock += 1000)));
  });
  beforeEach(async () => {
    [workspace, stranger] = [await newWorkspace(), await newWorkspace()];
  });
  after(async () => {
    await store.close();
  });

  it('pages through runs that change meanwhile, each once, in both directions and by both times @engine', async () => {
    const ids: string[] = [];
    for (let index = 0; index < 9; index += 1) {
      ids.push(
        await put({
          type: 'standard',
          started: `2026-01-0${String(1 + Math.floor(index / 2))}T00:00:00.00${String(index % 2)}`,
          ...(index % 3 !== 0 && { completed: `2026-02-0${String(9 - index)}T00:00:00` }),
        }),
      );
    }
    await put({ type: 'standard', started: '2026-01-01T00:00:00', workspace: stranger });
    for (const sort of ['startedAt', 'completedAt']) {
      for (const sortDir of ['asc', 'desc']) {
        const seen: string[] = [];
        let cursor: string | undefined;
        do {
          const page = await list({ sort, sortDir, limit: 2, ...(cursor !== undefined && { cursor }) });
          seen.push(...page.items.map(({ id }) => id));
          cursor = page.nextCursor;
          if (sort === 'startedAt')
            await put({
              type: 'mission',
              started: sortDir === 'asc' ? '2025-01-01T00:00:00' : '2027-01-01T00:00:00',
              config: randomUUID(),
            });
        } while (cursor !== undefined);
        const mine = seen.filter((id) => ids.includes(id));
        assert.deepEqual([...mine].sort(), [...ids].sort(), `${sort} ${sortDir}`);
        if (sort === 'startedAt') assert.deepEqual(mine, sortDir === 'asc' ? ids : ids.toReversed());
        else
          assert.deepEqual(
            mine.slice(-3).map((id) => ids.indexOf(id) % 3),
            [0, 0, 0],
            'runs that go on come last',
          );
      }
    }
  });

  it('rejects cursors that were altered or belong to another list, order or workspace', async () => {
    for (const started of ['2026-01-01T00:00:00', '2026-01-02T00:00:00']) await put({ type: 'standard', started });
    const { nextCursor: cursor = '' } = await list({ limit: 1 });
    const [text = '', signature = ''] = cursor.split('.');
    const forged = Buffer.from(JSON.stringify(['2026-01-05T00:00:00.000Z', randomUUID()])).toString('base64url');
    for (const [what, input] of Object.entries({
      altered: { cursor: `${forged}.${signature}` },
      unsigned: { cursor: text },
      garbage: { cursor: 'x.y' },
      direction: { cursor, sortDir: 'asc' },
      sorting: { cursor, sort: 'completedAt' },
    }))
      await assert.rejects(list({ limit: 1, ...input }), { status: 400, code: 'invalid_cursor' }, what);
    await assert.rejects(runs.list(stranger, listTestRunsSchema.parse({ limit: 1, cursor })), { status: 400 });
    await assert.rejects(missions.listMissions(workspace, listMissionTestConfigsSchema.parse({ cursor })), {
      status: 400,
    });
  });

  it("finds a run by its test's name then and now", async () => {
    const config = randomUUID();
    const [then, now] = [`before ${config}`, `after ${config}`];
    const run = await put({
      type: 'standard',
      outcome: 'PASS',
      config,
      name: then,
      started: '2026-01-01T10:00:00',
      completed: '2026-01-01T10:01:00',
    });
    await store.write((transaction) =>
      transaction
        .insertInto('tests')
        .values({
          id: config,
          workspace_id: workspace,
          kind: 'script',
          name: now,
          phone_number: number,
          content: JSON.stringify({ language: 'en-US', steps: [] }),
          profile_id: randomUUID(),
          tags: '[]',
          created_at: new Date(),
          updated_at: new Date(),
        })
        .execute(),
    );
    for (const configName of [then, now.toUpperCase()])
      assert.deepEqual(
        (await list({ configName })).items.map(({ id }) => id),
        [run],
        configName,
      );
  });

  it('accepts dates and times of ISO 8601 as time filters, and nothing else', () => {
    const takes = (name: 'listMappings' | 'listMissionTestConfigs' | 'listTestRuns', filter: object): boolean =>
      operations[name].input.safeParse(filter).success;
    for (const [time, taken] of [
      ['2026-11-24', true],
      ['2026-11-24T10:00:00Z', true],
      ['2026-11-24T10:00:00.5+02:00', true],
      ['2026-13-01', false],
      ['2026-02-30', false],
      ['2026-11-24T10:00:00', true],
      ['2026-11-24T10:00:00 02:00', true],
      ['2026-11-24T10:00+25:00', false],
      ['yesterday', false],
      ['', false],
    ] as const)
      assert.deepEqual(
        [
          takes('listMappings', { createdAfter: time, createdBefore: time }),
          takes('listMissionTestConfigs', { createdAfter: time, createdBefore: time }),
          takes('listTestRuns', { startedAfter: time, startedBefore: time }),
          takes('listTestRuns', { completedAfter: time, completedBefore: time }),
        ],
        [taken, taken, taken, taken],
        time,
      );
  });

  it('filters as the specification says, including case @engine', async () => {
    const [config, mission] = [randomUUID(), randomUUID()];
    const standard = await put({
      type: 'standard',
      outcome: 'PASS',
      config,
      name: 'Billing PIN_100%',
      started: '2026-01-01T10:00:00',
      completed: '2026-01-01T10:01:00',
    });
    const param = await put({
      type: 'param',
      outcome: 'FAIL',
      config,
      name: 'Billing rows',
      phone: '+12025550199',
      started: '2026-01-02T10:00:00',
      completed: '2026-01-02T10:01:00',
    });
    const missionRun = await put({
      type: 'mission',
      outcome: 'PASS',
      config: mission,
      name: 'Billing mission',
      started: '2026-01-03T10:00:00',
      completed: '2026-01-03T10:01:00',
    });
    const probe = await put({ type: 'compliance', probe: 'gdpr-notice', started: '2026-01-04T10:00:00' });
    const found = async (input: object) => (await list({ sortDir: 'asc', ...input })).items.map(({ id }) => id);
    assert.deepEqual(await found({}), [standard, param, missionRun, probe]);
    assert.deepEqual(await found({ runType: 'mission' }), [missionRun]);
    assert.deepEqual(await found({ outcome: 'PASS' }), [standard, missionRun]);
    assert.deepEqual(await found({ configId: mission }), [missionRun]);
    assert.deepEqual(await found({ testConfigId: config }), [standard, param]);
    assert.deepEqual(await found({ testConfigId: mission }), []);
    assert.deepEqual(await found({ completedAfter: '2026-01-01T10:01:00Z' }), [param, missionRun]);
    assert.deepEqual(await found({ completedAfter: '2026-01-02', completedBefore: '2026-01-03' }), [param]);
    assert.deepEqual(await found({ startedAfter: '2026-01-03' }), [missionRun, probe]);
    assert.deepEqual(await found({ catalogueTestId: 'gdpr-notice' }), [probe]);
    for (const phoneNumber of ['+12025550199', ' 12025550199'])
      assert.deepEqual(await found({ phoneNumber }), [param], 'with a plus sign that a query decoded, too');
    assert.deepEqual(await found({ configName: 'bILLING' }), [standard, param], 'never missions');
    assert.deepEqual(await found({ configName: 'pin_1' }), [standard]);
    assert.deepEqual(await found({ configName: 'PIN%' }), [], 'no wildcards');
    assert.deepEqual(await found({ configPhoneNumber: '0199' }), [param]);
    for (const configPhoneNumber of ['+1202', ' 1202'])
      assert.deepEqual(await found({ configPhoneNumber }), [standard, param], 'never missions');
    for (const time of ['2026-01-03T12:00+0200', '2026-01-03T12:00 02:00', '20260103T100000', '2026-01-03T10:00'])
      assert.deepEqual(await found({ startedAfter: time }), [probe], time);
    assert.deepEqual(await found({ startedAfter: '2026-W01-7' }), [probe], 'a day of a week');
    assert.deepEqual(
      await found({ startedAfter: '2026-01-02T10:00:00Z', startedBefore: '2026-01-04T10:00:00Z' }),
      [missionRun],
      'both bounds are open',
    );
    assert.ok(!listTestRunsSchema.safeParse({ runType: 'load' }).success);
    const [row] = (await list({ runType: 'param' })).items;
    assert.deepEqual(row, {
      id: param,
      runType: 'param',
      status: 'completed',
      outcome: 'FAIL',
      phoneNumber: '+12025550199',
      configId: config,
      testConfigId: config,
      startedAt: '2026-01-02T10:00:00.000Z',
      completedAt: '2026-01-02T10:01:00.000Z',
    });
  });

  it('counts by field and by UTC time, the largest group first, up to a hundred @engine', async () => {
    for (const [started, outcome] of [
      ['2026-01-01T00:30:00', 'PASS'],
      ['2026-12-31T23:30:00', 'PASS'],
      ['2027-01-03T23:59:59', 'FAIL'],
      ['2027-01-04T00:00:00', undefined],
    ] as const) {
      await put({ type: 'standard', started, ...(outcome !== undefined && { outcome, completed: started }) });
    }
    assert.deepEqual(await count({ groupBy: 'outcome' }), {
      total: 4,
      groups: [
        { key: 'PASS', count: 2, share: 0.5 },
        { key: 'FAIL', count: 1, share: 0.25 },
        { key: 'unknown', count: 1, share: 0.25 },
      ],
      truncated: false,
    });
    const buckets = async (timeBucket: string) =>
      Object.fromEntries(
        (await count({ groupBy: 'runType', timeBucket })).groups.map(({ bucket, count: n }) => [bucket, n]),
      );
    assert.deepEqual(await buckets('day'), { '2026-01-01': 1, '2026-12-31': 1, '2027-01-03': 1, '2027-01-04': 1 });
    assert.deepEqual(
      await buckets('week'),
      { '2026-W01': 1, '2026-W53': 2, '2027-W01': 1 },
      'the week belongs to the year of its Thursday',
    );
    assert.deepEqual(await buckets('month'), { '2026-01': 1, '2026-12': 1, '2027-01': 2 });
    assert.deepEqual((await count({ groupBy: 'configId', outcome: 'PASS' })).groups, [
      { key: 'unknown', count: 2, share: 1 },
    ]);
    assert.ok(
      !aggregateTestRunsSchema.safeParse({ groupBy: 'stepName' }).success &&
        !aggregateTestRunsSchema.safeParse({ groupBy: 'runType', runType: 'load' }).success,
    );
    for (let index = 0; index < 101; index += 1)
      await put({ type: 'standard', started: '2028-01-01T00:00:00', phone: `+1202555${String(1000 + index)}` });
    const many = await count({ groupBy: 'phoneNumber' });
    assert.deepEqual(
      [many.groups.length, many.truncated, many.groups[0]],
      [100, true, { key: number, count: 4, share: 4 / many.total }],
    );
    assert.ok(many.total > 103, 'what is cut off counts');
  });

  it('reads results of any run, and missions only as missions', async () => {
    const config = randomUUID();
    const mission = await put({
      type: 'mission',
      outcome: 'PASS',
      config,
      started: '2026-01-01T00:00:00',
      completed: '2026-01-01T00:01:00',
    });
    const standard = await put({ type: 'standard', outcome: 'PASS', config, started: '2026-01-01T00:00:00' });
    const results = runResultsSchema.parse(await runs.results(workspace, standard));
    assert.deepEqual(
      [results.status, results.steps[0]?.similarity, results.transcript?.[0]?.text],
      ['running', 0.9, 'Hello'],
    );
    const judged = await runs.mission(workspace, mission);
    assert.deepEqual([judged.verdict, judged.passEvidence?.[0]?.quote, judged.status], ['pass', 'Hello', 'completed']);
    await assert.rejects(runs.mission(workspace, standard), { status: 404 });
    await assert.rejects(runs.results(stranger, standard), { status: 404 });
    await assert.rejects(runs.mission(stranger, mission), { status: 404 });
  });

  it('lists missions by age or name, without details, and compares names with case @engine', async () => {
    const make = (name: string, more: object = {}) =>
      missions.create({ workspaceId: workspace, keyId: 'somekey0' }, 'mission', {
        name,
        phoneNumber: number,
        mission: 'Ask',
        acceptance: 'Told',
        ...more,
      });
    const [beta, alpha, upper] = [
      await make('beta', { tags: ['x'] }),
      await make('alpha', { sector: 'retail' }),
      await make('Beta two'),
    ];
    const found = async (input: object) =>
      missionTestConfigPageSchema.parse(
        await missions.listMissions(workspace, listMissionTestConfigsSchema.parse(input)),
      ).items;
    assert.deepEqual(
      (await found({})).map(({ id }) => id),
      [upper.id, alpha.id, beta.id],
    );
    assert.deepEqual(
      (await found({ name: 'beta' })).map(({ id }) => id),
      [beta.id],
    );
    assert.deepEqual(
      (await found({ name: 'eta' })).map(({ id }) => id),
      [upper.id, beta.id],
    );
    assert.deepEqual(
      (await found({ tag: 'x' })).map(({ id }) => id),
      [beta.id],
    );
    assert.deepEqual(
      (await found({ sector: 'retail' })).map(({ id }) => id),
      [alpha.id],
    );
    const byName: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await missions.listMissions(
        workspace,
        listMissionTestConfigsSchema.parse({
          sort: 'name',
          sortDir: 'asc',
          limit: 1,
          ...(cursor !== undefined && { cursor }),
        }),
      );
      byName.push(...page.items.map(({ name }) => name));
      cursor = page.nextCursor;
    } while (cursor !== undefined);
    assert.deepEqual([...byName].sort(), ['Beta two', 'alpha', 'beta'].sort());
    assert.ok(!('mission' in ((await found({}))[0] ?? {})));
    const edited = await missions.update({ workspaceId: workspace, keyId: 'somekey0' }, 'mission', {
      id: beta.id,
      acceptance: 'Told twice',
    });
    assert.ok(edited.updatedAt > beta.updatedAt && edited.name === 'beta');
    await refused(
      missions.update({ workspaceId: stranger, keyId: 'somekey0' }, 'mission', { id: beta.id, name: 'x' }),
      404,
    );
  });

  it('lists load tests by status', async () => {
    const put = (status: 'completed' | 'running', started: string) =>
      store.write((transaction) =>
        insertLoadTest(transaction, { id: randomUUID(), workspace_id: workspace, status, started_at: at(started) }),
      );
    await put('completed', '2026-01-01T00:00:00');
    await put('running', '2026-01-02T00:00:00');
    const signer = new Signer(store.secret);
    const page = loadTestPageSchema.parse(await listLoadTests(store, signer, workspace, listLoadTestsSchema.parse({})));
    assert.deepEqual(
      page.items.map(({ status }) => status),
      ['running', 'completed'],
    );
    assert.equal(
      (await listLoadTests(store, signer, workspace, listLoadTestsSchema.parse({ status: 'running' }))).items.length,
      1,
    );
    assert.equal((await listLoadTests(store, signer, stranger, listLoadTestsSchema.parse({}))).items.length, 0);
  });

  it('lists runs of all kinds in one order, page by page, and reads one of them @engine', async () => {
    const { id: configId } = await missions.create({ workspaceId: workspace, keyId: 'somekey0' }, 'script', {
      name: 'Renamed',
      phoneNumber: number,
      steps: [{ name: 'Greeting', action: { type: 'dial' }, passThreshold: 0.8 }],
    });
    const putLoad = (row: Partial<Parameters<typeof insertLoadTest>[1]> & { readonly started_at: Date }) => {
      const id = randomUUID();
      return store.write(async (transaction) => {
        await insertLoadTest(transaction, { id, workspace_id: workspace, ...row });
        return id;
      });
    };
    const verdict = (outcome: string) => JSON.stringify({ setupSuccess: 0.5, verdict: { outcome } });
    const tied = '2026-01-03T00:00:00';
    const [script, probe] = [
      await put({
        type: 'standard',
        config: configId,
        name: 'Former',
        outcome: 'FAIL',
        started: tied,
        completed: tied,
      }),
      await put({ type: 'compliance', probe: 'ada-relay', started: '2026-01-01T00:00:00' }),
    ];
    const [judged, early, plain] = [
      await putLoad({ started_at: at(tied), config_id: configId, stats: verdict('fail'), completed_at: at(tied) }),
      await putLoad({
        started_at: at('2026-01-04T00:00:00'),
        status: 'aborted',
        stats: verdict('pass'),
        ended_by: 'cancel',
        reason: 'Cancelled.',
        reason_parts: JSON.stringify([['Cancelled.']]),
      }),
      await putLoad({
        started_at: at('2026-01-02T00:00:00'),
        shape: JSON.stringify({ catalogueTestId: 'ada-relay' }),
      }),
    ];
    await put({ type: 'standard', started: tied, workspace: stranger });
    const all = new RunList(store, new Signer(store.secret), {
      list: () =>
        Promise.resolve([
          { id: 'ada-relay', title: 'Relay calls', sector: 'any', description: 'Relay calls', mode: 'dial' },
        ]),
    });
    const find = (input: object = {}) => all.list(workspace, listRunsSchema.parse(input));
    const seen: Run[] = [];
    let cursor: string | undefined;
    do {
      const page = runListSchema.parse(await find({ limit: 1, ...(cursor !== undefined && { cursor }) }));
      seen.push(...page.items);
      cursor = page.nextCursor;
    } while (cursor !== undefined);
    const tiedIds = [script, judged].sort().reverse();
    assert.deepEqual(
      seen.map(({ id }) => id),
      [early, ...tiedIds, plain, probe],
    );
    assert.deepEqual(
      new Map(seen.map(({ id, kind, name, outcome, load }) => [id, [kind, name, outcome, load?.setupSuccess]])),
      new Map([
        [early, ['load', undefined, 'ERROR', 0.5]],
        [script, ['standard', 'Renamed', 'FAIL', undefined]],
        [judged, ['load', 'Renamed', 'FAIL', 0.5]],
        [plain, ['load', 'Relay calls', undefined, undefined]],
        [probe, ['compliance', 'Relay calls', undefined, undefined]],
      ] as const),
    );
    const ids = async (input: object) => (await find(input)).items.map(({ id }) => id);
    assert.deepEqual(await ids({ outcome: 'FAIL' }), tiedIds);
    assert.deepEqual(await ids({ kind: 'load', configId }), [judged]);
    assert.deepEqual(await ids({ startedAfter: tied, kind: 'standard' }), []);
    assert.deepEqual(await ids({ phoneNumber: '+12025550199' }), []);
    const { endedBy, load } = await all.get(workspace, early);
    assert.deepEqual([endedBy, load?.reason, load?.reasonParts], ['cancel', 'Cancelled.', [['Cancelled.']]]);
    await refused(all.get(stranger, script), 404);
  });
});
