import type { Place } from '../stun.ts';
import { reachOf } from '../stun.ts';
import type { RtpPacket } from './packet.ts';

type AgreedPlace = Place & { readonly alsoFrom: string };

/** A stream from elsewhere is accepted after as many packets in sequence: half a second. */
const LEAST_RUN = 25;

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
  /** The packets in sequence from one place elsewhere, until it's accepted. */
  #run: { readonly from: Place; readonly arrived: { packet: RtpPacket; at: number }[] } | undefined;
  /** The last other place that sent, accepted or not. */
  elsewhere: Place | undefined;

  /**
   * Where to send. A peer that sends from elsewhere receives at its agreed address, unless that is one of a private
   * network behind a NAT: otherwise, a stranger could have the audio and the keys of a call.
   */
  get to(): Place | undefined {
    const [agreed, latched] = [this.#agreed, this.#latched];
    if (!agreed || !latched) return agreed;
    return this.#isNamed(latched.host) || reachOf(agreed.host) < reachOf(latched.host) ? latched : agreed;
  }

  agree(agreed: AgreedPlace): void {
    if (this.#agreed?.host !== agreed.host || this.#agreed.port !== agreed.port) this.#latched = this.#run = undefined;
    this.#agreed = agreed;
  }

  /** Its RTCP may come from there, on any port. */
  isKnown(host: string): boolean {
    return this.#isNamed(host) || host === this.#latched?.host;
  }

  /** The port can differ behind NAT, until the agreed one itself is heard. */
  accepts(host: string, port: number): boolean {
    const isNamed = this.#isNamed(host);
    if (!isNamed) this.elsewhere = { host, port };
    if (isAt(this.#latched, host, port) || isAt(this.#agreed, host, port)) return true;
    return isNamed && !(this.#latched && this.#isNamed(this.#latched.host));
  }

  heard(host: string, port: number): void {
    this.#latched = { host, port };
    this.#run = undefined;
  }

  /** Returns the packets of a stream that `accepts` refused, from its first, once it proves to be one; else none. */
  prove(packet: RtpPacket, host: string, port: number, now: number): readonly { packet: RtpPacket; at: number }[] {
    if (this.#latched) return [];
    const last = this.#run?.arrived.at(-1)?.packet;
    const isNext = last?.ssrc === packet.ssrc && packet.sequence === ((last.sequence + 1) & 0xffff);
    if (!this.#run || !isNext || !isAt(this.#run.from, host, port)) this.#run = { from: { host, port }, arrived: [] };
    const { arrived } = this.#run;
    if (arrived.push({ packet, at: now }) < LEAST_RUN) return [];
    this.#run = undefined;
    return arrived;
  }

  #isNamed(host: string): boolean {
    return host === this.#agreed?.host || host === this.#agreed?.alsoFrom;
  }
}
