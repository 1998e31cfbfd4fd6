import type { Clock } from '../../base/clock.ts';
import { inTime } from '../../base/clock.ts';
import type { Dialog } from './dialog.ts';
import type { CallerAccount } from '../call.ts';
import type { PublicLocal } from './nat.ts';
import type { SipPeer } from './transport.ts';

/**
 * Where a request goes, and the address for the peer's response. `taken`: over a connection that the peer opened, which
 * can't be opened again from here.
 */
export interface Hop extends PublicLocal {
  readonly peer: SipPeer;
  readonly way: Way;
  readonly taken?: boolean;
}

/** What a line says about its way to the other side. */
export type Way = Pick<CallerAccount, 'nat' | 'clientCertificate' | 'outboundProxy'>;

/** Each uses one of the four threads that also read the process's files. */
const MOST_AT_ONCE = 2;
const MOST_WAITING = 64;
/** Less than a hang-up takes at most, so that its BYE is still sent. */
const WAIT_MS = 1000;

/**
 * Looks up the addresses that peers give, once for each address of a dialog. A few names are looked up simultaneously,
 * and none is waited for long.
 */
export class TargetLookups {
  readonly #clock: Clock;
  readonly #found = new WeakMap<Dialog, { readonly uri: string; readonly hop: Promise<Hop> }>();
  readonly #waiting = new Set<() => void>();
  /** Waiting and active lookups, by name. */
  readonly #running = new Map<string, Promise<Hop>>();
  #busy = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** `name`: what is looked up; undefined for an address. Rejects without an address in time; a later one may come. */
  find(dialog: Dialog, name: string | undefined, lookUp: () => Promise<Hop>): Promise<Hop> {
    const uri = dialog.nextHop;
    let found = this.#found.get(dialog);
    if (found?.uri !== uri) {
      found = { uri, hop: name === undefined ? lookUp() : this.#shared(name, lookUp) };
      this.#found.set(dialog, found);
    }
    return inTime(this.#clock, WAIT_MS, found.hop, new Error('the host name was not found in time'));
  }

  /** Calls of a load test look up the same name at the same time. */
  #shared(name: string, lookUp: () => Promise<Hop>): Promise<Hop> {
    let hop = this.#running.get(name);
    if (!hop) {
      hop = this.#inTurn(lookUp).finally(() => {
        this.#running.delete(name);
      });
      this.#running.set(name, hop);
    }
    return hop;
  }

  async #inTurn(lookUp: () => Promise<Hop>): Promise<Hop> {
    if (this.#busy < MOST_AT_ONCE) this.#busy++;
    // A completed lookup passes on its place.
    else await this.#turn();
    try {
      return await lookUp();
    } finally {
      const [next] = this.#waiting;
      if (next) next();
      else this.#busy--;
    }
  }

  /** Rejects if it comes too late for its requests. */
  #turn(): Promise<void> {
    if (this.#waiting.size >= MOST_WAITING) return Promise.reject(new Error('too many host names to look up'));
    return new Promise((resolve, reject) => {
      const begin = (): void => {
        this.#clock.clearTimeout(timer);
        this.#waiting.delete(begin);
        resolve();
      };
      const timer = this.#clock.setTimeout(() => {
        this.#waiting.delete(begin);
        reject(new Error('the host name waited too long to be looked up'));
      }, WAIT_MS);
      this.#waiting.add(begin);
    });
  }
}
