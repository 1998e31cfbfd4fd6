import { commands } from 'vscode';
import type { ServiceState } from '../host/connection.ts';

/** The keys that `when` clauses of the manifest ask for. */
export interface ContextKeys {
  readonly 'dialtree.service': ServiceState['kind'];
  readonly 'dialtree.mode': 'embedded' | 'remote';
  /** The list of mappings has been read. */
  readonly 'dialtree.listed': boolean;
  /** Some menu tree has been mapped to its end. */
  readonly 'dialtree.mapped': boolean;
  readonly 'dialtree.practiceRunning': boolean;
  /** The list of test runs has been read. */
  readonly 'dialtree.runsListed': boolean;
  /** Some test runs are left out. */
  readonly 'dialtree.runsFiltered': boolean;
}

const known = new Map<string, unknown>();

export function setContext<Key extends keyof ContextKeys>(key: Key, value: ContextKeys[Key]): void {
  if (known.get(key) === value) return;
  known.set(key, value);
  void commands.executeCommand('setContext', key, value);
}
