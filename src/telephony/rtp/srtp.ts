import type { Cipheriv } from 'node:crypto';
import crypto, { createCipheriv, createHash, randomBytes } from 'node:crypto';
import { RTP_HEADER_BYTES, rtpPayloadStart } from './packet.ts';

/** By preference: every peer has the first one. */
export const SRTP_SUITES = ['AES_CM_128_HMAC_SHA1_80', 'AES_CM_128_HMAC_SHA1_32'] as const;
export type SrtpSuite = (typeof SRTP_SUITES)[number];

const KEY_BYTES = 16;
const SALT_BYTES = 14;
/** The master key, followed by the master salt. */
export const MATERIAL_BYTES = KEY_BYTES + SALT_BYTES;

export interface SrtpKey {
  readonly suite: SrtpSuite;
  readonly material: Uint8Array;
}

export const newSrtpKey = (suite: SrtpSuite): SrtpKey => ({ suite, material: randomBytes(MATERIAL_BYTES) });

const AUTHENTICATION_BYTES = 20;
const HASH_BLOCK_BYTES = 64;
/** What is hashed: a block of the key, and a packet. Only one at a time is. */
const hashed = Buffer.alloc(HASH_BLOCK_BYTES + 2 ** 16);
const outerInput = hashed.subarray(0, HASH_BLOCK_BYTES + AUTHENTICATION_BYTES);

/** Node before 20.12 has no one-shot hash, which takes a third of the time. A string is cheaper than a buffer. */
const sha1 = (data: Uint8Array): string =>
  'hash' in crypto ? crypto.hash('sha1', data, 'binary') : createHash('sha1').update(data).digest('binary');

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

/** Which packets of one SSRC came, by index: for RTP, 2^16 times the rollover counter, plus the sequence number. */
class Stream {
  #highest = 0;
  readonly #seen = new Float64Array(WINDOW).fill(-1);

  /** RFC 3711 appendix A. Negative for a packet from before the start. */
  indexOf(sequence: number): number {
    return this.#highest + (((sequence - this.#highest) << 16) >> 16);
  }
  isNew(index: number): boolean {
    return index > this.#highest - WINDOW && this.#seen[index % WINDOW] !== index;
  }
  add(index: number): void {
    this.#highest = Math.max(this.#highest, index);
    this.#seen[index % WINDOW] = index;
  }
}

/** A call has one or two SSRCs, and more when its peer is transferred. */
const MOST_STREAMS = 64;
const RTCP_CLEAR_BYTES = 8;
/** With each suite, RTCP packets end with the long tag (RFC 4568 section 6.2). */
const LONG_TAG_BYTES = 10;
const SHORT_TAG_BYTES = 4;
/** After an RTCP packet, there is its index with this bit (RFC 3711 section 3.4). */
const RTCP_INDEX_BYTES = 4;
const ENCRYPTED = 0x8000_0000;

const BLOCK_BYTES = 16;
/** The key stream of as many packets is computed at once, which takes little longer than that of one. */
const AHEAD = 16;

/** The packets of RTP or RTCP that are encrypted with one master key (RFC 3711 sections 4.1.1 and 4.2.1). */
class Protection {
  readonly #isRtcp: boolean;
  readonly #tagBytes: number;
  /** Encrypts single blocks. A kept cipher takes a third of the time of a new one. */
  readonly #blocks: Cipheriv;
  readonly #salt: readonly number[];
  readonly #innerBlock: Uint8Array;
  readonly #outerBlock: Uint8Array;
  /** Most packets have one length. */
  #input = hashed.subarray(0, 0);
  /** For packets of up to `blocks`, from that of `index`. */
  #ahead = { ssrc: 0, index: 0, blocks: 0, stream: new DataView(new ArrayBuffer()) };
  readonly #heard = new Map<number, Stream>();

