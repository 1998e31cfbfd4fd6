import { RateLimiterRes } from 'rate-limiter-flexible';
import type { RateLimiterAbstract } from 'rate-limiter-flexible';
import { serverLimits, tiers } from '../../contract/limits.ts';
import type { Tier } from '../../contract/limits.ts';
import type { Principal } from './principal.ts';
import { NetworkCount } from './requestCounts.ts';
import type { CountUses } from './requestCounts.ts';

const aMinute = 60;

/** Requests per minute: of a workspace by its tier, for all its keys; without a valid key, by network. */
export class RateLimit {
  readonly #limiters: Readonly<Record<Tier, RateLimiterAbstract>>;
  readonly #visits: NetworkCount;

  constructor(countUses: CountUses) {
    const limiter = (tier: Tier): RateLimiterAbstract =>
      countUses({ points: tiers[tier].requestsPerMinute, duration: aMinute, keyPrefix: tier });
    this.#limiters = {
      free: limiter('free'),
      starter: limiter('starter'),
      team: limiter('team'),
      enterprise: limiter('enterprise'),
    };
    this.#visits = new NetworkCount(countUses, {
      points: serverLimits.visitsPerMinute,
      duration: aMinute,
      keyPrefix: 'visits',
    });
  }

  /** Counts requests that a workspace sends together or not at all. Returns the seconds until it may, or 0. */
  take({ workspaceId, tier }: Pick<Principal, 'workspaceId' | 'tier'>, requests = 1): Promise<number> {
    return secondsToWait(this.#limiters[tier].consume(workspaceId, requests));
  }

  /** The same for a request without a valid key, from this network address. */
  takeVisit(address: string): Promise<number> {
    return secondsToWait(this.#visits.consume(address));
  }
}

async function secondsToWait(counting: Promise<unknown>): Promise<number> {
  try {
    await counting;
    return 0;
  } catch (error) {
    if (error instanceof RateLimiterRes) return Math.max(1, Math.ceil(error.msBeforeNext / 1000));
    throw error;
  }
}
