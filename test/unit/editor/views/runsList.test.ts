import assert from 'node:assert/strict';
import { NotFoundError } from '../../../../src/client/errors.ts';
import type { LoadTest } from '../../../../src/contract/loadTests.ts';
import type { TestRun } from '../../../../src/contract/testRuns.ts';
import { WorkspaceFeed } from '../../../../src/editor/store/workspaceFeed.ts';
import { TestNames } from '../../../../src/editor/testing/testNames.ts';
import { filterText } from '../../../../src/editor/views/runsFilter.ts';
import { loadRow, runRow } from '../../../../src/editor/views/runsRows.ts';
import { RunsElements } from '../../../../src/editor/views/runsElements.ts';
import { RunsList } from '../../../../src/editor/views/runsList.ts';
import { RunsOrder } from '../../../../src/editor/views/runsOrder.ts';
import { english, FakeClient, FakeClock, recordingLogger, settle, uuid } from '../fakes.ts';
import { loadTest, memento, missionConfig, testConfig, testRun } from '../testing/fakeRuns.ts';

/** The number of runs on a page of this service. */
const pageSize = 50;

const words = { l10n: english, moment: () => 'noon', nameOf: (id: string) => `Test ${String(Number(id.slice(-4)))}` };
const minute = (number: number): string => new Date(Date.UTC(2026, 0, 1, 12) + number * 60_000).toISOString();