  constructor({ suite, material }: SrtpKey, isRtcp: boolean) {
    // RFC 3711 section 4.3.
    const derive = (label: number, bytes: number): Uint8Array => {
      const iv = new Uint8Array(16);
      iv.set(material.subarray(KEY_BYTES));
      iv[7] = (iv[7] ?? 0) ^ (isRtcp ? label + 3 : label);
      return createCipheriv('aes-128-ctr', material.subarray(0, KEY_BYTES), iv).update(new Uint8Array(bytes));
    };
    this.#isRtcp = isRtcp;
    this.#tagBytes = isRtcp || suite === 'AES_CM_128_HMAC_SHA1_80' ? LONG_TAG_BYTES : SHORT_TAG_BYTES;
    this.#blocks = createCipheriv('aes-128-ecb', derive(0, KEY_BYTES), null).setAutoPadding(false);
    const block = new Uint8Array(HASH_BLOCK_BYTES);
    block.set(derive(1, AUTHENTICATION_BYTES));
    this.#innerBlock = block.map((byte) => byte ^ 0x36);
    this.#outerBlock = block.map((byte) => byte ^ 0x5c);
    const salt = derive(2, SALT_BYTES);
    this.#salt = [0, 4, 8, 12].map((at) => readWord(salt, at));
  }

