import type { Clock } from '../../base/clock.ts';
import type { Hop } from './targetLookups.ts';
import type { SipPeer } from './transport.ts';

/** How long a request waits for a server's first response if it can try another one, in ms. */
export const SERVER_WAIT_MS = 2000;
/** A server that failed is tried last for this long. */
const DEAD_MS = 60_000;

/** Rejects if there is no connection within `limitMs`. */
type Connect = (peer: SipPeer, limitMs: number | undefined) => Promise<Hop>;

/** The servers of one request, which are tried in turn (RFC 3263 section 4.3). */
export class Failover {
  readonly #left: SipPeer[];
  readonly #connect: Connect;
  readonly #clock: Clock;
  readonly #deadUntil: Map<string, number>;

  /** `deadUntil`: by server, for all requests over one transport. */
  constructor(peers: readonly SipPeer[], connect: Connect, clock: Clock, deadUntil: Map<string, number>) {
    for (const [key, until] of deadUntil) if (until <= clock.now()) deadUntil.delete(key);
    this.#left = peers.toSorted((a, b) => Number(deadUntil.has(keyOf(a))) - Number(deadUntil.has(keyOf(b))));
    this.#connect = connect;
    this.#clock = clock;
    this.#deadUntil = deadUntil;
  }

  get hasNext(): boolean {
    return this.#left.length > 0;
  }

  /** The server of this hop is the next one, because its connection broke. */
  again({ peer }: Hop): void {
    this.#left.unshift(peer);
  }

  /** Returns the hop to the next server that accepts a connection. Rejects with the error of the last one. */
  async next(): Promise<Hop> {
    for (;;) {
      const peer = this.#left.shift();
      if (!peer) throw new Error('there is no other server');
      try {
        return await this.#connect(peer, this.hasNext ? SERVER_WAIT_MS : undefined);
      } catch (error) {
        if (!this.failed({ peer })) throw error;
      }
    }
  }

  /** This server doesn't respond, or said 503. Returns true if another one can be tried. */
  failed({ peer }: Pick<Hop, 'peer'>): boolean {
    this.#deadUntil.set(keyOf(peer), this.#clock.now() + DEAD_MS);
    return this.hasNext;
  }
}

const keyOf = ({ host, port }: SipPeer): string => `${host} ${String(port)}`;
