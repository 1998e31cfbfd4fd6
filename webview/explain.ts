import type { LimitReason, MappingConfig, MappingRun } from '../src/contract/mapping.ts';
import type { PanelSnapshot } from '../src/contract/panel.ts';
import { counted, shownRun } from './shownRun.ts';

/** Why there is no tree, or not the whole of it: a cause in words and at most one thing to do. */
export interface Explanation {
  readonly kind: 'waiting' | 'empty' | 'failed' | 'limited';
  readonly title: string;
  readonly text: string;
  readonly action?: { readonly label: string; readonly message: 'start' | 'refresh' };
}

const startMapping = { label: 'Start mapping', message: 'start' } as const;
const mapAgain = { label: 'Map again', message: 'start' } as const;

/** In the tree's place. */
export function emptyState(snapshot: PanelSnapshot): Explanation | undefined {
  const { job, name, phoneNumber = name, tree } = snapshot;
  if (tree.tree || !job) return undefined;
  const run = shownRun(snapshot);
  if (!run || tree.reason === 'no_runs') {
    if (job.status === 'running') return dialling(phoneNumber);
    return { kind: 'empty', title: 'No map yet', text: `Nothing has been mapped on ${phoneNumber}. A mapping phones the number and follows every option it hears.`, action: startMapping };
  }
  const broken = runTrouble(run, job.config);
  if (broken) return broken;
  if (run.status === 'running') return dialling(phoneNumber);
  if (tree.reason === 'in_progress') return { ...dialling(phoneNumber), action: { label: 'Refresh', message: 'refresh' } };
  return {
    kind: 'empty', title: 'Nothing was heard', text: tree.message ?? `Run ${run.runNumber} ended without a single prompt. The number may answer only at certain hours.`, action: mapAgain,
  };
}

/** Above the tree of a run that did not end well. */
export function runTrouble(run: MappingRun, config: MappingConfig): Explanation | undefined {
  if (run.status === 'failed') return { kind: 'failed', title: 'The run failed', text: run.reason ?? 'No reason was recorded. The service’s log tells more.', action: mapAgain };
  if (run.status !== 'limited') return undefined;
  const why = run.limitReason === undefined ? 'The run was stopped before the whole tree was known.' : limitWords(run.limitReason, config);
  return { kind: 'limited', title: 'Not the whole tree', text: run.reason === undefined ? why : `${why} ${run.reason}`, action: mapAgain };
}

function limitWords(reason: LimitReason, { maxCalls, maxDepth, concurrency }: MappingConfig): string {
  switch (reason) {
    case 'max_calls': return `The run placed the ${counted(maxCalls, 'call')} that its settings allow. Raise maxCalls to map the rest.`;
    case 'max_depth': return `Menus go on below depth ${maxDepth}, where the settings end the map. Raise maxDepth to go deeper.`;
    case 'capacity': return 'No line was free for longer than the run waits. Map again when other runs have ended.';
    case 'concurrency': return `The far end took fewer calls at once than the ${concurrency} that the settings allow. Lower concurrency.`;
    case 'target_refused': return 'The number refused further calls. Wait a while before you map it again.';
    case 'time': return 'The run reached its time limit before every path was followed.';
  }
}

function dialling(number: string): Explanation {
  return { kind: 'waiting', title: 'Calling', text: `Waiting for the first prompt of ${number}. Steps appear here as they are heard.` };
}
