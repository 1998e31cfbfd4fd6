import pg from 'pg';
import { HumanError } from '../../contract/errors.ts';
import type { Logger } from '../basics/log.ts';

/** Per process. A request waits for a connection, and gives up after a while. */
const connections = 16;
const connectMs = 15_000;

/** Reports a missing connection in words for people. */
class Pool extends pg.Pool {
  override connect(): Promise<pg.PoolClient>;
  override connect(callback: Parameters<pg.Pool['connect']>[0]): void;
  override connect(callback?: Parameters<pg.Pool['connect']>[0]): unknown {
    if (callback) {
      super.connect(callback);
      return undefined;
    }
    return super.connect().catch((error: unknown) => {
      throw storeUnreachable(error);
    });
  }
}

/** A shared Postgres server, by its address `postgres://user:password@host:port/database`. Connects on first use. */
export class PostgresServer {
  readonly config: pg.ClientConfig;
  readonly pool: pg.Pool;

  constructor(url: string, log: Logger) {
    if (!/^postgres(ql)?:\/\//.test(url) || !URL.canParse(url)) {
      throw new HumanError(
        "This isn't a valid database address. Use the form postgres://user:password@host:5432/database.",
        {
          status: 400,
          code: 'database_url',
        },
      );
    }
    const types = new pg.TypeOverrides();
    types.setTypeParser(pg.types.builtins.INT8, Number);
    this.config = {
      connectionString: url,
      application_name: 'dialtree',
      keepAlive: true,
      connectionTimeoutMillis: connectMs,
      // A machine that disappears during a transaction doesn't hold its locks for long.
      idle_in_transaction_session_timeout: 30_000,
      types,
    };
    this.pool = new Pool({ ...this.config, max: connections });
    // An error of an idle connection. The next request gets a new connection or the error.
    this.pool.on('error', (error) => log.warn({ err: error }, 'a connection to the database broke'));
  }

  async answers(): Promise<boolean> {
    return await this.pool.query('SELECT 1').then(
      () => true,
      () => false,
    );
  }
}

/** Socket errors, class 08 (connection), 57P (shutdown), 53300 (too many connections) (PostgreSQL, appendix A). */
const unreachableCodes = /^(?:E[A-Z_]+$|08|57P0|53300)/;

const isUnreachable = (error: unknown): boolean =>
  error instanceof Error &&
  (('code' in error && typeof error.code === 'string' && unreachableCodes.test(error.code)) ||
    (error instanceof AggregateError && error.errors.some(isUnreachable)) ||
    isBroken(error));

/** The connection ended during a query. The query may still have been executed. */
export const isBroken = (error: unknown): boolean =>
  error instanceof Error &&
  (/^(?:Connection terminated|timeout exceeded when trying to connect)/.test(error.message) ||
    (error instanceof pg.DatabaseError && unreachableCodes.test(error.code ?? '')));

export const storeUnreachable = (cause: unknown): HumanError =>
  new HumanError("The database isn't responding. Try again in a moment.", {
    status: 503,
    code: 'store_unreachable',
    cause,
  });

/** Explains why the first connection failed. Never shows the address as given, because it contains a password. */
export function explainRefusal(error: unknown, { config }: PostgresServer): unknown {
  const { host, port, pathname, username } = new URL(config.connectionString ?? '');
  const name = decodeURIComponent(pathname.slice(1));
  const place = `${host}${port === '' ? ':5432' : ''}`;
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  const text = code.startsWith('28')
    ? `The database at ${place} rejected the user "${decodeURIComponent(username)}" or its password. Check both in the database address.`
    : code === '3D000'
      ? `The database "${name}" doesn't exist at ${place}. Create it first: createdb ${name}`
      : isUnreachable(error)
        ? `Couldn't reach the database at ${place}. Check the address, and that Postgres is running there.`
        : undefined;
  return text === undefined ? error : new HumanError(text, { status: 503, code: 'store_unreachable', cause: error });
}
