import type { Cipheriv, KeyObject } from 'node:crypto';
import { createCipheriv, createDecipheriv, createSecretKey, timingSafeEqual } from 'node:crypto';
import { HmacSha1 } from './hmacSha1.ts';
import { RTP_HEADER_BYTES, rtpPayloadStart } from './packet.ts';

const KEY_BYTES = 16;
/** By preference: every peer has the first one. */
export const SRTP_SUITES = {
  AES_CM_128_HMAC_SHA1_80: { saltBytes: 14, tagBytes: 10 },
  AEAD_AES_128_GCM: { saltBytes: 12, tagBytes: 16 },
  AES_CM_128_HMAC_SHA1_32: { saltBytes: 14, tagBytes: 4 },
} as const;
export type SrtpSuite = keyof typeof SRTP_SUITES;

/** A suite with its master key, followed by the master salt. */
export interface SrtpKey {
  readonly suite: SrtpSuite;
  readonly material: Uint8Array;
}

export const materialBytes = (suite: SrtpSuite): number => KEY_BYTES + SRTP_SUITES[suite].saltBytes;
export const isSameKey = (one: SrtpKey, other: SrtpKey): boolean =>
  one.suite === other.suite && Buffer.compare(one.material, other.material) === 0;

interface SessionKeys {
  readonly cipher: Uint8Array;
  readonly authentication: Uint8Array;
  readonly salt: Uint8Array;
}

/** Derives the keys for RTP or RTCP (RFC 3711 section 4.3, RFC 7714 section 11), once for the session. */
export function deriveKeys({ suite, material }: SrtpKey, of: 'rtp' | 'rtcp'): SessionKeys {
  const first = of === 'rtp' ? 0 : 3;
  const derive = (label: number, bytes: number): Uint8Array => {
    const iv = new Uint8Array(16);
    iv.set(material.subarray(KEY_BYTES));
    iv[7] = (iv[7] ?? 0) ^ (first + label);
    return createCipheriv('aes-128-ctr', material.subarray(0, KEY_BYTES), iv).update(new Uint8Array(bytes));
  };
  return {
    cipher: derive(0, KEY_BYTES),
    authentication: derive(1, 20),
    salt: derive(2, SRTP_SUITES[suite].saltBytes),
  };
}

/** RTCP packets have a 31-bit index, split in the same way. */
interface Place {
  readonly ssrc: number;
  readonly rollovers: number;
  readonly sequence: number;
  /** What follows an RTCP packet: its index, and a bit for encryption (RFC 3711 section 3.4). */
  readonly trailer?: number;
}

interface Transform {
  /** `clear` is the number of bytes that stay readable. */
  seal(packet: Uint8Array, clear: number, place: Place): Uint8Array;
  open(packet: Uint8Array, clear: number, place: Place): Uint8Array | undefined;
  /** What a packet gains, without a trailer. */
  readonly tagBytes: number;
  /** Where an RTCP packet's trailer is, from its end. */
  readonly trailerFromEnd: number;
}

export const createTransform = (suite: SrtpSuite, keys: SessionKeys, tagBytes: number): Transform =>
  suite === 'AEAD_AES_128_GCM' ? new Gcm(keys) : new CounterMode(keys, tagBytes);

/** RFC 3711 sections 4.1.1 and 4.2.1. */
class CounterMode implements Transform {
  readonly #mac: HmacSha1;
  /** Encrypts single blocks. A kept cipher takes a third of the time of a new one for each packet. */
  readonly #blocks: Cipheriv;
  readonly #salt: readonly number[];
  #counters = new Uint8Array(0);
  readonly tagBytes: number;
  readonly trailerFromEnd: number;

  constructor({ cipher, authentication, salt }: SessionKeys, tagBytes: number) {
    this.#mac = new HmacSha1(authentication);
    this.#blocks = createCipheriv('aes-128-ecb', cipher, null).setAutoPadding(false);
    this.#salt = [0, 4, 8, 12].map((at) => readWord(salt, at));
    this.tagBytes = tagBytes;
    this.trailerFromEnd = tagBytes + 4;
  }

