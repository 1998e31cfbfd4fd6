import assert from 'node:assert/strict';
import { ConnectionError, NotFoundError } from '../../../../src/client/errors.ts';
import type { Run } from '../../../../src/contract/runs.ts';
import { WorkspaceFeed } from '../../../../src/editor/store/workspaceFeed.ts';
import { filterText } from '../../../../src/editor/views/runsFilter.ts';
import { runRow } from '../../../../src/editor/views/runsRows.ts';
import { RunsElements } from '../../../../src/editor/views/runsElements.ts';
import { runsHeading } from '../../../../src/editor/views/runsHeading.ts';
import { RunsList } from '../../../../src/editor/views/runsList.ts';
import { RunsOrder } from '../../../../src/editor/views/runsOrder.ts';
import { english, FakeClient, FakeClock, recordingLogger, settle, uuid } from '../fakes.ts';
import { listedRun, memento } from '../testing/fakeRuns.ts';

/** The number of runs on a page of this service. */
const pageSize = 50;

const words = { l10n: english, moment: () => 'noon' };
const minute = (number: number): string => new Date(Date.UTC(2026, 0, 1, 12) + number * 60_000).toISOString();

describe('RunsList', () => {
  let client: FakeClient,
    clock: FakeClock,
    list: RunsList,
    order: RunsOrder,
    kept: ReturnType<typeof memento>,
    held: Run[],
    asked: unknown[];
  const ids = (): number[] => list.rows.map(({ id }) => Number(id.slice(-4)));
  const many = (from: number, to: number): Run[] =>
    Array.from({ length: to - from + 1 }, (_value, index) => listedRun(to - index, { configId: uuid(1) }));

  const open = async (): Promise<void> => {
    list.follow(true);
    await settle();
  };

  beforeEach(() => {
    held = many(1, 3);
    asked = [];
    clock = new FakeClock();
    client = new FakeClient({
      listRuns: ({ cursor, outcome, kind, ...rest }) => {
        asked.push({ cursor, outcome, kind, ...rest });
        const { startedAfter = '', startedBefore = '~' } = rest;
        const found = held.filter(
          (run) =>
            (outcome === undefined || run.outcome === outcome) &&
            (kind === undefined || run.kind === kind) &&
            run.startedAt > startedAfter &&
            run.startedAt < startedBefore,
        );
        const from = cursor === undefined ? 0 : found.findIndex(({ id }) => id === cursor) + 1;
        const items = found.slice(from, from + pageSize);
        return { items, ...(from + pageSize < found.length && { nextCursor: items.at(-1)?.id ?? '' }) };
      },
      getRun: ({ id }) => {
        const run = held.find((one) => one.id === id);
        if (!run) throw new NotFoundError('none', { status: 404 });
        return run;
      },
    });
    const log = recordingLogger();
    const feed = new WorkspaceFeed({ client, clock, log });
    kept = memento();
    order = new RunsOrder(kept);
    list = new RunsList({ client, feed, clock, log, order });
  });
  afterEach(() => list.dispose());

  it('reads nothing before the first view, and then the newest page', async () => {
    assert.equal(client.calls.length, 0);
    await open();
    assert.deepEqual(ids(), [3, 2, 1]);
    list.follow(false);
    await settle();
    assert.equal(client.streams, 0);
  });

  it('says why nothing is shown, until the service lists the runs', async () => {
    const answers = { ...client.answers };
    const told: string[] = [];
    list.onDidChange(() => told.push(runsHeading(list, words).message));
    client.answers.listRuns = () => {
      throw new NotFoundError("This endpoint doesn't exist.", { status: 404 });
    };
    await open();
    assert.deepEqual(told, [
      "This service can't list runs, because its version is earlier than this extension's. Update the service.",
    ]);
    client.answers.listRuns = () => {
      throw new ConnectionError("Couldn't reach the service.", { preFlight: true });
    };
    await assert.rejects(list.refresh());
    assert.equal(told.at(-1), "Couldn't reach the service.");
    client.answers = answers;
    await list.refresh();
    assert.deepEqual([told.at(-1), list.failure, ids()], ['', undefined, [3, 2, 1]]);
  });

  it('adds a new run, or a change of a shown one, by reading and announcing only that', async () => {
    await open();
    held = [listedRun(4, { status: 'running', configId: uuid(1) }), ...held];
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
    held[0] = listedRun(4, { outcome: 'FAIL', configId: uuid(1) });
    assert.equal(await tell(), 1);
    assert.equal(list.rows[0]?.outcome, 'FAIL');
    assert.deepEqual(told, [[uuid(4)]]);
  });

  it("keeps a row's element, so that only a changed one is drawn", async () => {
    await open();
    const elements = new RunsElements({ list });
    const drawn = elements.all();
    held = [listedRun(4, { configId: uuid(1) }), ...held];
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
    held = [listedRun(4, { outcome: 'FAIL' }), listedRun(3), listedRun(2, { outcome: 'FAIL' })];
    await open();
    const elements = new RunsElements({
      list,
      groupOf: (row) => (row.id === uuid(3) ? undefined : { groupId: row.outcome ?? '', label: String(row.outcome) }),
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
    held = [listedRun(61, { kind: 'load' }), ...many(1, 60)];
    await open();
    for (const number of [2, 1, 59]) await order.pin([uuid(number)]);
    await settle();
    const shown = (): number[] => ids().slice(0, 5);
    assert.deepEqual(shown(), [59, 1, 2, 61, 60]);
    await list.setFilter({ outcome: 'FAIL' });
    assert.deepEqual(shown(), []);
    await list.setFilter({ startedBefore: minute(10) });
    assert.deepEqual(shown().slice(0, 3), [59, 1, 2], 'an older part of the list has the pinned runs too');
    held = held.filter(({ id }) => id !== uuid(59));
    await order.unpin([uuid(2)]);
    await list.setFilter({});
    assert.deepEqual(shown().slice(0, 3), [1, 61, 60], 'a deleted run stays away');
  });

  it('remembers groups and pins, and ignores others', async () => {
    await order.change({ grouping: 'day' });
    await order.pin([uuid(1)]);
    const again = new RunsOrder(kept);
    assert.deepEqual([again.kept.grouping, again.kept.pins.length, again.isPinned(uuid(1))], ['day', 1, true]);
    await kept.update('dialtree.runsOrder', { grouping: 'weight', pins: [7] });
    assert.deepEqual(new RunsOrder(kept).kept, { grouping: 'none', pins: [] });
  });

  it('finds a run that was restarted, and drops a deleted one', async () => {
    held = [listedRun(5, { status: 'running', configId: uuid(1) }), ...held];
    await open();
    held[0] = { ...listedRun(5, { status: 'running', configId: uuid(1) }), startedAt: minute(30) };
    held.splice(2, 1);
    client.emit({ type: 'test.changed', runId: uuid(5) });
    await client.announce({ type: 'test.changed', runId: uuid(2) });
    assert.deepEqual(
      list.rows.map(({ id, startedAt }) => [Number(id.slice(-4)), startedAt]),
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
    held = [listedRun(2501, { configId: uuid(1) }), ...held];
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

  it('loads more on request, and keeps it when new runs come', async () => {
    held = many(1, 120);
    await open();
    assert.deepEqual([ids().length, ids()[0], list.hasMore], [50, 120, true]);
    await list.loadMore();
    await list.loadMore();
    assert.deepEqual([ids().length, ids().at(-1), list.hasMore], [120, 1, false]);
    held = [listedRun(121, { configId: uuid(1) }), ...held];
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
    held = [listedRun(9, { status: 'running' }), listedRun(8, { outcome: 'FAIL' }), ...held];
    await open();
    await list.setFilter({ outcome: 'FAIL' });
    assert.deepEqual(ids(), [8]);
    assert.deepEqual(asked.at(-1), { cursor: undefined, outcome: 'FAIL', kind: undefined, limit: 50 });
    held[0] = listedRun(9, { outcome: 'FAIL' });
    await client.announce({ type: 'test.changed', runId: uuid(9) });
    assert.deepEqual(ids(), [9, 8]);
    held[0] = listedRun(9, { outcome: 'PASS' });
    await client.announce({ type: 'test.changed', runId: uuid(9) });
    assert.deepEqual(ids(), [8]);
  });

  it('drops the results of an older filter', async () => {
    let answer: (() => void) | undefined;
    const read = client.answers.listRuns!;
    client.answers.listRuns = async (input) => {
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

  it('reads a change of a run on a later page even if a new run is announced with it', async () => {
    held = [...many(61, 120), listedRun(60, { status: 'running', configId: uuid(1) }), ...many(1, 59)];
    await open();
    await list.loadMore();
    held = [
      listedRun(121, { configId: uuid(1) }),
      ...held.map((run) => (run.id === uuid(60) ? listedRun(60, { outcome: 'FAIL', configId: uuid(1) }) : run)),
    ];
    client.emit({ type: 'test.changed', runId: uuid(60) });
    await client.announce({ type: 'test.changed', runId: uuid(121) });
    assert.equal(list.rows[0]?.id, uuid(121));
    assert.equal(list.rows.find(({ id }) => id === uuid(60))?.outcome, 'FAIL');
  });

  it('follows a run to its end even while hidden', async () => {
    held = [listedRun(4, { status: 'running', configId: uuid(1) }), ...many(1, 3)];
    await open();
    list.follow(false);
    assert.equal(client.streams, 1);
    held[0] = listedRun(4, { configId: uuid(1) });
    await client.announce({ type: 'test.changed', runId: uuid(4) });
    assert.equal(list.rows[0]?.outcome, 'PASS');
    assert.equal(client.streams, 0);
  });

  it('follows a load test by its own events, and filters it like other runs', async () => {
    held = [listedRun(9, { kind: 'load', status: 'running' }), ...held];
    await open();
    const lists = client.count('listRuns');
    held[0] = listedRun(9, { kind: 'load', outcome: 'FAIL' });
    await client.announce({ type: 'load.changed', loadTestId: uuid(9) });
    assert.deepEqual([list.row(uuid(9))?.status, client.count('listRuns')], ['completed', lists]);
    await list.setFilter({ outcome: 'FAIL' });
    assert.deepEqual(ids(), [9]);
    await list.setFilter({ runType: 'load' });
    assert.deepEqual(ids(), [9]);
    assert.equal(filterText(list.filter, words), 'load test');
  });

  it('shows a load test with its state and result', () => {
    const shown = ({ load, ...values }: Partial<Run>): string => {
      const run = listedRun(200, { kind: 'load', name: 'Bank', ...values, load: { concurrency: 10, ...load } });
      const { icon, description, contextValue } = runRow(run, words);
      return `${icon?.id ?? ''} | ${description ?? ''} | ${contextValue}`;
    };
    assert.equal(
      shown({ status: 'running', load: { concurrency: 10, answered: 7 } }),
      'loading~spin | running · 7 of 10 answered · noon | load running',
    );
    assert.equal(
      shown({ outcome: undefined, load: { concurrency: 10, setupSuccess: 0.9 } }),
      'info | completed · 90% set-up success · noon | load completed',
    );
    assert.equal(shown({ outcome: 'ERROR' }), 'warning | error · noon | load completed');
    assert.equal(shown({ outcome: 'ERROR', endedBy: 'cancel' }), 'circle-slash | cancelled · noon | load completed');
    assert.equal(shown({ outcome: 'ERROR', endedBy: 'crash' }), 'circle-slash | interrupted · noon | load completed');
  });

  it('shows rows with outcome and time, distinguishable without colour', () => {
    const name = 'Pay [now](command:evil)';
    const row = (values: Partial<Run>, more = {}) => runRow(listedRun(1, { name, ...values }), { ...words, ...more });
    const rows = (['PASS', 'FAIL', 'ERROR', 'INCONCLUSIVE'] as const).map((outcome) => row({ outcome }));
    assert.deepEqual(
      rows.map(({ description, icon }) => `${icon?.id ?? ''} ${description ?? ''}`),
      ['pass passed · noon', 'error failed · noon', 'warning error · noon', 'question inconclusive · noon'],
    );
    const byHand = row({ guided: true });
    assert.deepEqual([byHand.icon?.id, byHand.description], ['info', 'Bank · noon']);
    assert.deepEqual(
      (['cancel', 'stop', 'crash', 'budget'] as const).map((endedBy) => {
        const { description, icon } = row({ outcome: 'ERROR', endedBy });
        return `${icon?.id ?? ''} ${icon?.color ?? ''} ${description ?? ''}`;
      }),
      [
        'circle-slash descriptionForeground cancelled · noon',
        'circle-slash descriptionForeground interrupted · noon',
        'circle-slash descriptionForeground interrupted · noon',
        'warning charts.orange error · noon',
      ],
    );
    const cancelling = row({ status: 'running' }, { isCancelling: true });
    assert.deepEqual([cancelling.icon?.id, cancelling.description], ['loading~spin', 'cancelling… · noon']);
    const running = row({ status: 'running' });
    assert.deepEqual(
      [running.icon?.id, running.contextValue, running.accessibilityLabel],
      ['loading~spin', 'run running', 'Pay [now](command:evil), script, running · noon'],
    );
    assert.ok(!(rows[0]?.tooltip ?? '').includes('](command:'));
    assert.equal(filterText({ outcome: 'FAIL', runType: 'param' }, words), 'failed, script with rows');
    assert.equal(filterText({}, words), undefined);
  });
});
