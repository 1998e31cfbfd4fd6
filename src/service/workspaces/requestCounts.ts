import { RateLimiterMemory, RateLimiterPostgres } from 'rate-limiter-flexible';
import type { RateLimiterAbstract } from 'rate-limiter-flexible';
import type { PostgresServer } from '../store/postgresServer.ts';

/** `points` uses in `duration` seconds; `keyPrefix` tells one kind of use from another. */
export interface Allowance {
  readonly points: number;
  readonly duration: number;
  readonly keyPrefix: string;
}

/** Makes what counts uses, for one process or for all that share a database. */
export type CountUses = (allowance: Allowance) => RateLimiterAbstract;

export const countInMemory: CountUses = (allowance) => new RateLimiterMemory(allowance);

/** Counts in the table `request_counts`. While the database does not answer, each process counts for itself. */
export const countInPostgres =
  (server: PostgresServer): CountUses =>
  (allowance) =>
    new RateLimiterPostgres({
      ...allowance,
      storeClient: server.pool,
      storeType: 'pool',
      tableName: 'request_counts',
      tableCreated: true,
      insuranceLimiter: new RateLimiterMemory(allowance),
    });