  seal(packet: Uint8Array, clear: number, place: Place): Uint8Array {
    const { length } = packet;
    const tagAt = length + (place.trailer === undefined ? 0 : 4);
    const sealed = new Uint8Array(tagAt + this.tagBytes);
    sealed.set(packet);
    this.#crypt(sealed, clear, length, place);
    // An RTP packet's tag covers the rollover counter, which isn't sent and makes room for the tag.
    writeWord(sealed, length, place.trailer ?? place.rollovers);
    sealed.set(this.#mac.sign(sealed.subarray(0, length + 4)).subarray(0, this.tagBytes), tagAt);
    return sealed;
  }

  open(packet: Uint8Array, clear: number, place: Place): Uint8Array | undefined {
    const tagAt = packet.length - this.tagBytes;
    const length = tagAt - (place.trailer === undefined ? 0 : 4);
    if (length < clear) return undefined;
    const opened = new Uint8Array(length + 4);
    opened.set(packet.subarray(0, length));
    writeWord(opened, length, place.trailer ?? place.rollovers);
    if (!timingSafeEqual(this.#mac.sign(opened).subarray(0, this.tagBytes), packet.subarray(tagAt))) return undefined;
    this.#crypt(opened, clear, length, place);
    return opened.subarray(0, length);
  }

  #crypt(packet: Uint8Array, start: number, end: number, { ssrc, rollovers, sequence }: Place): void {
    const bytes = Math.ceil((end - start) / 16) * 16;
    if (this.#counters.length < bytes) this.#counters = new Uint8Array(bytes);
    const counters = this.#counters;
    const [first = 0, second = 0, third = 0, last = 0] = this.#salt;
    for (let at = 0; at < bytes; at += 16) {
      writeWord(counters, at, first);
      writeWord(counters, at + 4, second ^ ssrc);
      writeWord(counters, at + 8, third ^ rollovers);
      writeWord(counters, at + 12, last ^ (sequence << 16) ^ (at >> 4));
    }
    const stream = this.#blocks.update(counters.subarray(0, bytes));
    for (let at = start; at < end; at++) packet[at] = (packet[at] ?? 0) ^ (stream[at - start] ?? 0);
  }
}

/** AEAD_AES_128_GCM (RFC 7714 sections 8 and 9). */
class Gcm implements Transform {
  readonly #key: KeyObject;
  readonly #salt: Uint8Array;
  readonly tagBytes = SRTP_SUITES.AEAD_AES_128_GCM.tagBytes;
  readonly trailerFromEnd = 4;

  constructor({ cipher, salt }: SessionKeys) {
    this.#key = createSecretKey(cipher);
    this.#salt = salt;
  }

  seal(packet: Uint8Array, clear: number, place: Place): Uint8Array {
    const { length } = packet;
    const end = length + this.tagBytes;
    const sealed = new Uint8Array(end + (place.trailer === undefined ? 0 : 4));
    sealed.set(packet.subarray(0, clear));
    if (place.trailer !== undefined) writeWord(sealed, end, place.trailer);
    const cipher = createCipheriv('aes-128-gcm', this.#key, this.#iv(place));
    cipher.setAAD(associated(packet, clear, place));
    sealed.set(cipher.update(packet.subarray(clear)), clear);
    cipher.final();
    sealed.set(cipher.getAuthTag(), length);
    return sealed;
  }

  open(packet: Uint8Array, clear: number, place: Place): Uint8Array | undefined {
    const tagAt = packet.length - this.tagBytes - (place.trailer === undefined ? 0 : 4);
    if (tagAt < clear) return undefined;
    const decipher = createDecipheriv('aes-128-gcm', this.#key, this.#iv(place), { authTagLength: this.tagBytes });
    decipher.setAAD(associated(packet, clear, place)).setAuthTag(packet.subarray(tagAt, tagAt + this.tagBytes));
    const opened = new Uint8Array(tagAt);
    opened.set(packet.subarray(0, clear));
    opened.set(decipher.update(packet.subarray(clear, tagAt)), clear);
    try {
      decipher.final();
    } catch {
      return undefined;
    }
    return opened;
  }

  #iv({ ssrc, rollovers, sequence }: Place): Uint8Array {
    const iv = Uint8Array.from(this.#salt);
    writeWord(iv, 2, readWord(iv, 2) ^ ssrc);
    writeWord(iv, 6, readWord(iv, 6) ^ rollovers);
    writeWord(iv, 8, readWord(iv, 8) ^ sequence);
    return iv;
  }
}

function associated(packet: Uint8Array, clear: number, { trailer }: Place): Uint8Array {
  if (trailer === undefined) return packet.subarray(0, clear);
  const bytes = new Uint8Array(clear + 4);
  bytes.set(packet.subarray(0, clear));
  writeWord(bytes, clear, trailer);
  return bytes;
}

/** Cheaper than a view of each packet. */
const readWord = (bytes: Uint8Array, at: number): number =>
  (((bytes[at] ?? 0) << 24) | ((bytes[at + 1] ?? 0) << 16) | ((bytes[at + 2] ?? 0) << 8) | (bytes[at + 3] ?? 0)) >>> 0;
function writeWord(bytes: Uint8Array, at: number, word: number): void {
  bytes[at] = word >>> 24;
  bytes[at + 1] = word >>> 16;
  bytes[at + 2] = word >>> 8;
  bytes[at + 3] = word;
}

const SEQUENCES = 2 ** 16;
/** RFC 3711 section 3.3.2 requires 64: 2.6 s of audio. */
const WINDOW = 128;

/** Which packets of one SSRC came, by index: 2^16 times the rollover counter, plus the sequence number. */
class Stream {
  #highest = -1;
  readonly #seen = new Float64Array(WINDOW).fill(-1);

  /** RFC 3711 appendix A. Negative for a packet from before the start. */
  indexOf(sequence: number): number {
    if (this.#highest < 0) return sequence;
    const last = this.#highest % SEQUENCES;
    const start = this.#highest - last;
    const step = sequence - last;
    return start + sequence + (step > SEQUENCES / 2 ? -SEQUENCES : step < -SEQUENCES / 2 ? SEQUENCES : 0);
  }
  isNew(index: number): boolean {
    return index >= 0 && index > this.#highest - WINDOW && this.#seen[index % WINDOW] !== index;
  }
  add(index: number): void {
    this.#highest = Math.max(this.#highest, index);
    this.#seen[index % WINDOW] = index;
  }
}

/** A call has one or two SSRCs, and more when its peer is transferred. */
const MOST_STREAMS = 64;
const RTCP_CLEAR_BYTES = 8;
const ENCRYPTED = 0x8000_0000;

/** One direction of a session that is encrypted with one master key (RFC 3711). */
export class SrtpContext {
  readonly key: SrtpKey;
  readonly #rtp: Transform;
  #rtcp: Transform | undefined;
  readonly #streams = new Map<number, Stream>();
  readonly #rtcpStreams = new Map<number, Stream>();
  #rtcpIndex = 0;

  constructor(key: SrtpKey) {
    this.key = key;
    this.#rtp = createTransform(key.suite, deriveKeys(key, 'rtp'), SRTP_SUITES[key.suite].tagBytes);
  }

  protect(packet: Uint8Array): Uint8Array {
    const place = { ssrc: readWord(packet, 8), sequence: readWord(packet, 0) & 0xffff };
    const stream = this.#streams.get(place.ssrc) ?? new Stream();
    const index = Math.max(0, stream.indexOf(place.sequence));
    keep(this.#streams, place.ssrc, stream, index);
    const clear = rtpPayloadStart(packet) ?? RTP_HEADER_BYTES;
    return this.#rtp.seal(packet, clear, { ...place, rollovers: Math.floor(index / SEQUENCES) });
  }

  /** Returns undefined for a packet that isn't authentic or came before. Nothing changes then. */
  unprotect(packet: Uint8Array): Uint8Array | undefined {
    const clear = rtpPayloadStart(packet);
    if (clear === undefined || clear > packet.length) return undefined;
    const ssrc = readWord(packet, 8);
    const sequence = readWord(packet, 0) & 0xffff;
    const known = this.#streams.get(ssrc);
    if (!known && this.#streams.size >= MOST_STREAMS) return undefined;
    const open = (index: number): Uint8Array | undefined => {
      const place = { ssrc, sequence, rollovers: Math.floor(index / SEQUENCES) };
      const opened = this.#rtp.open(packet, clear, place);
      if (opened) keep(this.#streams, ssrc, known ?? new Stream(), index);
      return opened;
    };
    if (known) {
      const index = known.indexOf(sequence);
      return known.isNew(index) ? open(index) : undefined;
    }
    // All packets before the first rollover may be lost.
    return open(sequence) ?? (sequence < SEQUENCES / 2 ? open(sequence + SEQUENCES) : undefined);
  }

  /** RFC 3711 section 3.4. */
  protectRtcp(packet: Uint8Array): Uint8Array {
    const index = this.#rtcpIndex;
    this.#rtcpIndex = (index + 1) % ENCRYPTED;
    return this.#forRtcp().seal(packet, RTCP_CLEAR_BYTES, rtcpPlace(packet, index));
  }

  /** As `unprotect`. */
  unprotectRtcp(packet: Uint8Array): Uint8Array | undefined {
    const transform = this.#forRtcp();
    const trailerAt = packet.length - transform.trailerFromEnd;
    if (trailerAt < RTCP_CLEAR_BYTES) return undefined;
    const index = readWord(packet, trailerAt) - ENCRYPTED;
    const place = rtcpPlace(packet, index);
    const known = this.#rtcpStreams.get(place.ssrc);
    if (index < 0 || (known ? !known.isNew(index) : this.#rtcpStreams.size >= MOST_STREAMS)) return undefined;
    const opened = transform.open(packet, RTCP_CLEAR_BYTES, place);
    if (opened) keep(this.#rtcpStreams, place.ssrc, known ?? new Stream(), index);
    return opened;
  }

  /** RFC 4568 section 6.2: RTCP has the long tag with each suite. */
  #forRtcp(): Transform {
    const { key } = this;
    return (this.#rtcp ??= createTransform(key.suite, deriveKeys(key, 'rtcp'), 10));
  }
}

const rtcpPlace = (packet: Uint8Array, index: number): Place => ({
  ssrc: readWord(packet, 4),
  rollovers: Math.floor(index / SEQUENCES),
  sequence: index % SEQUENCES,
  trailer: index + ENCRYPTED,
});

function keep(streams: Map<number, Stream>, ssrc: number, stream: Stream, index: number): void {
  stream.add(index);
  if (streams.size < MOST_STREAMS) streams.set(ssrc, stream);
}
