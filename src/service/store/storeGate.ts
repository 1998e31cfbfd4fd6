import type { DatabaseConnection, Driver, PGliteDialectConfig } from 'kysely';
import { PGliteDialect, PGliteDriver } from 'kysely';
import { HumanError } from '../../contract/errors.ts';

/** The error for a request that comes too late. */
export const serviceStopping = (): HumanError =>
  new HumanError('The service is shutting down. Start it again, then repeat the request.', {
    status: 503,
    code: 'stopping',
  });
export const isStopping = (error: unknown): boolean => error instanceof HumanError && error.code === 'stopping';

/**
 * Admits nothing to the embedded database once it is closing, and waits for everything inside. Otherwise, a transaction
 * that begins too late never settles, and its unhandled failure would end the process.
 */
export class StoreGate {
  #inside = 0;
  #closed = false;
  #onEmpty: () => void = () => undefined;

  /** Returns false if it is too late. */
  enter(): boolean {
    if (this.#closed) return false;
    this.#inside += 1;
    return true;
  }

  leave(): void {
    this.#inside -= 1;
    if (this.#inside === 0) this.#onEmpty();
  }

  async run<Result>(work: () => Promise<Result>): Promise<Result> {
    if (!this.enter()) throw serviceStopping();
    try {
      return await work();
    } finally {
      this.leave();
    }
  }

  /** Resolves when everything inside has left. */
  async close(): Promise<void> {
    this.#closed = true;
    if (this.#inside > 0)
      await new Promise<void>((settle) => {
        this.#onEmpty = settle;
      });
  }
}

export class GatedDialect extends PGliteDialect {
  readonly #config: PGliteDialectConfig;
  readonly #gate: StoreGate;

  constructor(config: PGliteDialectConfig, gate: StoreGate) {
    super(config);
    this.#config = config;
    this.#gate = gate;
  }

  override createDriver(): Driver {
    return new GatedDriver(this.#config, this.#gate);
  }
}

/** Refuses each query. Kysely waits forever after a failure to get a connection, so late requests get this one. */
const refusing: DatabaseConnection = {
  executeQuery: () => Promise.reject(serviceStopping()),
  streamQuery: () => {
    throw serviceStopping();
  },
};

class GatedDriver extends PGliteDriver {
  readonly #gate: StoreGate;

  constructor(config: PGliteDialectConfig, gate: StoreGate) {
    super(config);
    this.#gate = gate;
  }

  override async acquireConnection(): Promise<DatabaseConnection> {
    return this.#gate.enter() ? await super.acquireConnection() : refusing;
  }

  override async beginTransaction(connection: Parameters<PGliteDriver['beginTransaction']>[0]): Promise<void> {
    if (isRefusing(connection)) throw serviceStopping();
    await super.beginTransaction(connection);
  }

  override async releaseConnection(connection?: DatabaseConnection): Promise<void> {
    await super.releaseConnection();
    if (connection !== refusing) this.#gate.leave();
  }
}

const isRefusing = (connection: DatabaseConnection): boolean => connection === refusing;
