import type { MediaSocket, OpenMediaSocket } from '../../src/telephony/rtp/mediaSocket.ts';
import { isRtcp } from '../../src/telephony/rtp/rtcp.ts';
import { Pacer } from '../../src/telephony/rtp/pacer.ts';
import type { SipAgentParts } from '../../src/telephony/agent.ts';
import { createSipAgent } from '../../src/telephony/agent.ts';
import type { SipAgent } from '../../src/telephony/call.ts';
import type { SipPeer, SipTransport, SipTransportListener } from '../../src/telephony/sip/transport.ts';
import type { Clock } from '../../src/base/clock.ts';

export interface LinkFaults {
  /** The share of lost datagrams, 0 to 1. */
  readonly loss?: number;
  /** Each datagram takes a random time within these limits, so they can overtake each other. */
  readonly minDelayMs?: number;
  readonly maxDelayMs?: number;
  readonly seed?: number;
}

/** Mulberry32: small, seeded, and good enough to choose lost packets. */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** An in-memory network on a test's clock: every host reaches every other, with random faults. */
export class TelephonyLink {
  readonly clock: Clock;
  readonly #random: () => number;
  readonly #faults: LinkFaults;
  readonly #sockets = new Map<string, (datagram: Uint8Array, from: SipPeer) => void>();
  #nextPort = 20_000;

  constructor(clock: Clock, faults: LinkFaults = {}) {
    this.clock = clock;
    this.#faults = faults;
    this.#random = seededRandom(faults.seed ?? 1);
  }

  agent(host: string, options: Partial<SipAgentParts> = {}): SipAgent {
    return createSipAgent({
      address: { host, port: 5060 },
      transports: [this.transport(host, 5060)],
      openMedia: this.media(host),
      clock: this.clock,
      pacer: new Pacer(this.clock, (play) => play()),
      ...options,
    });
  }

  transport(host: string, port: number): SipTransport {
    const address = { host, port };
    let listener: SipTransportListener | undefined;
    this.#sockets.set(`${host}:${String(port)}`, (datagram, from) => {
      listener?.onMessage(datagram, from);
    });
    return {
      protocol: 'UDP',
      reliable: false,
      send: (message, peer) => this.deliver(Uint8Array.from(message), address, peer),
      reaches: () => true,
      hold: () => () => undefined,
      listen: (to) => {
        listener = to;
      },
      localFor: () => Promise.resolve({ protocol: 'UDP', ...address }),
      resolve: (to, toPort) => Promise.resolve([{ host: to, port: toPort ?? 5060 }]),
      refuses: () => Promise.resolve(false),
      close: () => {
        this.#sockets.delete(`${host}:${String(port)}`);
        return Promise.resolve();
      },
    };
  }

  /** Receives the datagrams for an address without a transport. */
  listenAt(host: string, port: number, onDatagram: (datagram: Uint8Array, from: SipPeer) => void): void {
    this.#sockets.set(`${host}:${String(port)}`, onDatagram);
  }

  media(host: string): OpenMediaSocket {
    return (onDatagram) => {
      const port = (this.#nextPort += 2);
      const key = `${host}:${String(port)}`;
      this.#sockets.set(key, (datagram, from) => onDatagram(datagram, from.host, from.port));
      const socket: MediaSocket = {
        port,
        send: (datagram, toHost, toPort) =>
          this.deliver(Uint8Array.from(datagram), { host, port }, { host: toHost, port: toPort }),
        close: () => {
          this.#sockets.delete(key);
        },
      };
      return Promise.resolve(socket);
    };
  }

  deliver(datagram: Uint8Array, from: SipPeer, to: SipPeer): void {
    const { loss = 0, minDelayMs = 1, maxDelayMs = minDelayMs } = this.#faults;
    // RTCP comes at random times, which must not change the faults of the other packets.
    const random = isRtcp(datagram) ? Math.random : this.#random;
    if (random() < loss) return;
    const delay = minDelayMs + random() * (maxDelayMs - minDelayMs);
    this.clock.setTimeout(() => {
      this.#sockets.get(`${to.host}:${String(to.port)}`)?.(datagram, from);
    }, delay);
  }
}
