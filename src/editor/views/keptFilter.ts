import type { Memento } from 'vscode';
import type { Disposable } from '../basics/lifetime.ts';
import { conditionsOf, conditionsSchema, type RunsFilter } from './runsFilter.ts';
import type { RunsList } from './runsList.ts';

const key = 'dialtree.runsFilter';
const keptSchema = conditionsSchema.catch({});

/** Returns the filter of runs from before this workspace's window was closed. */
export function keptFilter(memento: Pick<Memento, 'get'>): RunsFilter {
  const storedFilter = memento.get(key);
  return storedFilter === undefined ? {} : conditionsOf(keptSchema.parse(storedFilter));
}

/** Stores the filter for the next window, except how far back the user has scrolled. */
export function keepFilter(
  list: Pick<RunsList, 'filter' | 'onDidChange'>,
  memento: Pick<Memento, 'update'>,
): Disposable {
  let savedFilter = JSON.stringify(conditionsOf(list.filter));
  return list.onDidChange(() => {
    const filter = conditionsOf(list.filter);
    const text = JSON.stringify(filter);
    if (text === savedFilter) return;
    savedFilter = text;
    void memento.update(key, filter);
  });
}
