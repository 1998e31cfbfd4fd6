import type { Memento } from 'vscode';
import type { Disposable } from '../basics/lifetime.ts';
import { conditionsOf, conditionsSchema } from './runsFilter.ts';
import type { RunsFilter } from './runsFilter.ts';
import type { RunsList } from './runsList.ts';

const key = 'dialtree.runsFilter';
const keptSchema = conditionsSchema.catch({});

/** What the runs were filtered by in this workspace before the window was closed. */
export function keptFilter(memento: Pick<Memento, 'get'>): RunsFilter {
  const kept = memento.get(key);
  return kept === undefined ? {} : conditionsOf(keptSchema.parse(kept));
}

/** Keeps it for the next window. How far back somebody read is no filter to come back to. */
export function keepFilter(
  list: Pick<RunsList, 'filter' | 'onDidChange'>,
  memento: Pick<Memento, 'update'>,
): Disposable {
  let kept = JSON.stringify(conditionsOf(list.filter));
  return list.onDidChange(() => {
    const filter = conditionsOf(list.filter);
    const text = JSON.stringify(filter);
    if (text === kept) return;
    kept = text;
    void memento.update(key, filter);
  });
}
