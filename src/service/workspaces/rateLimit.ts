import { RateLimiterRes } from 'rate-limiter-flexible';
import type { RateLimiterAbstract } from 'rate-limiter-flexible';
import { tiers } from '../../contract/limits.ts';
import type { Tier } from '../../contract/limits.ts';
import type { Principal } from './principal.ts';
import type { CountUses } from './requestCounts.ts';

/** Requests a minute of a workspace, by its tier; all keys of a workspace share them. */
export class RateLimit {
  readonly #limiters: Readonly<Record<Tier, RateLimiterAbstract>>;

  constructor(countUses: CountUses) {
    const limiter = (tier: Tier): RateLimiterAbstract =>
      countUses({ points: tiers[tier].requestsPerMinute, duration: 60, keyPrefix: tier });
    this.#limiters = {
      free: limiter('free'),
      starter: limiter('starter'),
      team: limiter('team'),
      enterprise: limiter('enterprise'),
    };
  }

  /** Counts a request; false where it is one too many in this minute. */
  async allows({ workspaceId, tier }: Principal): Promise<boolean> {
    try {
      await this.#limiters[tier].consume(workspaceId);
      return true;
    } catch (error) {
      if (error instanceof RateLimiterRes) return false;
      throw error;
    }
  }
}
