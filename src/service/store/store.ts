import { randomBytes } from 'node:crypto';
import type { Dialect, Transaction } from 'kysely';
import { Kysely } from 'kysely';
import type { StoreNotices } from './notices.ts';
import type { Database } from './schema.ts';

/** The open store: one database, written durably. */
export interface Store {
  readonly db: Kysely<Database>;
  /** Messages between the processes on this store; undefined if there is only one process. */
  readonly notices: StoreNotices | undefined;
  /** Signs what leaves the service and comes back: cursors and addresses of recordings. */
  readonly secret: Buffer;
  /**
   * Runs `work` in one transaction. Refuses if the disk is nearly full. Inside, only `transaction` may be used, because
   * the embedded database has one connection.
   */
  write<Result>(work: (transaction: Transaction<Database>) => Promise<Result>): Promise<Result>;
  /** Like `write`, but uses the space that `write` keeps free: for the end of a run. */
  writeUnguarded<Result>(work: (transaction: Transaction<Database>) => Promise<Result>): Promise<Result>;
  /** Runs `work` while no other process on this store runs any. */
  alone<Result>(work: () => Promise<Result>): Promise<Result>;
  /** Resolves when committed data is on the disk. */
  sync(): Promise<void>;
  /** Writes a copy beside the store, if anything changed since the last one. A server has its own backups. */
  export(): Promise<void>;
  /** Refuses new requests with HumanError `stopping`, lets active ones finish, and exports unless `isLate`. */
  close(isLate?: () => boolean): Promise<void>;
}

/** The same schema on any Postgres: only the dialect differs. */
export const openDatabase = (dialect: Dialect): Kysely<Database> => new Kysely<Database>({ dialect });

/** Created by the first process on a store, and shared by all of them. */
export async function readSecret(db: Kysely<Database>): Promise<Buffer> {
  await db
    .insertInto('settings')
    .values({ name: 'secret', value: randomBytes(32).toString('base64') })
    .onConflict((conflict) => conflict.column('name').doNothing())
    .execute();
  const row = await db.selectFrom('settings').select('value').where('name', '=', 'secret').executeTakeFirstOrThrow();
  return Buffer.from(row.value, 'base64');
}
