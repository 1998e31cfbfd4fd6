import { count } from '../../base/count.ts';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { HumanError } from '../../contract/errors.ts';
import { findInstallation } from '../../service/basics/installation.ts';
import { DataFolder } from '../../service/store/folder.ts';
import type { Store } from '../../service/store/store.ts';
import { useOperatorStore } from '../../service/transfer/operatorStore.ts';
import { readDatabaseUrl } from '../settings/databaseUrl.ts';
import { UsageError } from '../command.ts';
import { note } from '../terminal/output.ts';
import { interruption } from '../terminal/signals.ts';

export const storeOptions = {
  data: { type: 'string' },
  'database-url': { type: 'string' },
  assets: { type: 'string' },
} as const;
export const storeHelp = `  --data DIR           data folder (default ~/.dialtree) with the recordings; without a database, it also contains the store, and no service may be using it
  --database-url URL   uses this database as the store, postgres://user:password@host:5432/database; services can keep running;
                       or set DIALTREE_DATABASE_URL in the environment
  --assets DIR         folder of the store's files`;

interface StoreValues {
  readonly data?: string | undefined;
  readonly 'database-url'?: string | undefined;
  readonly assets?: string | undefined;
}

/**
 * Runs `work` on the store that the options name. The folder always holds the recordings. `create`: creates a store if
 * the folder has none.
 */
export async function withOperatorStore<Result>(
  values: StoreValues,
  work: (store: Store, folder: DataFolder) => Promise<Result>,
  { create = false } = {},
): Promise<Result> {
  const folder = new DataFolder(resolve(values.data ?? join(homedir(), '.dialtree')));
  const { assetsDir } = findInstallation(values.assets === undefined ? undefined : resolve(values.assets));
  return await useOperatorStore(
    { folder, assetsDir, create, databaseUrl: readDatabaseUrl(values['database-url'], process.env) },
    (store) => work(store, folder),
  );
}

const tellEveryMs = 2000;

/** Handles Ctrl+C during a transfer, and prints progress to stderr every two seconds. */
export function watchTransfer(): {
  readonly signal: AbortSignal;
  readonly onProgress: (done: { readonly rows: number; readonly recordings: number }) => void;
  readonly explain: (error: unknown) => unknown;
} {
  const signal = interruption();
  let lastReportAt = performance.now();
  return {
    signal,
    onProgress(done) {
      if (performance.now() - lastReportAt < tellEveryMs) return;
      lastReportAt = performance.now();
      note(counted(done));
    },
    explain: (error) => (signal.aborted ? new HumanError('Cancelled. Nothing was changed.', { cause: error }) : error),
  };
}

export const counted = ({ rows, recordings }: { readonly rows: number; readonly recordings: number }): string =>
  `${count(rows, 'row')}, ${count(recordings, 'recording')}`;

export function assertWorkspaceId(id: string | undefined): string {
  if (id === undefined || !/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(id))
    throw new UsageError('Give the id of a workspace. `dialtree admin workspaces` lists the ids.');
  return id;
}
