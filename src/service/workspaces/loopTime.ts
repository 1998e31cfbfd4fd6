import { AsyncLocalStorage } from 'node:async_hooks';
import { promiseHooks } from 'node:v8';
import { count } from '../../base/count.ts';
import type { Clock } from '../../base/clock.ts';
import { HumanError } from '../../contract/errors.ts';
import { serverLimits, tiers } from '../../contract/limits.ts';
import { networkOf, siteOf } from './networks.ts';
import type { Principal } from './principal.ts';

/** A workspace, or the address of a request without a key. */
type Payer = Pick<Principal, 'workspaceId' | 'tier'> | string;
/** `used` is a part of the share of a minute. */
interface Account {
  used: number;
  at: number;
}
interface Working {
  readonly account: Account;
  readonly shareMs: number;
  settled: boolean;
}

const aMinuteMs = 60_000;
/** If there are more, those that have recovered are removed. */
const mostAccounts = 10_000;

/**
 * Limits how long the requests of a workspace, or without a key of a network (IPv6 by /48), block the event loop. The
 * share of a minute recovers evenly. While requests are in progress, a hook finds the request of each promise callback
 * through its async context, and reads the clock when the request changes.
 */
export class LoopTime {
  readonly #clock: Pick<Clock, 'now'>;
  readonly #accounts = new Map<string, Account>();
  readonly #requests = new AsyncLocalStorage<Working>();
  #running: Working | undefined;
  #since = 0;
  #inProgress = 0;
  #removeHook: () => void = () => undefined;

  constructor(clock: Pick<Clock, 'now'>) {
    this.#clock = clock;
  }

  /**
   * Charges what `work` blocks until it settles. Later callbacks, such as those of a run that it started, are free.
   * @throws HumanError 429 `too_many_requests` if the share is used up
   */
  async charge<Result>(payer: Payer, work: () => Promise<Result>): Promise<Result> {
    const request = this.#requestOf(payer);
    const { used } = request.account;
    if (used >= 1) throw usedUp(Math.max(1, Math.ceil((used - 1) * 60)));
    this.#inProgress += 1;
    if (this.#inProgress === 1)
      this.#removeHook = promiseHooks.onBefore(() => {
        const next = this.#requests.getStore();
        if (next !== this.#running) this.#change(next);
      }) as () => void;
    try {
      return await this.#requests.run(request, () => {
        this.#change(request);
        return work();
      });
    } finally {
      request.settled = true;
      this.#inProgress -= 1;
      if (this.#inProgress === 0) this.#removeHook();
    }
  }

  #change(next: Working | undefined): void {
    const now = this.#clock.now();
    if (this.#running?.settled === false)
      recover(this.#running.account, now).used += (now - this.#since) / this.#running.shareMs;
    this.#running = next;
    this.#since = now;
    // Runs after the last promise callback of this turn. Whose work comes next isn't known.
    if (next) process.nextTick(() => this.#change(undefined));
  }

  #requestOf(payer: Payer): Working {
    const now = this.#clock.now();
    if (this.#accounts.size > mostAccounts)
      for (const [key, account] of this.#accounts) if (recover(account, now).used === 0) this.#accounts.delete(key);
    const isVisit = typeof payer === 'string';
    const key = isVisit ? (siteOf(networkOf(payer)) ?? networkOf(payer)) : payer.workspaceId;
    const account = this.#accounts.get(key) ?? { used: 0, at: now };
    this.#accounts.set(key, account);
    const shareMs = isVisit ? serverLimits.visitLoopMsPerMinute : tiers[payer.tier].loopMsPerMinute;
    return { account: recover(account, now), shareMs, settled: false };
  }
}

function recover(account: Account, now: number): Account {
  account.used = Math.max(0, account.used - (now - account.at) / aMinuteMs);
  account.at = now;
  return account;
}

function usedUp(retryAfterSeconds: number): HumanError {
  const wait = count(retryAfterSeconds, 'second');
  return new HumanError(`Your requests keep the server too busy. Send smaller ones, and try again in ${wait}.`, {
    status: 429,
    code: 'too_many_requests',
    retryAfterSeconds,
  });
}
