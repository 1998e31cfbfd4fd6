import { PostgresDialect } from 'kysely';
import type { Clock } from '../../base/clock.ts';
import type { Logger } from '../basics/log.ts';
import { migrate } from './migrations.ts';
import { PostgresNotices } from './postgresNotices.ts';
import { explainRefusal } from './postgresServer.ts';
import type { PostgresServer } from './postgresServer.ts';
import { openDatabase, readSecret } from './store.ts';
import type { Store } from './store.ts';

/** Opens the store on a Postgres server, for any number of processes. Rejects with HumanError `store_unreachable`. */
export async function openPostgresStore(server: PostgresServer, clock: Clock, log: Logger): Promise<Store> {
  const { pool } = server;
  const db = openDatabase(new PostgresDialect({ pool }));
  let notices: PostgresNotices | undefined;
  try {
    await pool.query('SELECT 1');
    // Under the migrator's lock: if several processes start simultaneously, one does the work and the others find it
    // done.
    await migrate(db);
    const secret = await readSecret(db);
    const opened = (notices = await PostgresNotices.open(server.config, pool, clock, log));
    const write: Store['write'] = (work) => db.transaction().execute(work);
    return {
      db,
      secret,
      notices,
      alone: (work) => alone(server, work),
      write,
      writeUnguarded: write,
      // A server's commit is on its disk.
      sync: () => Promise.resolve(),
      export: () => Promise.resolve(),
      async close() {
        await opened.close();
        await db.destroy();
      },
    };
  } catch (error) {
    await notices?.close();
    await db.destroy();
    throw explainRefusal(error, server);
  }
}

/** Any number that no other program on the database uses for locks. */
const lockKey = 73_102_401;

async function alone<Result>({ pool }: PostgresServer, work: () => Promise<Result>): Promise<Result> {
  const client = await pool.connect();
  try {
    await client.query('SELECT pg_advisory_lock($1)', [lockKey]);
    const result = await work();
    await client.query('SELECT pg_advisory_unlock($1)', [lockKey]);
    client.release();
    return result;
  } catch (error) {
    // Closing the connection releases the lock.
    client.release(true);
    throw error;
  }
}
