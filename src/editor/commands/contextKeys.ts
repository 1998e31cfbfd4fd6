import { commands, workspace } from 'vscode';
import type { Disposable, DisposableStore } from '../basics/lifetime.ts';
import type { WorkspaceIndex } from '../folders/workspaceIndex.ts';
import type { ServiceState } from '../host/connection.ts';
import type { Host } from '../host/createHost.ts';
import type { MappingStore } from '../store/mappingStore.ts';
import { isRunning, newestRun } from '../store/snapshot.ts';
import type { RunsList } from '../views/runsList.ts';

export interface ContextKeys {
  readonly 'dialtree.service': ServiceState['kind'];
  readonly 'dialtree.mode': 'embedded' | 'remote';
  readonly 'dialtree.listed': boolean;
  readonly 'dialtree.hasMappings': boolean;
  readonly 'dialtree.mappingRunning': boolean;
  /** Trees of mappings, and files in the workspace. */
  readonly 'dialtree.hasTrees': boolean;
  readonly 'dialtree.mapped': boolean;
  readonly 'dialtree.practiceRunning': boolean;
  readonly 'dialtree.runsListed': boolean;
  readonly 'dialtree.runsFiltered': boolean;
  readonly 'dialtree.hasRuns': boolean;
  readonly 'dialtree.testRunning': boolean;
  readonly 'dialtree.hasLines': boolean;
}

interface ContextParts extends Pick<Host, 'connection' | 'practice'> {
  readonly store: MappingStore;
  readonly runs: RunsList;
  readonly lines: {
    readonly lines: readonly unknown[];
    readonly wrongLines: readonly unknown[];
    readonly isForeign: boolean;
    readonly isRead: boolean;
    readonly onDidChange: (listener: () => void) => Disposable;
  };
  readonly index: WorkspaceIndex;
}

/** What a running service hasn't listed may exist, so commands on it are offered. */
export function keepContext(parts: ContextParts, held: DisposableStore): void {
  const { connection, practice, store, runs, lines, index } = parts;
  const show = (): void => {
    const isReady = connection.state.kind === 'ready';
    const [unknownJobs, unknownRuns] = [isReady && !store.listed, isReady && !runs.isCurrent];
    setContext('dialtree.service', connection.state.kind);
    setContext('dialtree.mode', connection.mode);
    setContext('dialtree.listed', store.listed);
    setContext('dialtree.hasMappings', unknownJobs || store.jobs.length > 0);
    setContext('dialtree.mappingRunning', unknownJobs || store.jobs.some(isRunning));
    setContext(
      'dialtree.hasTrees',
      unknownJobs ||
        store.jobs.some((job) => newestRun(job) !== undefined) ||
        index.files.some(({ kind }) => kind === 'calltree'),
    );
    setContext(
      'dialtree.mapped',
      store.jobs.some(({ job }) => job.currentRun?.status === 'completed'),
    );
    setContext('dialtree.practiceRunning', practice.running.length > 0);
    setContext('dialtree.runsListed', runs.isRead);
    setContext('dialtree.runsFiltered', Object.keys(runs.filter).length > 0);
    setContext('dialtree.hasRuns', unknownRuns || runs.rows.length > 0);
    setContext('dialtree.testRunning', unknownRuns || runs.running > 0);
    setContext(
      'dialtree.hasLines',
      lines.lines.length + lines.wrongLines.length > 0 || (lines.isForeign && isReady && !lines.isRead),
    );
  };
  show();
  for (const { onDidChange } of [store, practice, runs, lines, index]) held.add(onDidChange(show));
  held.add(connection.onDidChangeState(show));
  held.add(workspace.onDidChangeConfiguration(show));
}

const known = new Map<string, unknown>();

function setContext<Key extends keyof ContextKeys>(key: Key, value: ContextKeys[Key]): void {
  if (known.get(key) === value) return;
  known.set(key, value);
  void commands.executeCommand('setContext', key, value);
}
