import { RateLimiterMemory, RateLimiterPostgres } from 'rate-limiter-flexible';
import type { RateLimiterAbstract } from 'rate-limiter-flexible';
import { serverLimits } from '../../contract/limits.ts';
import type { PostgresServer } from '../store/postgresServer.ts';
import { networkOf, siteOf } from './networks.ts';

/** `points` uses in `duration` seconds. `keyPrefix` distinguishes kinds of uses. */
export interface Allowance {
  readonly points: number;
  readonly duration: number;
  readonly keyPrefix: string;
}

/** Creates a counter of uses, for one process or for all that share a database. */
export type CountUses = (allowance: Allowance) => RateLimiterAbstract;

export const countInMemory: CountUses = (allowance) => new RateLimiterMemory(allowance);

/** Counts in the table `request_counts`. While the database doesn't respond, each process counts for itself. */
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

/** Counts uses by network address: of a network, and a few times as many of the site around it. */
export class NetworkCount {
  readonly #networks: RateLimiterAbstract;
  readonly #sites: RateLimiterAbstract;

  constructor(countUses: CountUses, allowance: Allowance) {
    this.#networks = countUses(allowance);
    this.#sites = countUses({
      ...allowance,
      points: allowance.points * serverLimits.networksOfSite,
      keyPrefix: `${allowance.keyPrefix}-site`,
    });
  }

  /** Rejects like `consume` of rate-limiter-flexible. */
  async consume(address: string): Promise<void> {
    const network = networkOf(address);
    const site = siteOf(network);
    await this.#networks.consume(network);
    if (site !== undefined) await this.#sites.consume(site);
  }

  async reward(address: string): Promise<void> {
    const network = networkOf(address);
    const site = siteOf(network);
    await this.#networks.reward(network);
    if (site !== undefined) await this.#sites.reward(site);
  }
}
