import assert from 'node:assert/strict';
import { NotFoundError } from '../../../../src/client/errors.ts';
import type { Run } from '../../../../src/contract/runs.ts';
import { RunsOrder } from '../../../../src/editor/views/runsOrder.ts';
import { FakeDialogs } from '../fakeDialogs.ts';
import type { Answer } from '../fakeDialogs.ts';
import { commandsIn } from '../fakeEditor.ts';
import { FakeClient, uuid } from '../fakes.ts';
import { listedRun, memento } from '../testing/fakeRuns.ts';

describe('commands on runs', () => {
  const rows = new Map<string, Run>([
    [uuid(1), listedRun(1)],
    [uuid(2), listedRun(2, { kind: 'load' })],
    [uuid(3), listedRun(3, { status: 'running' })],
  ]);
  const [run, load, running] = [{ runId: uuid(1) }, { runId: uuid(2) }, { runId: uuid(3) }];
  let client: FakeClient, order: RunsOrder, dialogs: FakeDialogs, refreshes: number, opened: [string, string][];
  const commands = (...answers: Answer[]) => {
    dialogs = new FakeDialogs(...answers);
    return commandsIn({
      client,
      order,
      dialogs,
      openReport: (id) => opened.push(['test', id]),
      openLoad: (id) => opened.push(['load', id]),
      runs: {
        row: (id) => rows.get(id),
        refresh: () => {
          refreshes += 1;
          return Promise.resolve();
        },
      },
    });
  };
  beforeEach(() => {
    refreshes = 0;
    opened = [];
    order = new RunsOrder(memento());
    client = new FakeClient({
      deleteTestRun: () => ({ deleted: true }),
      deleteLoadTest: () => {
        throw new NotFoundError('It was deleted elsewhere.', { status: 404 });
      },
    });
  });
  afterEach(() => dialogs.done());

  it('open the report of the kind of the run, whichever command names it', async () => {
    for (const id of ['dialtree.test.openReport', 'dialtree.load.openReport'] as const)
      for (const place of [run, load, { runId: uuid(4) }]) await commands()[id](place);
    assert.deepEqual(opened, [
      ['test', uuid(1)],
      ['load', uuid(2)],
      ['test', uuid(4)],
      ['test', uuid(1)],
      ['load', uuid(2)],
      ['load', uuid(4)],
    ]);
  });

  it('copy the ID of a row, or those of all selected rows', async () => {
    await commands()['dialtree.run.copyId'](run);
    assert.deepEqual(dialogs.copied, [uuid(1)]);
    await commands()['dialtree.run.copyId'](load, [run, { kind: 'more' }, load]);
    assert.deepEqual(dialogs.copied, [`${uuid(1)}\n${uuid(2)}`]);
  });

  it('pin and unpin rows', async () => {
    await commands()['dialtree.run.pin'](run, [run, load]);
    assert.deepEqual(
      order.kept.pins.map(({ id }) => id),
      [uuid(1), uuid(2)],
    );
    await commands()['dialtree.run.unpin'](run);
    assert.deepEqual([order.isPinned(uuid(1)), order.isPinned(uuid(2))], [false, true]);
  });

  it('delete several runs that have ended, and ask once', async () => {
    await commands()['dialtree.run.pin'](run);
    await commands({ agree: true })['dialtree.run.delete'](run, [run, load, running]);
    assert.match(dialogs.shown[0] ?? '', /^Delete 2 runs\?/);
    assert.deepEqual(
      client.calls.map(({ input }) => input),
      [{ runId: uuid(1) }, { id: uuid(2) }],
    );
    assert.deepEqual([order.kept.pins, refreshes], [[], 1]);
  });

  it('delete nothing if the user declines, or if the run is in progress', async () => {
    await commands({ agree: false })['dialtree.run.delete'](run);
    assert.match(dialogs.shown[0] ?? '', /^Delete the run of “.+”\?/);
    await commands({ press: undefined })['dialtree.run.delete'](running);
    assert.match(dialogs.shown[0] ?? '', /Cancel the run first/);
    assert.deepEqual([client.calls, refreshes], [[], 0]);
  });

  it('group the runs as the user picks or the argument says', async () => {
    await commands({ pick: 'By test' })['dialtree.runs.group']();
    assert.equal(order.kept.grouping, 'test');
    await commands()['dialtree.runs.group']({ by: 'outcome' });
    assert.equal(order.kept.grouping, 'outcome');
    await commands({ pick: undefined })['dialtree.runs.group']();
    assert.equal(order.kept.grouping, 'outcome');
  });
});
