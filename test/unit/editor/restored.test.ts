import assert from 'node:assert/strict';
import type { Memento } from 'vscode';
import { Emitter } from '../../../src/editor/basics/emitter.ts';
import { keepFilter, keptFilter } from '../../../src/editor/views/keptFilter.ts';
import type { RowModel } from '../../../src/editor/views/rowModel.ts';
import { RowStates } from '../../../src/editor/views/rowStates.ts';
import type { RunsFilter } from '../../../src/editor/views/runsFilter.ts';
import { uuid } from './fakes.ts';

describe('state restored in the next window', () => {
  let kept: Map<string, unknown>, updates: number, memento: Pick<Memento, 'get' | 'update'>;
  beforeEach(() => {
    [kept, updates] = [new Map(), 0];
    memento = {
      get: (key: string) => kept.get(key) as undefined,
      update: (key, value) => {
        updates += 1;
        kept.set(key, JSON.parse(JSON.stringify(value)));
        return Promise.resolve();
      },
    };
  });

  describe('of the runs view', () => {
    let changed: Emitter<readonly string[] | undefined>, filter: RunsFilter;
    beforeEach(() => {
      [changed, filter] = [new Emitter(), {}];
    });
    const list = {
      get filter() {
        return filter;
      },
      onDidChange: (listener: (ids: readonly string[] | undefined) => void) => changed.listen(listener),
    };

    it('includes its filter, but not how far back it was read', () => {
      keepFilter(list, memento);
      filter = { outcome: 'FAIL', runType: 'mission', startedBefore: '2026-01-01T00:00:00Z' };
      changed.fire(undefined);
      changed.fire(['a']);
      assert.deepEqual(keptFilter(memento), { outcome: 'FAIL', runType: 'mission' });
      assert.equal(updates, 1);
      filter = { phoneNumber: '+12025550101', configId: uuid(1), testName: 'Balance', within: 'week' };
      changed.fire(undefined);
      assert.deepEqual(keptFilter(memento), filter);
      filter = {};
      changed.fire(undefined);
      assert.deepEqual(keptFilter(memento), {});
    });

    it('leaves out a filter that another version wrote in a different shape', () => {
      for (const value of [
        'FAIL',
        null,
        { outcome: 'LATER' },
        { runType: 3 },
        { within: 'ever' },
        { phoneNumber: 'x' },
      ]) {
        kept.set('dialtree.runsFilter', value);
        assert.deepEqual(keptFilter(memento), {});
      }
    });
  });

  describe("of a view's rows", () => {
    const row = (id: string, children: RowModel['children'] = 'collapsed'): RowModel => ({
      id,
      label: id,
      contextValue: 'x',
      children,
    });

    it('includes which were open and which closed', () => {
      const states = new RowStates(memento, 'dialtree.mappings');
      states.set('a', 'expanded');
      states.set('b', 'collapsed');
      states.set('b', 'collapsed');
      assert.equal(updates, 2);
      const next = new RowStates(memento, 'dialtree.mappings');
      assert.deepEqual(
        [next.of(row('a')), next.of(row('b', 'expanded')), next.of(row('c', 'expanded'))].map(
          ({ children }) => children,
        ),
        ['expanded', 'collapsed', 'expanded'],
      );
      assert.equal(next.of(row('a', 'none')).children, 'none', 'what has nothing below it any more cannot be open');
      assert.equal(new RowStates(memento, 'other').of(row('a')).children, 'collapsed');
    });

    it('keeps only the newest few hundred', () => {
      const states = new RowStates(memento, 'view');
      for (let number = 0; number < 600; number += 1) states.set(String(number), 'expanded');
      states.set('100', 'collapsed');
      const next = new RowStates(memento, 'view');
      assert.deepEqual(
        ['99', '100', '101', '599'].map((id) => next.of(row(id)).children),
        ['collapsed', 'collapsed', 'expanded', 'expanded'],
      );
      kept.set('view.rows', [['a', 'ajar']]);
      assert.equal(new RowStates(memento, 'view').of(row('a')).children, 'collapsed');
    });
  });
});
