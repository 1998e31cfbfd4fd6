import { randomBytes } from 'node:crypto';
import type { Dialect, Transaction } from 'kysely';
import { Kysely } from 'kysely';
import type { Db as QueueDatabase } from 'pg-boss';
import type { Notices } from './notices.ts';
import type { Database } from './schema.ts';

/** The open store: one database, written durably. The queue shares it, and its transactions. */
export interface Store {
  readonly db: Kysely<Database>;
  readonly queueDatabase: QueueDatabase;
  /** How the processes on this store speak with each other; undefined where it has one process only. */
  readonly notices: Notices | undefined;
  /** Signs what leaves the service and comes back: cursors and addresses of recordings. */
  readonly secret: Buffer;
  /**
   * Runs `work` in one transaction; refuses when the disk is nearly full. Inside, only `transaction` may be used: the
   * embedded database has one connection.
   */
  write<Result>(work: (transaction: Transaction<Database>) => Promise<Result>): Promise<Result>;
  /** As `write`, into the room that `write` keeps free: for the end of a run. */
  writeUnguarded<Result>(work: (transaction: Transaction<Database>) => Promise<Result>): Promise<Result>;
  /** Runs `work` while no other process on this store runs any. */
  alone<Result>(work: () => Promise<Result>): Promise<Result>;
  queueIn(transaction: Transaction<Database>): QueueDatabase;
  /** Settles when what is committed is on the disk. */
  sync(): Promise<void>;
  /**
   * Writes a copy beside the store, if anything changed since the last one. A database server is backed up by its own
   * means.
   */
  export(): Promise<void>;
  /**
   * Refuses what comes from now on with HumanError `stopping`, and lets what is under way finish. The last copy is left
   * out where `isLate` says so.
   */
  close(isLate?: () => boolean): Promise<void>;
}

/** The same schema on any Postgres: the dialect is the only difference. */
export const openDatabase = (dialect: Dialect): Kysely<Database> => new Kysely<Database>({ dialect });

/** Made by the first process on a store, the same for all of them. */
export async function readSecret(db: Kysely<Database>): Promise<Buffer> {
  await db
    .insertInto('settings')
    .values({ name: 'secret', value: randomBytes(32).toString('base64') })
    .onConflict((conflict) => conflict.column('name').doNothing())
    .execute();
  const row = await db.selectFrom('settings').select('value').where('name', '=', 'secret').executeTakeFirstOrThrow();
  return Buffer.from(row.value, 'base64');
}
