import { inMinutes } from '../basics/inMinutes.ts';
import { RateLimiterRes } from 'rate-limiter-flexible';
import type { RateLimiterAbstract } from 'rate-limiter-flexible';
import { HumanError } from '../../contract/errors.ts';
import { NetworkCount } from '../workspaces/requestCounts.ts';
import type { CountUses } from '../workspaces/requestCounts.ts';

const wrongTries = { points: 10, duration: 900 };

/** Limits wrong passwords in a quarter of an hour, per network and per e-mail address. */
export class TryLimit {
  readonly #byNetwork: NetworkCount;
  readonly #byEmail: RateLimiterAbstract;

  constructor(countUses: CountUses) {
    this.#byNetwork = new NetworkCount(countUses, { ...wrongTries, keyPrefix: 'network' });
    this.#byEmail = countUses({ ...wrongTries, keyPrefix: 'email' });
  }

  /** Counts an attempt before its password is checked: simultaneous ones gain nothing. Rejects with HumanError 429. */
  async count(address: string, email: string): Promise<void> {
    try {
      await this.#byNetwork.consume(address);
      await this.#byEmail.consume(email);
    } catch (error) {
      if (!(error instanceof RateLimiterRes)) throw error;
      const retryAfterSeconds = Math.max(1, Math.ceil(error.msBeforeNext / 1000));
      throw new HumanError(`You entered too many wrong passwords. Try again in ${inMinutes(retryAfterSeconds)}.`, {
        status: 429,
        code: 'too_many_tries',
        retryAfterSeconds,
      });
    }
  }

  /** The password was right, so the attempt doesn't count. */
  async forgive(address: string, email: string): Promise<void> {
    await this.#byNetwork.reward(address);
    await this.#byEmail.reward(email);
  }
}
