import { randomBytes } from 'node:crypto';
import type { RtpStats } from '../call.ts';

/** What a receiver knows about the source that it hears (RFC 3550 appendix A.3). `jitter` is in timestamp units. */
export interface Reception {
  readonly ssrc: number;
  /** With the count of cycles in its upper half. */
  readonly highestSequence: number;
  readonly expected: number;
  readonly received: number;
  readonly jitter: number;
}

/** A sender or receiver report (RFC 3550 section 6.4). Times are the middle 32 bits of NTP timestamps: s / 65536. */
interface Report {
  readonly ssrc: number;
  /** Absent in a receiver report. */
  readonly sentAt: number | undefined;
  readonly blocks: readonly { ssrc: number; lost: number; jitter: number; lastReport: number; sinceReport: number }[];
}

const [SENDER_REPORT, RECEIVER_REPORT, SOURCE_DESCRIPTION, BYE] = [200, 201, 202, 203];
const [SENDER_BYTES, RECEIVER_BYTES, BLOCK_BYTES, DESCRIPTION_BYTES, BYE_BYTES] = [28, 8, 24, 28, 8];
const INTERVAL_MS = 5000;
/** Seconds from 1900 to the zero of Unix time. The clock's zero is another one, which RFC 3550 section 4 allows. */
const NTP_OFFSET = 2_208_988_800;
/** A round trip beyond this is a lie, or a report about another report. */
const MOST_ROUND_TRIP_MS = 60_000;
const MOST_LOST = 0x7fffff;

/** Packets of RTP and RTCP on one port differ in their second byte (RFC 5761 section 4). */
export const isRtcp = ({ 1: type = 0 }: Uint8Array): boolean => type >= 192 && type <= 223;

/** Reads the reports in a compound packet. Undefined if it isn't valid (RFC 3550 appendix A.2). */
export function parseRtcp(datagram: Uint8Array): Report[] | undefined {
  const view = new DataView(datagram.buffer, datagram.byteOffset, datagram.byteLength);
  const reports: Report[] = [];
  for (let at = 0, end = 0; at < datagram.length; at = end) {
    if (at + 4 > datagram.length) return undefined;
    const [first, type] = [view.getUint8(at), view.getUint8(at + 1)];
    end = at + 4 * (1 + view.getUint16(at + 2));
    if (first >> 6 !== 2 || end > datagram.length) return undefined;
    if (type === SENDER_REPORT || type === RECEIVER_REPORT) {
      const start = at + (type === SENDER_REPORT ? SENDER_BYTES : RECEIVER_BYTES);
      if (start + (first & 0x1f) * BLOCK_BYTES > end) return undefined;
      const blocks = Array.from({ length: first & 0x1f }, (_, index) => {
        const [ssrc = 0, losses = 0, , jitter = 0, lastReport = 0, sinceReport = 0] = [0, 4, 8, 12, 16, 20].map(
          (part) => view.getUint32(start + index * BLOCK_BYTES + part),
        );
        return { ssrc, lost: (losses << 8) >> 8, jitter, lastReport, sinceReport };
      });
      const sentAt = type === SENDER_REPORT ? view.getUint32(at + 10) : undefined;
      reports.push({ ssrc: view.getUint32(at + 4), sentAt, blocks });
    } else if (at === 0) return undefined;
  }
  return reports;
}

const middleOf = (now: number): number => Math.floor((now / 1000 + NTP_OFFSET) * 65_536) % 2 ** 32;

/** One side's RTCP for a stream in each direction (RFC 3550 section 6): when to report what, and what the peer reports. */
export class Rtcp {
  readonly #ssrc: number;
  /** 96 random bits, so that no call is known by its name (RFC 7022 section 4.2). */
  readonly #cname = randomBytes(12).toString('base64');
  readonly #random: () => number;
  #dueAt = Infinity;
  #packetsReported = 0;
  #before = { ssrc: 0, expected: 0, received: 0 };
  /** The peer's last sender report. */
  #heard: { readonly ssrc: number; readonly sentAt: number; readonly at: number } | undefined;
  #remote: Pick<RtpStats, 'roundTripMs' | 'remoteLost' | 'remoteJitterMs'> = {};

  /** @param random from 0 to 1 */
  constructor(ssrc: number, random: () => number = Math.random) {
    this.#ssrc = ssrc;
    this.#random = random;
  }

  /** What the peer reports about the audio that it receives; empty before its first report. */
  get remote(): Pick<RtpStats, 'roundTripMs' | 'remoteLost' | 'remoteJitterMs'> {
    return this.#remote;
  }

