import type { PGlite } from '@electric-sql/pglite';
import type { Logger } from '../basics/log.ts';
import { DiskSpace, diskFull, isDiskFull } from './diskSpace.ts';
import { Durability } from './durability.ts';
import type { DataFolder } from './folder.ts';
import { migrate } from './migrations.ts';
import { openPglite } from './openPglite.ts';
import { openDatabase, readSecret } from './store.ts';
import type { Store } from './store.ts';
import { GatedDialect, StoreGate } from './storeGate.ts';

interface EmbeddedStoreOptions {
  readonly folder: DataFolder;
  readonly assetsDir: string | undefined;
  readonly log: Logger;
  readonly now: () => Date;
  readonly freeBytes?: (directory: string) => Promise<number>;
}

const keptExports = 3;

/** Opens the store in a folder that the caller owns (`ownDataFolder`): PGlite, with one connection and process. */
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
  const gate = new StoreGate();
  const db = openDatabase(new GatedDialect({ pglite }, gate));
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
  /** Each part of the export blocks this thread, maybe for seconds, so it stops in between if time is short. */
  const writeExport = async (isLate: () => boolean): Promise<void> => {
    if (!changed || isLate()) return;
    await space.demand();
    // Postgres does this automatically, but the embedded engine doesn't. Without it, the planner has no statistics, and
    // dead rows stay.
    await pglite.exec('VACUUM (ANALYZE)');
    if (isLate()) return;
    await pglite.exec('CHECKPOINT');
    if (isLate()) return;
    changed = false;
    const archive = await pglite.dumpDataDir('gzip');
    await folder.writeExport(new Uint8Array(await archive.arrayBuffer()), now(), keptExports);
  };
  return {
    db,
    secret,
    notices: undefined,
    alone: (work) => work(),
    writeUnguarded: write,
    async write(work) {
      await space.demand();
      return await write(work);
    },
    sync: () => durability.sync(),
    export: () => gate.run(() => writeExport(() => false)),
    async close(isLate = () => false) {
      await gate.close();
      try {
        await writeExport(isLate);
      } catch (error) {
        log.error({ err: error }, 'the closing export was not written');
      }
      await pglite.close();
      await durability.sync();
    },
  };
}
