import { commands } from 'vscode';
import type { DisposableStore } from '../basics/lifetime.ts';
import type { ServiceState } from '../host/connection.ts';
import type { Host } from '../host/createHost.ts';
import type { MappingStore } from '../store/mappingStore.ts';
import type { RunsList } from '../views/runsList.ts';

/** The context keys that `when` clauses in the manifest use. */
export interface ContextKeys {
  readonly 'dialtree.service': ServiceState['kind'];
  readonly 'dialtree.mode': 'embedded' | 'remote';
  readonly 'dialtree.listed': boolean;
  readonly 'dialtree.mapped': boolean;
  readonly 'dialtree.practiceRunning': boolean;
  readonly 'dialtree.runsListed': boolean;
  readonly 'dialtree.runsFiltered': boolean;
}

interface ContextParts extends Pick<Host, 'connection' | 'practice'> {
  readonly store: MappingStore;
  readonly runs: RunsList;
}

export function keepContext({ connection, practice, store, runs }: ContextParts, held: DisposableStore): void {
  const show = (): void => {
    setContext('dialtree.service', connection.state.kind);
    setContext('dialtree.mode', connection.mode);
    setContext('dialtree.listed', store.listed);
    setContext(
      'dialtree.mapped',
      store.jobs.some(({ job }) => job.currentRun?.status === 'completed'),
    );
    setContext('dialtree.practiceRunning', practice.running.length > 0);
    setContext('dialtree.runsListed', runs.isRead);
    setContext('dialtree.runsFiltered', Object.keys(runs.filter).length > 0);
  };
  show();
  for (const listen of [store.onDidChange, practice.onDidChange, runs.onDidChange, connection.onDidChangeState])
    held.add(listen(show));
}

const known = new Map<string, unknown>();

function setContext<Key extends keyof ContextKeys>(key: Key, value: ContextKeys[Key]): void {
  if (known.get(key) === value) return;
  known.set(key, value);
  void commands.executeCommand('setContext', key, value);
}