  /** The first report comes after half an interval (section 6.2). */
  start(now: number): void {
    if (this.#dueAt === Infinity) this.#schedule(now, INTERVAL_MS / 2);
  }

  isDue(now: number): boolean {
    return now >= this.#dueAt;
  }

  /** Returns a compound packet. `sent`: so far, with the RTP timestamp of now. `isLast`: this side leaves (BYE). */
  write(
    now: number,
    sent: { readonly packets: number; readonly octets: number; readonly timestamp: number },
    source: Reception | undefined,
    isLast = false,
  ): Uint8Array {
    this.#schedule(now, INTERVAL_MS);
    const isSender = sent.packets > this.#packetsReported;
    this.#packetsReported = sent.packets;
    const blockAt = isSender ? SENDER_BYTES : RECEIVER_BYTES;
    const descriptionAt = blockAt + (source ? BLOCK_BYTES : 0);
    const byeAt = descriptionAt + DESCRIPTION_BYTES;
    const packet = new Uint8Array(byeAt + (isLast ? BYE_BYTES : 0));
    const view = new DataView(packet.buffer);
    const begin = (at: number, count: number, type: number, end: number): void => {
      view.setUint16(at, ((0x80 | count) << 8) | type);
      view.setUint16(at + 2, (end - at) / 4 - 1);
      view.setUint32(at + 4, this.#ssrc);
    };
    begin(0, source ? 1 : 0, isSender ? SENDER_REPORT : RECEIVER_REPORT, descriptionAt);
    if (isSender) {
      view.setUint32(8, Math.floor(now / 1000 + NTP_OFFSET));
      view.setUint16(12, middleOf(now));
      for (const [index, value] of [sent.timestamp, sent.packets, sent.octets].entries())
        view.setUint32(16 + 4 * index, value);
    }
    if (source)
      for (const [index, value] of this.#block(source, now).entries()) view.setUint32(blockAt + 4 * index, value);
    begin(descriptionAt, 1, SOURCE_DESCRIPTION, byeAt);
    view.setUint16(descriptionAt + 8, (1 << 8) | this.#cname.length);
    packet.set(Buffer.from(this.#cname), descriptionAt + 10);
    if (isLast) begin(byeAt, 1, BYE, packet.length);
    return packet;
  }

  /** Reads a datagram of the peer, and returns whether it's valid. What isn't about this side is ignored. */
  receive(datagram: Uint8Array, now: number): boolean {
    const reports = parseRtcp(datagram);
    for (const { ssrc, sentAt, blocks } of reports ?? []) {
      if (ssrc === this.#ssrc) continue;
      if (sentAt !== undefined) this.#heard = { ssrc, sentAt, at: now };
      const block = blocks.find((one) => one.ssrc === this.#ssrc);
      if (!block) continue;
      // A clock that is a little fast makes a short round trip negative, and duplicates do so to the loss.
      const roundTripMs = Math.max(0, ((middleOf(now) - block.lastReport - block.sinceReport) | 0) / 65.536);
      this.#remote = {
        ...this.#remote,
        ...(block.lastReport !== 0 && roundTripMs < MOST_ROUND_TRIP_MS && { roundTripMs }),
        remoteLost: Math.max(0, block.lost),
        remoteJitterMs: block.jitter / 8,
      };
    }
    return reports !== undefined;
  }

  /** Two participants need no more than a random interval, so that calls don't report together (section 6.3.1). */
  #schedule(now: number, intervalMs: number): void {
    this.#dueAt = now + intervalMs * (0.5 + this.#random());
  }

  /** Returns the 32 bit words of a report block. */
  #block({ ssrc, expected, received, highestSequence, jitter }: Reception, now: number): number[] {
    const before = this.#before.ssrc === ssrc ? this.#before : { expected: 0, received: 0 };
    this.#before = { ssrc, expected, received };
    const expectedSince = expected - before.expected;
    const lostSince = expectedSince - (received - before.received);
    const fraction = lostSince > 0 ? Math.min(255, Math.floor((256 * lostSince) / expectedSince)) : 0;
    const lost = Math.max(-MOST_LOST, Math.min(MOST_LOST, expected - received));
    const heard = this.#heard?.ssrc === ssrc ? this.#heard : undefined;
    const since = heard ? (now - heard.at) * 65.536 : 0;
    return [ssrc, (fraction << 24) | (lost & 0xffffff), highestSequence, jitter, heard?.sentAt ?? 0, since];
  }
}
