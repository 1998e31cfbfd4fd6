import { BlockList, isIP, isIPv6 } from 'node:net';
import type { RtpStats } from '../call.ts';
import type { RtpPacket } from './packet.ts';

interface Place {
  readonly host: string;
  readonly port: number;
}

interface AgreedPlace extends Place {
  /** A second address the peer can send from: the signalling peer's, for a peer behind NAT. */
  readonly alsoFrom: string;
}

interface Arrived {
  readonly packet: RtpPacket;
  readonly at: number;
}

/** A stream from elsewhere is accepted after as many packets in sequence, over as long a time. */
const LEAST_RUN_PACKETS = 25;
const LEAST_RUN_MS = 400;
const MOST_KEPT = 50;

/** Addresses that mean something only in their own network (RFC 1918, 6598, 3927, 4193). */
const local = new BlockList();
for (const [net, prefix] of [
  ['10.0.0.0', 8],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
  ['100.64.0.0', 10],
  ['169.254.0.0', 16],
] as const)
  local.addSubnet(net, prefix);
local.addSubnet('fc00::', 7, 'ipv6');
local.addSubnet('fe80::', 10, 'ipv6');
const isLocal = (host: string): boolean => {
  const [address = host] = host.split('%', 1);
  return isIP(address) > 0 && local.check(address, isIPv6(address) ? 'ipv6' : 'ipv4');
};

const isAt = (place: Place | undefined, host: string, port: number): boolean =>
  place?.host === host && place.port === port;

/**
 * Where a peer's packets come from, and where packets to it go (symmetric RTP, RFC 4961). The peer may send from its
 * agreed address and from that of its signalling. A stream from elsewhere is accepted only while neither has sent
 * anything, and only if it's one stream in sequence, because anyone can send to a port that they guess.
 */
export class SymmetricRtp {
  #agreed: AgreedPlace | undefined;
  #latched: Place | undefined;
  /** What is latched is neither the agreed address nor the signalling address. */
  #isElsewhere = false;
  #elsewhere: { host: string; port: number; packets: number } | undefined;
  /** The last other place that sent, while the named one may be a stray. */
  #other: Place | undefined;
  /** The packets in sequence from one place elsewhere, until it's accepted. */
  #run: { readonly from: Place; readonly since: number; readonly arrived: Arrived[] } | undefined;

  /** Packets from elsewhere, accepted or not. */
  get elsewhere(): RtpStats['elsewhere'] {
    return this.#elsewhere && { ...this.#elsewhere };
  }

  /**
   * Where to send. A peer that sends from elsewhere receives at its agreed address, unless that is one of a private
   * network behind a NAT: otherwise, a stranger could have the audio and the keys of a call.
   */
  get to(): Place | undefined {
    const [agreed, latched] = [this.#agreed, this.#latched];
    if (!agreed || !latched) return agreed;
    return this.#isElsewhere && !(isLocal(agreed.host) && !isLocal(latched.host)) ? agreed : latched;
  }

  agree(agreed: AgreedPlace): void {
    if (this.#agreed?.host !== agreed.host || this.#agreed.port !== agreed.port) this.#latched = this.#run = undefined;
    this.#agreed = agreed;
  }

  /** An address that the peer named, whatever its port. */
  isNamed(host: string): boolean {
    return host === this.#agreed?.host || host === this.#agreed?.alsoFrom;
  }

  isLatched(host: string, port: number): boolean {
    return isAt(this.#latched, host, port);
  }

  /** The port can differ behind NAT, until the agreed one itself is heard. */
  accepts(host: string, port: number): boolean {
    const isNamed = this.isNamed(host);
    if (!isNamed) this.#count(host, port);
    if (isAt(this.#latched, host, port) || isAt(this.#agreed, host, port)) return true;
    return isNamed && (this.#latched === undefined || this.#isElsewhere);
  }

  heard(host: string, port: number): void {
    if (isAt(this.#latched, host, port)) return;
    this.#latched = { host, port };
    this.#isElsewhere = !this.isNamed(host);
    this.#run = undefined;
  }

  /** Returns the packets of a stream that `accepts` refused, from its first, once it proves to be one; else none. */
  prove(packet: RtpPacket, host: string, port: number, now: number): readonly Arrived[] {
    if (this.#latched || this.isNamed(host)) return [];
    const last = this.#run?.arrived.at(-1)?.packet;
    if (
      !this.#run ||
      !isAt(this.#run.from, host, port) ||
      last?.ssrc !== packet.ssrc ||
      packet.sequence !== ((last.sequence + 1) & 0xffff)
    )
      this.#run = { from: { host, port }, since: now, arrived: [] };
    const { arrived, since } = this.#run;
    if (arrived.push({ packet, at: now }) > MOST_KEPT) arrived.shift();
    if (arrived.length < LEAST_RUN_PACKETS || now - since < LEAST_RUN_MS) return [];
    this.#elsewhere = { host, port, packets: Math.max(arrived.length, this.#elsewhere?.packets ?? 0) };
    return arrived;
  }

  /** The first place with two packets is named; a single packet is a stray. */
  #count(host: string, port: number): void {
    const named = this.#elsewhere;
    if (named && isAt(named, host, port)) named.packets++;
    else if (!named) this.#elsewhere = { host, port, packets: 1 };
    else if (named.packets === 1 && isAt(this.#other, host, port)) this.#elsewhere = { host, port, packets: 2 };
    else this.#other = { host, port };
  }
}
