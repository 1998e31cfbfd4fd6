import { systemClock } from '../../base/clock.ts';
import { HumanError } from '../../contract/errors.ts';
import { silentLog } from '../basics/log.ts';
import { openEmbeddedStore } from '../store/embeddedStore.ts';
import type { DataFolder } from '../store/folder.ts';
import { ownDataFolder } from '../store/ownership.ts';
import { openPostgresStore } from '../store/postgresStore.ts';
import { PostgresServer } from '../store/postgresServer.ts';
import type { Store } from '../store/store.ts';

interface OperatorStoreOptions {
  readonly folder: DataFolder;
  readonly assetsDir: string | undefined;
  /**
   * The store is this database, which services may use at the same time. Otherwise it is that of the folder, which is
   * owned during the work.
   */
  readonly databaseUrl: string | undefined;
  /** Whether to create a store in a folder without one. */
  readonly create: boolean;
  /** See `Store.close`. */
  readonly isLate?: () => boolean;
}

/** Does an operator's work. Rejects with HumanError 400 without a store, 503 if it is in use or doesn't respond. */
export async function useOperatorStore<Result>(
  { folder, assetsDir, databaseUrl, create, isLate }: OperatorStoreOptions,
  work: (store: Store) => Promise<Result>,
): Promise<Result> {
  if (databaseUrl !== undefined)
    return await useStore(
      () => openPostgresStore(new PostgresServer(databaseUrl, silentLog), systemClock, silentLog),
      work,
    );
  if (create)
    await folder.create().catch((cause: unknown) => {
      throw new HumanError(`Couldn't create the data folder ${folder.path}. Choose another with --data.`, {
        status: 400,
        cause,
      });
    });
  else if (!(await folder.hasDatabase()))
    throw new HumanError(
      `${folder.path} doesn't contain a store. Set the data folder of the service with --data, or its database with --database-url.`,
      { status: 400 },
    );
  const ownership = await ownDataFolder(folder);
  if ('address' in ownership)
    throw new HumanError(
      `A service (process ${String(ownership.address.pid)}) is using ${folder.path}. Stop it, then try again.`,
      { status: 503 },
    );
  try {
    return await useStore(
      () => openEmbeddedStore({ folder, assetsDir, log: silentLog, now: () => new Date() }),
      work,
      isLate,
    );
  } finally {
    await ownership.owner.release();
  }
}

async function useStore<Result>(
  open: () => Promise<Store>,
  work: (store: Store) => Promise<Result>,
  isLate?: () => boolean,
): Promise<Result> {
  const store = await open();
  try {
    return await work(store);
  } finally {
    await store.close(isLate);
  }
}
