import type { Memento } from 'vscode';
import * as z from 'zod';
import { runOutcomeSchema, runTypeSchema } from '../../contract/testRuns.ts';
import type { Disposable } from '../lifetime.ts';
import type { RunsFilter, RunsList } from './runsList.ts';

const key = 'dialtree.runsFilter';
const keptSchema = z.object({ outcome: runOutcomeSchema.optional(), runType: z.union([runTypeSchema, z.literal('load')]).optional() }).catch({});

/** What the runs were filtered by in this workspace before the window was closed. */
export function keptFilter(memento: Pick<Memento, 'get'>): RunsFilter {
  const kept = memento.get(key);
  if (kept === undefined) return {};
  const { outcome, runType } = keptSchema.parse(kept);
  return { ...(outcome && { outcome }), ...(runType && { runType }) };
}

/** Keeps it for the next window. How far back somebody read is no filter to come back to. */
export function keepFilter(list: Pick<RunsList, 'filter' | 'onDidChange'>, memento: Pick<Memento, 'update'>): Disposable {
  let kept = JSON.stringify(list.filter);
  return list.onDidChange(() => {
    const { outcome, runType } = list.filter;
    const filter = { ...(outcome && { outcome }), ...(runType && { runType }) };
    const text = JSON.stringify(filter);
    if (text === kept) return;
    kept = text;
    void memento.update(key, filter);
  });
}
