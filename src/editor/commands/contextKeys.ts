import { commands, workspace } from 'vscode';
import type { DisposableStore } from '../basics/lifetime.ts';
import { isRunning, newestRun } from '../store/snapshot.ts';
import type { Editor } from './editor.ts';

export type ContextKeys = ReturnType<typeof keysOf>;

type Shown = Pick<Editor, 'connection' | 'practice' | 'store' | 'runs' | 'lines' | 'index' | 'environments'>;

/** What a running service hasn't listed may exist, so commands on it are offered. */
function keysOf({ connection, practice, store, runs, lines, index, environments }: Shown) {
  const isReady = connection.state.kind === 'ready';
  const [unknownJobs, unknownRuns] = [isReady && !store.listed, isReady && !runs.isCurrent];
  const hasLines = lines.lines.length + lines.wrongLines.length > 0;
  return {
    'dialtree.service': connection.state.kind,
    'dialtree.mode': connection.mode,
    'dialtree.listed': store.listed,
    'dialtree.hasMappings': unknownJobs || store.jobs.length > 0,
    'dialtree.mappingRunning': unknownJobs || store.jobs.some(isRunning),
    /** Trees of mappings, and files in the workspace. */
    'dialtree.hasTrees':
      unknownJobs ||
      store.jobs.some((job) => newestRun(job) !== undefined) ||
      index.files.some(({ kind }) => kind === 'calltree'),
    'dialtree.mapped': store.jobs.some(({ job }) => job.currentRun?.status === 'completed'),
    'dialtree.hasEnvironments': environments.offered.size > 0,
    'dialtree.hasSecrets': index.files.some(({ hasSecrets }) => hasSecrets),
    'dialtree.practiceRunning': practice.running.length > 0,
    'dialtree.runsListed': runs.isRead,
    'dialtree.runsFiltered': Object.keys(runs.filter).length > 0,
    'dialtree.hasRuns': unknownRuns || runs.rows.length > 0,
    'dialtree.testRunning': unknownRuns || runs.running > 0,
    'dialtree.hasLines': hasLines || (lines.isForeign && isReady && !lines.isRead),
  };
}

/** Passes the keys that the manifest's conditions use to the editor, each time one changes. */
export function keepContext(parts: Shown, held: DisposableStore): void {
  const { connection, practice, store, runs, lines, index, environments } = parts;
  const known = new Map<string, unknown>();
  const show = (): void => {
    for (const [key, value] of Object.entries(keysOf(parts))) {
      if (known.get(key) === value) continue;
      known.set(key, value);
      void commands.executeCommand('setContext', key, value);
    }
  };
  show();
  for (const { onDidChange } of [store, practice, runs, lines, index, environments]) held.add(onDidChange(show));
  held.add(connection.onDidChangeState(show));
  held.add(workspace.onDidChangeConfiguration(show));
}
