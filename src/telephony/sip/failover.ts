import type { Clock } from '../../base/clock.ts';
import type { Hop } from './targetLookups.ts';
import type { SipPeer, SipProtocol } from './transport.ts';

/** How long a request waits for a server's first response if it can try another one, in ms. */
export const SERVER_WAIT_MS = 2000;
/** A server that didn't respond is tried last for this long. */
const DEAD_MS = 60_000;
const MOST_DEAD = 256;

/** Servers that didn't respond lately, so that the next call begins with one that does. */
export class DeadServers {
  readonly #clock: Clock;
  readonly #until = new Map<string, number>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  add(protocol: SipProtocol, peer: SipPeer): void {
    const now = this.#clock.now();
    for (const [key, until] of this.#until) if (until <= now || this.#until.size >= MOST_DEAD) this.#until.delete(key);
    this.#until.set(keyOf(protocol, peer), now + DEAD_MS);
  }

  /** Returns the same peers, with the dead ones at the end. */
  last(protocol: SipProtocol, peers: readonly SipPeer[]): readonly SipPeer[] {
    const isDead = (peer: SipPeer): boolean => (this.#until.get(keyOf(protocol, peer)) ?? 0) > this.#clock.now();
    return [...peers.filter((peer) => !isDead(peer)), ...peers.filter(isDead)];
  }
}

/** The servers of one request, which are tried in turn (RFC 3263 section 4.3). */
export class Failover {
  readonly #protocol: SipProtocol;
  readonly #left: SipPeer[];
  readonly #connect: (peer: SipPeer) => Promise<Hop>;
  readonly #dead: DeadServers;

  constructor(
    protocol: SipProtocol,
    peers: readonly SipPeer[],
    connect: (peer: SipPeer) => Promise<Hop>,
    dead: DeadServers,
  ) {
    this.#protocol = protocol;
    this.#left = [...dead.last(protocol, peers)];
    this.#connect = connect;
    this.#dead = dead;
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
        return await this.#connect(peer);
      } catch (error) {
        this.#dead.add(this.#protocol, peer);
        if (!this.hasNext) throw error;
      }
    }
  }

  /**
   * Makes an attempt with each server until one is alive, and returns the last result. `limitMs`: how long to wait for a
   * response, if there is another server.
   */
  async tryEach<Result>(
    attempt: (hop: Hop, limitMs: number | undefined) => Promise<Result>,
    isDead: (result: Result) => boolean,
  ): Promise<Result> {
    for (;;) {
      const hop = await this.next();
      const result = await attempt(hop, this.hasNext ? SERVER_WAIT_MS : undefined);
      if (!isDead(result) || !this.failed(hop)) return result;
    }
  }

  /** The server of this hop doesn't respond, or said 503. Returns true if another one can be tried. */
  failed({ peer }: Hop): boolean {
    this.#dead.add(this.#protocol, peer);
    return this.hasNext;
  }
}

const keyOf = (protocol: SipProtocol, { host, port }: SipPeer): string => `${protocol} ${host} ${String(port)}`;