describe('RunsList', () => {
  let client: FakeClient,
    clock: FakeClock,
    list: RunsList,
    order: RunsOrder,
    kept: ReturnType<typeof memento>,
    names: TestNames,
    held: TestRun[],
    loads: LoadTest[],
    asked: unknown[];
  const runs = (): TestRun[] => list.rows.flatMap((row) => (row.kind === 'run' ? [row.run] : []));
  const ids = (): number[] => runs().map(({ id }) => Number(id.slice(-4)));
  const many = (from: number, to: number): TestRun[] =>
    Array.from({ length: to - from + 1 }, (_value, index) => testRun(to - index, { configId: uuid(1) }));

  const open = async (): Promise<void> => {
    list.follow(true);
    await settle();
  };

  beforeEach(() => {
    held = many(1, 3);
    asked = [];
    loads = [];
    clock = new FakeClock();
    client = new FakeClient({
      listTestRuns: ({ cursor, outcome, runType, ...rest }) => {
        asked.push({ cursor, outcome, runType, ...rest });
        const { startedAfter = '', startedBefore = '~' } = rest;
        const found = held.filter(
          (run) =>
            (outcome === undefined || run.outcome === outcome) &&
            (runType === undefined || run.runType === runType) &&
            run.startedAt > startedAfter &&
            run.startedAt < startedBefore,
        );
        const from = cursor === undefined ? 0 : found.findIndex(({ id }) => id === cursor) + 1;
        const items = found.slice(from, from + pageSize);
        return { items, ...(from + pageSize < found.length && { nextCursor: items.at(-1)?.id ?? '' }) };
      },
      listLoadTests: () => ({ items: loads }),
      getRunResults: ({ runId }) => {
        const run = held.find(({ id }) => id === runId);
        if (!run) throw new NotFoundError('none', { status: 404 });
        return { ...run, steps: [] };
      },
      getTestConfig: ({ id }) => testConfig(Number(id.slice(-4))),
      listTestConfigs: () => ({ items: [1, 2, 3].map((number) => testConfig(number)) }),
    });
    const log = recordingLogger();
    const feed = new WorkspaceFeed({ client, clock, log });
    names = new TestNames(client);
    kept = memento();
    order = new RunsOrder(kept);
    list = new RunsList({ client, feed, names, clock, log, order });
  });
  afterEach(() => list.dispose());

  it('names compliance probes by their titles in the catalogue, read once, or else by their ids', async () => {
    held = [1, 2, 3].map((number) =>
      testRun(number, { runType: 'compliance', catalogueTestId: number === 3 ? 'withdrawn' : 'recording-notice' }),
    );
    let isDown = true;
    client.answers.listComplianceCatalogue = () => {
      if (isDown) throw new NotFoundError('none', { status: 404 });
      const title = 'Says that it records';
      return { items: [{ id: 'recording-notice', title, sector: 'all', mode: 'dial', description: 'Listens.' }] };
    };
    await open();
    const shown = (): string[] => runs().map((run) => names.of(run));
    assert.deepEqual(shown(), ['withdrawn', 'recording-notice', 'recording-notice']);
    isDown = false;
    await list.refresh();
    await list.refresh();
    assert.deepEqual(shown(), ['withdrawn', 'Says that it records', 'Says that it records']);
    assert.equal(client.count('listComplianceCatalogue'), 2);
  });

  it('adds a new run, or a change of a shown one, by reading and announcing only that', async () => {
    await open();
    held = [testRun(4, { status: 'running', configId: uuid(1) }), ...held];
    await client.announce({ type: 'test.changed', runId: uuid(4) });
    assert.deepEqual(ids(), [4, 3, 2, 1]);
    const told: (readonly string[] | undefined)[] = [];
    list.onDidChange((changed) => told.push(changed));
    const tell = async (): Promise<number> => {
      const calls = client.calls.length;
      await client.announce({ type: 'test.changed', runId: uuid(4) });
      return client.calls.length - calls;
    };
    assert.equal(await tell(), 1);
    assert.deepEqual(told, [], 'a run that goes on looks as before');
    held[0] = testRun(4, { outcome: 'FAIL', configId: uuid(1) });
    assert.equal(await tell(), 1);
    assert.equal(runs()[0]?.outcome, 'FAIL');
    assert.deepEqual(told, [[uuid(4)]]);
    assert.equal(client.count('getRunResults'), 0, 'its results would be far more than a row');
  });

  it("keeps a row's element, so that only a changed one is drawn", async () => {
    await open();
    const elements = new RunsElements({ list });
    const drawn = elements.all();
    held = [testRun(4, { configId: uuid(1) }), ...held];
    await list.refresh();
    assert.deepEqual(
      elements
        .all()
        .slice(1)
        .map((element, index) => element === drawn[index]),
      [true, true, true],
    );
    assert.deepEqual(
      elements.of([uuid(3), uuid(77)]).map((element) => element === drawn[0]),
      [true],
    );
  });

  it('shows runs in groups, each at the place of its first run, and keeps the elements', async () => {
    held = [testRun(4, { outcome: 'FAIL' }), testRun(3), testRun(2, { outcome: 'FAIL' })];
    await open();
    const elements = new RunsElements({
      list,
      groupOf: (row) =>
        row.kind === 'run' && row.run.id !== uuid(3)
          ? { groupId: row.run.outcome ?? '', label: String(row.run.outcome) }
          : undefined,
    });
    const top = elements.all();
    const failed = { kind: 'group' as const, groupId: 'FAIL', label: 'FAIL' };
    assert.deepEqual(top, [failed, { kind: 'run', runId: uuid(3) }]);
    assert.ok(top[0]?.kind === 'group');
    assert.deepEqual(elements.in(top[0]), [
      { kind: 'run', runId: uuid(4) },
      { kind: 'run', runId: uuid(2) },
    ]);
    assert.deepEqual(
      elements.all().map((element, index) => element === top[index]),
      [true, true],
    );
    assert.equal(elements.of([uuid(2)]).length, 1);
  });

  it('shows pinned runs first, also those that are older than the list', async () => {
    held = many(1, 60);
    loads = [loadTest(61, { startedAt: minute(61) })];
    client.answers.getLoadTest = () => loadTest(70);
    await open();
    await order.pin([{ kind: 'run', id: uuid(2), startedAt: held[58]!.startedAt }]);
    await order.pin([{ kind: 'load', id: uuid(70), startedAt: held[0]!.startedAt }]);
    await order.pin([{ kind: 'run', id: uuid(59), startedAt: held[1]!.startedAt }]);
    await settle();
    const shown = (): (string | number)[] =>
      list.rows.slice(0, 5).map((row) => (row.kind === 'run' ? Number(row.run.id.slice(-4)) : row.test.id.slice(-2)));
    assert.deepEqual(shown(), [59, '70', 2, '61', 60]);
    assert.equal(client.count('getRunResults'), 0, 'its results would be far more than a row');
    await list.setFilter({ outcome: 'FAIL' });
    assert.deepEqual(shown(), []);
    await list.setFilter({ startedBefore: minute(10) });
    assert.deepEqual(shown().slice(0, 3), [59, '70', 2], 'an older part of the list has the pinned runs too');
    held = held.filter(({ id }) => id !== uuid(59));
    await order.unpin([uuid(2)]);
    await list.setFilter({});
    assert.deepEqual(shown().slice(0, 3), ['70', '61', 60], 'a deleted run stays away');
  });

  it('remembers groups and pins, and ignores others', async () => {
    await order.change({ grouping: 'day' });
    await order.pin([{ kind: 'run', id: uuid(1), startedAt: minute(1) }]);
    const again = new RunsOrder(kept);
    assert.deepEqual([again.kept.grouping, again.kept.pins.length, again.isPinned(uuid(1))], ['day', 1, true]);
    await kept.update('dialtree.runsOrder', { grouping: 'weight', pins: [7] });
    assert.deepEqual(new RunsOrder(kept).kept, { grouping: 'none', pins: [] });
  });

  it('finds a run that was restarted, and drops a deleted one', async () => {
    held = [testRun(5, { status: 'running', configId: uuid(1) }), ...held];
    await open();
    held[0] = { ...testRun(5, { status: 'running', configId: uuid(1) }), startedAt: minute(30) };
    held.splice(2, 1);
    client.emit({ type: 'test.changed', runId: uuid(5) });
    await client.announce({ type: 'test.changed', runId: uuid(2) });
    assert.deepEqual(
      runs().map(({ id, startedAt }) => [Number(id.slice(-4)), startedAt]),
      [
        [5, minute(30)],
        [3, minute(3)],
        [1, minute(1)],
      ],
    );
  });

  it('holds up to a thousand runs, and replaces them by older ones', async () => {
    held = many(1, 2500);
    await open();
    for (let presses = 0; presses < 100 && !list.isFull; presses += 1) await list.loadMore();
    assert.deepEqual([ids().length, ids()[0], ids().at(-1), list.hasMore], [1000, 2500, 1501, true]);
    held = [testRun(2501, { configId: uuid(1) }), ...held];
    await client.announce({ type: 'test.changed', runId: uuid(2501) });
    assert.deepEqual([ids().length, ids()[0], ids().at(-1)], [1000, 2501, 1502], 'new runs do not make it longer');
    await list.loadMore();
    assert.deepEqual([ids()[0], filterText(list.filter, words)], [1502, 'up to noon']);
    for (let presses = 0; presses < 100 && list.hasMore; presses += 1) await list.loadMore();
    assert.equal(ids().at(-1), 1);
    await list.setFilter({});
    assert.equal(ids()[0], 2501);
  });

  it('reads by pages if there are many events', async () => {
    held = many(1, 300);
    await open();
    for (let presses = 0; presses < 10; presses += 1) await list.loadMore();
    const calls = client.calls.length;
    held = held.filter((_run, index) => index % 2 === 0);
    for (let number = 1; number <= 300; number += 1) client.emit({ type: 'test.changed', runId: uuid(number) });
    await settle();
    assert.equal(ids().length, 150);
    assert.ok(client.calls.length - calls < 20, `${String(client.calls.length - calls)} requests`);
  });

  it('shows load tests among older runs, although the service lists them from the newest on, and without their timeline', async () => {
    held = many(1, 1200);
    loads = [
      loadTest(2000, { startedAt: minute(1199.5) }),
      loadTest(2001, {
        startedAt: minute(50.5),
        stats: {
          callsPlaced: 1,
          callsAnswered: 1,
          setupSuccess: 1,
          outcomes: {},
          callSeconds: 1,
          timeline: [{ second: 1, placed: 1, answered: 1, active: 1, failed: 0 }],
        },
      }),
    ];
    await open();
    await list.setFilter({ startedBefore: minute(200) });
    for (let presses = 0; presses < 10; presses += 1) await list.loadMore();
    assert.deepEqual(
      list.rows.flatMap((row) =>
        row.kind === 'load' ? [row.test.id, row.test.stats?.callsPlaced, row.test.stats?.timeline] : [],
      ),
      [uuid(2001), 1, undefined],
    );
  });

  it('loads more on request, and keeps it when new runs come', async () => {
    held = many(1, 120);
    await open();
    assert.deepEqual([ids().length, ids()[0], list.hasMore], [50, 120, true]);
    await list.loadMore();
    await list.loadMore();
    assert.deepEqual([ids().length, ids().at(-1), list.hasMore], [120, 1, false]);
    held = [testRun(121, { configId: uuid(1) }), ...held];
    await client.announce({ type: 'test.changed', runId: uuid(121) });
    assert.deepEqual([ids().length, ids()[0], ids().at(-1)], [121, 121, 1]);
    assert.equal(new Set(ids()).size, 121);
  });

  it('restarts if so much has happened that there would be a gap', async () => {
    held = many(1, 60);
    await open();
    await list.loadMore();
    held = many(1, 300);
    await list.refresh();
    assert.deepEqual([ids().length, ids()[0], list.hasMore], [50, 300, true]);
  });

  it('shows what matches the filter, including later changes', async () => {
    held = [testRun(9, { status: 'running' }), testRun(8, { outcome: 'FAIL' }), ...held];
    await open();
    await list.setFilter({ outcome: 'FAIL' });
    assert.deepEqual(ids(), [8]);
    assert.deepEqual(asked.at(-1), { cursor: undefined, outcome: 'FAIL', runType: undefined, limit: 50 });
    held[0] = testRun(9, { outcome: 'FAIL' });
    await client.announce({ type: 'test.changed', runId: uuid(9) });
    assert.deepEqual(ids(), [9, 8]);
    held[0] = testRun(9, { outcome: 'PASS' });
    await client.announce({ type: 'test.changed', runId: uuid(9) });
    assert.deepEqual(ids(), [8]);
  });

  it('drops the results of an older filter', async () => {
    let answer: (() => void) | undefined;
    const read = client.answers.listTestRuns!;
    client.answers.listTestRuns = async (input) => {
      const page = await read(input);
      if (input.outcome === undefined)
        await new Promise<void>((resolve) => {
          answer = resolve;
        });
      return page;
    };
    const first = list.refresh();
    await settle();
    const second = list.setFilter({ outcome: 'ERROR' });
    answer?.();
    await Promise.all([first, second]);
    assert.deepEqual(ids(), []);
  });

  it('names deleted tests by the number they call, and asks once', async () => {
    client.answers.getTestConfig = () => {
      throw new NotFoundError('none', { status: 404 });
    };
    await open();
    assert.equal(names.of(runs()[0]!), 'sip:bank@127.0.0.1:5070');
    await list.refresh();
    assert.equal(client.count('getTestConfig'), 1);
  });

  it('reads all names together if many are missing', async () => {
    held = [5, 4, 3, 2, 1].map((number) => testRun(number, { configId: uuid(number) }));
    await open();
    assert.deepEqual([client.count('getTestConfig'), client.count('listTestConfigs')], [0, 1]);
    assert.deepEqual(
      runs().map((run) => names.of(run)),
      ['sip:bank@127.0.0.1:5070', 'sip:bank@127.0.0.1:5070', 'Test 3', 'Test 2', 'Test 1'],
    );
  });

  it('reads the names of many missions by pages, until all are known', async () => {
    const kept = Array.from({ length: 300 }, (_value, index) => missionConfig(index + 1));
    client.answers.listMissionTestConfigs = ({ cursor = '0' }) => {
      const next = Number(cursor) + 100;
      return { items: kept.slice(Number(cursor), next), ...(next < kept.length && { nextCursor: String(next) }) };
    };
    held = [150, 140, 40, 2].map((number) => testRun(number, { runType: 'mission', configId: uuid(number) }));
    await open();
    assert.deepEqual([client.count('getMissionTestConfig'), client.count('listMissionTestConfigs')], [0, 2]);
    assert.deepEqual(
      runs().map((run) => names.of(run)),
      ['Mission 150', 'Mission 140', 'Mission 40', 'Mission 2'],
    );
  });

  it('reads a change of a run on a later page even if a new run is announced with it', async () => {
    held = [...many(61, 120), testRun(60, { status: 'running', configId: uuid(1) }), ...many(1, 59)];
    await open();
    await list.loadMore();
    held = [
      testRun(121, { configId: uuid(1) }),
      ...held.map((run) => (run.id === uuid(60) ? testRun(60, { outcome: 'FAIL', configId: uuid(1) }) : run)),
    ];
    client.emit({ type: 'test.changed', runId: uuid(60) });
    await client.announce({ type: 'test.changed', runId: uuid(121) });
    assert.equal(runs()[0]?.id, uuid(121));
    assert.equal(runs().find(({ id }) => id === uuid(60))?.outcome, 'FAIL');
  });

  it('follows a run to its end even while hidden', async () => {
    held = [testRun(4, { status: 'running', configId: uuid(1) }), ...many(1, 3)];
    await open();
    list.follow(false);
    assert.equal(client.streams, 1);
    held[0] = testRun(4, { configId: uuid(1) });
    await client.announce({ type: 'test.changed', runId: uuid(4) });
    assert.equal(runs()[0]?.outcome, 'PASS');
    assert.equal(client.streams, 0);
  });

  it('merges load tests into the runs, as far back as the runs are read', async () => {
    held = many(1, 120);
    loads = [loadTest(200, { startedAt: minute(110.5) }), loadTest(201, { startedAt: minute(30.5) })];
    const at = (id: number): number => list.rows.findIndex((row) => row.kind === 'load' && row.test.id === uuid(id));
    await open();
    assert.deepEqual([at(200), at(201), list.rows.length], [10, -1, 51]);
    await list.loadMore();
    await list.loadMore();
    assert.deepEqual([at(200), at(201), list.rows.length, list.hasMore], [10, 91, 122, false]);
  });

  it('follows a load test by its own events, and filters it like runs', async () => {
    loads = [loadTest(200, { status: 'running', startedAt: minute(9) })];
    client.answers.getLoadTest = () => loads[0] ?? assert.fail();
    await open();
    const lists = client.count('listLoadTests');
    loads = [loadTest(200, { startedAt: minute(9) })];
    await client.announce({ type: 'load.changed', loadTestId: uuid(200) });
    const row = list.row(uuid(200));
    assert.deepEqual([row?.kind === 'load' && row.test.status, client.count('listLoadTests')], ['completed', lists]);
    await list.setFilter({ outcome: 'PASS' });
    assert.deepEqual(
      list.rows.map(({ kind }) => kind),
      ['run', 'run', 'run'],
    );
    await list.setFilter({ runType: 'load' });
    assert.deepEqual(
      list.rows.map(({ kind }) => kind),
      ['load'],
    );
    assert.equal(filterText(list.filter, words), 'load test');
  });

  it('shows a load test with its state and result', () => {
    const named = { name: 'Bank', ...words };
    const shown = (values: Parameters<typeof loadTest>[1]): string => {
      const { icon, description, contextValue } = loadRow(loadTest(200, values), named);
      return `${icon?.id ?? ''} | ${description ?? ''} | ${contextValue}`;
    };
    assert.equal(
      shown({ status: 'running', progress: { placed: 9, answered: 7, active: 7, failed: 1 } }),
      'loading~spin | running · 7 of 10 answered · noon | load running',
    );
    assert.equal(
      shown({ stats: { callsPlaced: 10, callsAnswered: 9, setupSuccess: 0.9, outcomes: {}, callSeconds: 90 } }),
      'info | completed · 90% set-up success · noon | load completed',
    );
    assert.equal(shown({ status: 'aborted', reason: 'Cancelled.' }), 'warning | ended early · noon | load aborted');
    assert.equal(
      shown({ status: 'aborted', reason: 'Cancelled.', endedBy: 'cancel' }),
      'circle-slash | cancelled · noon | load aborted',
    );
    assert.equal(
      shown({ status: 'failed', reason: 'The service stopped.', endedBy: 'crash' }),
      'circle-slash | interrupted · noon | load failed',
    );
    const cancelling = loadRow(loadTest(200, { status: 'running' }), { ...named, isCancelling: true });
    assert.deepEqual([cancelling.icon?.id, cancelling.description], ['loading~spin', 'cancelling… · noon']);
  });

  it('shows rows with outcome and time, distinguishable without colour', () => {
    const named = { name: 'Pay [now](command:evil)', ...words };
    const rows = (['PASS', 'FAIL', 'ERROR', 'INCONCLUSIVE'] as const).map((outcome) =>
      runRow(testRun(1, { outcome }), named),
    );
    assert.deepEqual(
      rows.map(({ description, icon }) => `${icon?.id ?? ''} ${description ?? ''}`),
      ['pass passed · noon', 'error failed · noon', 'warning error · noon', 'question inconclusive · noon'],
    );
    const byHand = runRow(testRun(1, { guided: true }), named);
    assert.deepEqual([byHand.icon?.id, byHand.description], ['info', 'called by hand · noon']);
    assert.deepEqual(
      (['cancel', 'stop', 'crash', 'budget'] as const).map((endedBy) => {
        const { description, icon } = runRow(testRun(1, { outcome: 'ERROR', endedBy }), named);
        return `${icon?.id ?? ''} ${icon?.color ?? ''} ${description ?? ''}`;
      }),
      [
        'circle-slash descriptionForeground cancelled · noon',
        'circle-slash descriptionForeground interrupted · noon',
        'circle-slash descriptionForeground interrupted · noon',
        'warning charts.orange error · noon',
      ],
    );
    const cancelling = runRow(testRun(1, { status: 'running' }), { ...named, isCancelling: true });
    assert.deepEqual([cancelling.icon?.id, cancelling.description], ['loading~spin', 'cancelling… · noon']);
    const running = runRow(testRun(1, { status: 'running' }), named);
    assert.deepEqual(
      [running.icon?.id, running.contextValue, running.accessibilityLabel],
      ['loading~spin', 'run running', 'Pay [now](command:evil), script, running · noon'],
    );
    assert.ok(!(rows[0]?.tooltip ?? '').includes('](command:'));
    assert.equal(filterText({ outcome: 'FAIL', runType: 'param' }, words), 'failed, script with rows');
    assert.equal(filterText({}, words), undefined);
  });
});
