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

const [SENDER_REPORT, RECEIVER_REPORT, SOURCE_DESCRIPTION] = [200, 201, 202];
const [SENDER_BYTES, RECEIVER_BYTES, BLOCK_BYTES, DESCRIPTION_BYTES] = [28, 8, 24, 28];
const INTERVAL_MS = 5000;
/** Seconds from 1900 to the zero of Unix time. The clock's zero is another one, which RFC 3550 section 4 allows. */
const NTP_OFFSET = 2_208_988_800;

/** Packets of RTP and RTCP on one port differ in their second byte (RFC 5761 section 4). */
export const isRtcp = ({ 1: type = 0 }: Uint8Array): boolean => type >= 192 && type <= 223;

/** Times in reports are the middle 32 bits of NTP timestamps: s / 65536. */
const middleOf = (now: number): number => Math.floor((now / 1000 + NTP_OFFSET) * 65_536) % 2 ** 32;

/** Two participants need no more than a random interval, so that calls don't report together (section 6.3.1). */
const randomly = (intervalMs: number): number => intervalMs * (0.5 + Math.random());

/** One side's RTCP for a stream in each direction (RFC 3550 section 6): when to report what, and what the peer reports. */
export class Rtcp {
  readonly #ssrc: number;
  /** 96 random bits, so that no call is known by its name (RFC 7022 section 4.2). */
  readonly #cname = randomBytes(12).toString('base64');
  #dueAt: number | undefined;
  #packetsReported = 0;
  #before = { ssrc: 0, expected: 0, received: 0 };
  /** The peer's last sender report. */
  #heard: { readonly ssrc: number; readonly sentAt: number; readonly at: number } | undefined;
  /** What the peer reports about the audio that it receives; empty before its first report. */
  remote: Pick<RtpStats, 'roundTripMs' | 'remoteLost'> = {};

  constructor(ssrc: number) {
    this.#ssrc = ssrc;
  }

  /** The first report is due half an interval after the first call (section 6.2). */
  isDue(now: number): boolean {
    return now >= (this.#dueAt ??= now + randomly(INTERVAL_MS / 2));
  }

  /** Returns a compound packet. `sent`: so far, with the RTP timestamp of now. */
  write(
    now: number,
    sent: { readonly packets: number; readonly octets: number; readonly timestamp: number },
    source: Reception | undefined,
  ): Uint8Array {
    this.#dueAt = now + randomly(INTERVAL_MS);
    const isSender = sent.packets > this.#packetsReported;
    this.#packetsReported = sent.packets;
    const blockAt = isSender ? SENDER_BYTES : RECEIVER_BYTES;
    const descriptionAt = blockAt + (source ? BLOCK_BYTES : 0);
    const packet = new Uint8Array(descriptionAt + DESCRIPTION_BYTES);
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
    begin(descriptionAt, 1, SOURCE_DESCRIPTION, packet.length);
    view.setUint16(descriptionAt + 8, (1 << 8) | this.#cname.length);
    packet.set(Buffer.from(this.#cname), descriptionAt + 10);
    return packet;
  }

  /** Reads the reports in a compound packet of the peer, up to what isn't valid. */
  receive(datagram: Uint8Array, now: number): void {
    const view = new DataView(datagram.buffer, datagram.byteOffset, datagram.byteLength);
    for (let at = 0, end = 0; at + RECEIVER_BYTES <= datagram.length; at = end) {
      const [first, type] = [view.getUint8(at), view.getUint8(at + 1)];
      end = at + 4 * (1 + view.getUint16(at + 2));
      const isSender = type === SENDER_REPORT;
      const blocksAt = at + (isSender ? SENDER_BYTES : RECEIVER_BYTES);
      const blocksEnd = blocksAt + (first & 0x1f) * BLOCK_BYTES;
      if (first >> 6 !== 2 || end > datagram.length) return;
      if ((!isSender && type !== RECEIVER_REPORT) || blocksEnd > end) continue;
      if (isSender) this.#heard = { ssrc: view.getUint32(at + 4), sentAt: view.getUint32(at + 10), at: now };
      for (let block = blocksAt; block < blocksEnd; block += BLOCK_BYTES)
        if (view.getUint32(block) === this.#ssrc) this.#read(view, block, now);
    }
  }

  /** A clock that is a little fast makes a short round trip negative, and duplicates do so to the loss. */
  #read(view: DataView, block: number, now: number): void {
    const [lastReport, sinceReport] = [view.getUint32(block + 16), view.getUint32(block + 20)];
    const roundTripMs = Math.max(0, ((middleOf(now) - lastReport - sinceReport) | 0) / 65.536);
    const remoteLost = Math.max(0, (view.getUint32(block + 4) << 8) >> 8);
    this.remote = { ...this.remote, ...(lastReport !== 0 && { roundTripMs }), remoteLost };
  }

  /** Returns the 32 bit words of a report block. */
  #block({ ssrc, expected, received, highestSequence, jitter }: Reception, now: number): number[] {
    const before = this.#before.ssrc === ssrc ? this.#before : { expected: 0, received: 0 };
    this.#before = { ssrc, expected, received };
    const expectedSince = expected - before.expected;
    const lostSince = expectedSince - (received - before.received);
    const fraction = lostSince > 0 ? Math.min(255, Math.floor((256 * lostSince) / expectedSince)) : 0;
    const heard = this.#heard?.ssrc === ssrc ? this.#heard : undefined;
    const since = heard ? (now - heard.at) * 65.536 : 0;
    return [
      ssrc,
      (fraction << 24) | ((expected - received) & 0xffffff),
      highestSequence,
      jitter,
      heard?.sentAt ?? 0,
      since,
    ];
  }
}
