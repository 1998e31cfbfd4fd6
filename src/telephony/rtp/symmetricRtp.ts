import type { RtpStats } from '../call.ts';
import type { RtpPacket } from './packet.ts';

interface Place {
  readonly host: string;
  readonly port: number;
}
type AgreedPlace = Place & { readonly alsoFrom: string };

/** A stream from elsewhere is accepted after as many packets in sequence, over as long a time. */
const LEAST_RUN_PACKETS = 25;
const LEAST_RUN_MS = 400;
const MOST_KEPT = 50;

/** Addresses that mean something only in their own network (RFC 1918, 6598, 3927, 4193, 4291). */
export const isLocal = (host: string): boolean =>
  /^(?:10|192\.168|172\.(?:1[6-9]|2\d|3[01])|100\.(?:6[4-9]|[7-9]\d|1[01]\d|12[0-7])|169\.254)\.|^f(?:[cd]|e[89ab])..:/i.test(
    host,
  );

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
  /** The packets in sequence from one place elsewhere, until it's accepted. */
  #run:
    { readonly from: Place; readonly since: number; readonly arrived: { packet: RtpPacket; at: number }[] } | undefined;
  /** The last other place that sent, and the packets from all of them, accepted or not. */
  elsewhere: RtpStats['elsewhere'];

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

  /** Its RTCP may come from there, on any port. */
  isKnown(host: string): boolean {
    return host === this.#agreed?.host || host === this.#agreed?.alsoFrom || host === this.#latched?.host;
  }

  /** The port can differ behind NAT, until the agreed one itself is heard. */
  accepts(host: string, port: number): boolean {
    const isNamed = host === this.#agreed?.host || host === this.#agreed?.alsoFrom;
    if (!isNamed) this.elsewhere = { host, port, packets: (this.elsewhere?.packets ?? 0) + 1 };
    if (isAt(this.#latched, host, port) || isAt(this.#agreed, host, port)) return true;
    return isNamed && (this.#latched === undefined || this.#isElsewhere);
  }

  heard(host: string, port: number): void {
    if (isAt(this.#latched, host, port)) return;
    this.#latched = { host, port };
    this.#isElsewhere = host !== this.#agreed?.host && host !== this.#agreed?.alsoFrom;
    this.#run = undefined;
  }

  /** Returns the packets of a stream that `accepts` refused, from its first, once it proves to be one; else none. */
  prove(packet: RtpPacket, host: string, port: number, now: number): readonly { packet: RtpPacket; at: number }[] {
    if (this.#latched) return [];
    const last = this.#run?.arrived.at(-1)?.packet;
    const isNext = last?.ssrc === packet.ssrc && packet.sequence === ((last.sequence + 1) & 0xffff);
    if (!this.#run || !isNext || !isAt(this.#run.from, host, port))
      this.#run = { from: { host, port }, since: now, arrived: [] };
    const { arrived, since } = this.#run;
    if (arrived.push({ packet, at: now }) > MOST_KEPT) arrived.shift();
    return arrived.length < LEAST_RUN_PACKETS || now - since < LEAST_RUN_MS ? [] : arrived;
  }
}