  /** The first `clear` bytes stay readable. */
  seal(packet: Uint8Array, clear: number, ssrc: number, index: number): Uint8Array {
    const { length } = packet;
    const tagAt = length + (this.#isRtcp ? RTCP_INDEX_BYTES : 0);
    // From Node's pool, which leaves less to collect.
    const sealed = Buffer.allocUnsafe(tagAt + this.#tagBytes);
    sealed.set(packet);
    this.#crypt(sealed, clear, length, ssrc, index);
    if (this.#isRtcp) writeWord(sealed, length, index + ENCRYPTED);
    const tag = this.#tagOf(sealed, length, index);
    for (let at = 0; at < this.#tagBytes; at++) sealed[tagAt + at] = tag[at] as number;
    return sealed;
  }

  /** Returns undefined for a packet that isn't authentic or came before. Nothing changes then. */
  open(packet: Uint8Array, clear: number, ssrc: number, index: number): Uint8Array | undefined {
    const tagAt = packet.length - this.#tagBytes;
    const length = tagAt - (this.#isRtcp ? RTCP_INDEX_BYTES : 0);
    const stream = this.#heard.get(ssrc);
    const mayBeNew = stream ? stream.isNew(index) : this.#heard.size < MOST_STREAMS;
    if (length < clear || index < 0 || !mayBeNew) return undefined;
    const tag = this.#tagOf(packet, length, index);
    let difference = 0;
    for (let at = 0; at < this.#tagBytes; at++) difference |= (tag[at] as number) ^ (packet[tagAt + at] as number);
    if (difference !== 0) return undefined;
    const heard = stream ?? new Stream();
    heard.add(index);
    if (!stream) this.#heard.set(ssrc, heard);
    const opened = packet.slice(0, length);
    this.#crypt(opened, clear, length, ssrc, index);
    return opened;
  }

  /** Undefined before the first packet of a source. */
  indexOf(ssrc: number, sequence: number): number | undefined {
    return this.#heard.get(ssrc)?.indexOf(sequence);
  }

  /** HMAC-SHA1 (RFC 2104), without Node's Hmac, which takes more than twice the time: it has a new object for each packet. */
  #tagOf(packet: Uint8Array, length: number, index: number): Uint8Array {
    hashed.set(this.#innerBlock);
    hashed.set(packet, HASH_BLOCK_BYTES);
    // The tag of an RTP packet covers the rollover counter, which isn't sent.
    const last = this.#isRtcp ? index + ENCRYPTED : Math.floor(index / SEQUENCES);
    writeWord(hashed, HASH_BLOCK_BYTES + length, last);
    if (this.#input.length !== HASH_BLOCK_BYTES + length + 4)
      this.#input = hashed.subarray(0, HASH_BLOCK_BYTES + length + 4);
    const inner = sha1(this.#input);
    hashed.set(this.#outerBlock);
    hashed.write(inner, HASH_BLOCK_BYTES, 'binary');
    return Buffer.from(sha1(outerInput), 'binary');
  }

  #crypt(packet: Uint8Array, start: number, end: number, ssrc: number, index: number): void {
    const blocks = Math.ceil((end - start) / BLOCK_BYTES);
    let ahead = this.#ahead;
    const packets = index - ahead.index;
    if (ssrc !== ahead.ssrc || blocks > ahead.blocks || packets < 0 || packets >= AHEAD)
      ahead = this.#ahead = { ssrc, index, blocks, stream: this.#streamFrom(ssrc, index, blocks) };
    const from = (index - ahead.index) * ahead.blocks * BLOCK_BYTES - start;
    const view = new DataView(packet.buffer, packet.byteOffset);
    let at = start;
    for (; at + 4 <= end; at += 4) view.setInt32(at, view.getInt32(at) ^ ahead.stream.getInt32(from + at));
    for (; at < end; at++) view.setUint8(at, view.getUint8(at) ^ ahead.stream.getUint8(from + at));
  }

  #streamFrom(ssrc: number, index: number, blocks: number): DataView<ArrayBuffer> {
    const counters = Buffer.allocUnsafe(AHEAD * blocks * BLOCK_BYTES);
    const [first = 0, second = 0, third = 0, last = 0] = this.#salt;
    let at = 0;
    for (let one = index; one < index + AHEAD; one++)
      for (let block = 0; block < blocks; block++, at += BLOCK_BYTES) {
        writeWord(counters, at, first);
        writeWord(counters, at + 4, second ^ ssrc);
        writeWord(counters, at + 8, third ^ Math.floor(one / SEQUENCES));
        writeWord(counters, at + 12, last ^ (one << 16) ^ block);
      }
    const { buffer, byteOffset } = this.#blocks.update(counters);
    return new DataView(buffer, byteOffset);
  }
}

/** One direction of a session that is encrypted with one master key (RFC 3711). */
export class SrtpContext {
  readonly key: SrtpKey;
  #rtp: Protection | undefined;
  #rtcp: Protection | undefined;
  #lastIndex = 0;
  #rtcpIndex = 0;

  constructor(key: SrtpKey) {
    this.key = key;
  }

  /** Packets have to be of one source and in sequence, so that no index is used twice. */
  protect(packet: Uint8Array): Uint8Array {
    this.#lastIndex += (readWord(packet, 0) - this.#lastIndex) & 0xffff;
    return this.#forRtp().seal(packet, RTP_HEADER_BYTES, readWord(packet, 8), this.#lastIndex);
  }

  /** Returns undefined for a packet that isn't authentic or came before. */
  unprotect(packet: Uint8Array): Uint8Array | undefined {
    const clear = rtpPayloadStart(packet);
    if (clear === undefined) return undefined;
    const [ssrc, sequence] = [readWord(packet, 8), readWord(packet, 0) & 0xffff];
    const open = (index: number): Uint8Array | undefined => this.#forRtp().open(packet, clear, ssrc, index);
    const index = this.#forRtp().indexOf(ssrc, sequence);
    if (index !== undefined) return open(index);
    // All packets before the first rollover may be lost.
    return open(sequence) ?? (sequence < SEQUENCES / 2 ? open(sequence + SEQUENCES) : undefined);
  }

  protectRtcp(packet: Uint8Array): Uint8Array {
    return this.#forRtcp().seal(packet, RTCP_CLEAR_BYTES, readWord(packet, 4), this.#rtcpIndex++);
  }

  /** As `unprotect`. */
  unprotectRtcp(packet: Uint8Array): Uint8Array | undefined {
    const index = readWord(packet, packet.length - LONG_TAG_BYTES - RTCP_INDEX_BYTES) - ENCRYPTED;
    return this.#forRtcp().open(packet, RTCP_CLEAR_BYTES, readWord(packet, 4), index);
  }

  /** Many offered keys are never used. */
  #forRtp(): Protection {
    return (this.#rtp ??= new Protection(this.key, false));
  }
  #forRtcp(): Protection {
    return (this.#rtcp ??= new Protection(this.key, true));
  }
}
