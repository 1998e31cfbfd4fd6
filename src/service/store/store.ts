import { randomBytes } from 'node:crypto';
import type { PGlite } from '@electric-sql/pglite';
import type { Dialect, Transaction } from 'kysely';
import { Kysely, PGliteDialect } from 'kysely';
import { fromKysely, fromPglite } from 'pg-boss';
import type { Db as QueueDatabase } from 'pg-boss';
import type { Logger } from '../log.ts';
import { DiskSpace, diskFull, isDiskFull } from './diskSpace.ts';
import { Durability } from './durability.ts';
import type { DataFolder } from './folder.ts';
import { migrate } from './migrations.ts';
import { openPglite } from './openPglite.ts';
import type { Database } from './schema.ts';

export interface StoreOptions {
  readonly folder: DataFolder;
  readonly assetsDir: string | undefined;
  readonly log: Logger;
  readonly now: () => Date;
  readonly freeBytes?: (directory: string) => Promise<number>;
}

/** The open store: one database, written durably. The queue shares it, and its transactions. */
export interface Store {
  readonly db: Kysely<Database>;
  readonly queueDatabase: QueueDatabase;
  /** Signs what leaves the service and comes back: cursors and addresses of recordings. */
  readonly secret: Buffer;
  /** Runs `work` in one transaction; refuses when the disk is nearly full. Inside, only `transaction` may be used: the database has one connection. */
  write<Result>(work: (transaction: Transaction<Database>) => Promise<Result>): Promise<Result>;
  /** As `write`, into the room that `write` keeps free: for the end of a run. */
  writeUnguarded<Result>(work: (transaction: Transaction<Database>) => Promise<Result>): Promise<Result>;
  queueIn(transaction: Transaction<Database>): QueueDatabase;
  /** Settles when what is committed is on the disk. */
  sync(): Promise<void>;
  /** Writes a copy beside the store, if anything changed since the last one. */
  export(): Promise<void>;
  close(): Promise<void>;
}

const keptExports = 3;

export async function openStore(options: StoreOptions): Promise<Store> {
  const pglite = await openPglite(options);
  try {
    return await prepare(pglite, options);
  } catch (error) {
    await pglite.close().catch(() => undefined);
    throw error;
  }
}

async function prepare(pglite: PGlite, { folder, log, now, freeBytes }: StoreOptions): Promise<Store> {
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
    await pglite.exec('CHECKPOINT');
    const archive = await pglite.dumpDataDir('gzip');
    await folder.writeExport(new Uint8Array(await archive.arrayBuffer()), now(), keptExports);
  };
  return {
    db, secret,
    queueDatabase: fromPglite(pglite),
    queueIn: fromKysely,
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

/** The same schema on any Postgres: the dialect is the only difference. */
export const openDatabase = (dialect: Dialect): Kysely<Database> => new Kysely<Database>({ dialect });

async function readSecret(db: Kysely<Database>): Promise<Buffer> {
  await db.insertInto('settings').values({ name: 'secret', value: randomBytes(32).toString('base64') })
    .onConflict((conflict) => conflict.column('name').doNothing()).execute();
  const row = await db.selectFrom('settings').select('value').where('name', '=', 'secret').executeTakeFirstOrThrow();
  return Buffer.from(row.value, 'base64');
}
