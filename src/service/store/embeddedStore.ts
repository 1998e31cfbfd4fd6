import type { PGlite } from '@electric-sql/pglite';
import { PGliteDialect } from 'kysely';
import { fromKysely, fromPglite } from 'pg-boss';
import type { Logger } from '../log.ts';
import { DiskSpace, diskFull, isDiskFull } from './diskSpace.ts';
import { Durability } from './durability.ts';
import type { DataFolder } from './folder.ts';
import { migrate } from './migrations.ts';
import { openPglite } from './openPglite.ts';
import { openDatabase, readSecret } from './store.ts';
import type { Store } from './store.ts';

export interface EmbeddedStoreOptions {
  readonly folder: DataFolder;
  readonly assetsDir: string | undefined;
  readonly log: Logger;
  readonly now: () => Date;
  readonly freeBytes?: (directory: string) => Promise<number>;
}

const keptExports = 3;

/** The store in a data folder: PGlite, which has one connection and one process. Its caller owns the folder (`ownDataFolder`). */
export async function openEmbeddedStore(options: EmbeddedStoreOptions): Promise<Store> {
  const pglite = await openPglite(options);
  try {
    return await prepare(pglite, options);
  } catch (error) {
    await pglite.close().catch(() => undefined);
    throw error;
  }
}

async function prepare(pglite: PGlite, { folder, log, now, freeBytes }: EmbeddedStoreOptions): Promise<Store> {
  const space = new DiskSpace(folder.path, freeBytes);
  const durability = new Durability(folder.database);
  const db = openDatabase(new PGliteDialect({ pglite }));
  await migrate(db);
  const secret = await readSecret(db);
  await durability.sync();
  let changed = false;
  const write: Store['writeUnguarded'] = async (work) => {
    changed = true;
    try {
      return await db.transaction().execute(work);
    } catch (error) {
      throw isDiskFull(error) ? diskFull(folder.path, error) : error;
    }
  };
  const writeExport = async (): Promise<void> => {
    if (!changed) return;
    await space.demand();
    changed = false;
    // The embedded engine has nobody who does this by himself: without it the planner knows nothing, and dead rows stay.
    await pglite.exec('VACUUM (ANALYZE)');
    await pglite.exec('CHECKPOINT');
    const archive = await pglite.dumpDataDir('gzip');
    await folder.writeExport(new Uint8Array(await archive.arrayBuffer()), now(), keptExports);
  };
  return {
    db,
    secret,
    notices: undefined,
    queueDatabase: fromPglite(pglite),
    queueIn: fromKysely,
    alone: (work) => work(),
    writeUnguarded: write,
    async write(work) {
      await space.demand();
      return await write(work);
    },
    sync: () => durability.sync(),
    export: writeExport,
    async close() {
      try {
        await writeExport();
      } catch (error) {
        log.error({ err: error }, 'the closing export was not written');
      }
      await pglite.close();
      await durability.sync();
    },
  };
}
