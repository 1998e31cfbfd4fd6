const ROUNDS = 80;
const BLOCK_BYTES = 64;
/** FIPS 180-4 section 5.3.1. */
const INITIAL = [0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0];

/** For one block at a time, which is never interrupted. */
const schedule = new Int32Array(ROUNDS);
const tail = new Uint8Array(2 * BLOCK_BYTES);

/**
 * HMAC-SHA1 (RFC 2104) with a kept key. Node's Hmac sets up a new object for each packet, which takes four times as long
 * as the hash itself, and would cost a call with SRTP a third of its time.
 */
export class HmacSha1 {
  readonly #inner = Int32Array.from(INITIAL);
  readonly #outer = Int32Array.from(INITIAL);
  readonly #state = new Int32Array(INITIAL.length);

  /** @param key up to 64 bytes */
  constructor(key: Uint8Array) {
    const block = new Uint8Array(BLOCK_BYTES);
    block.set(key);
    compress(
      this.#inner,
      block.map((byte) => byte ^ 0x36),
      0,
    );
    compress(
      this.#outer,
      block.map((byte) => byte ^ 0x5c),
      0,
    );
  }

  /** Returns the 20 bytes of the tag. */
  sign(data: Uint8Array): Uint8Array {
    const state = this.#state;
    state.set(this.#inner);
    let at = 0;
    for (; at + BLOCK_BYTES <= data.length; at += BLOCK_BYTES) compress(state, data, at);
    finish(state, data.subarray(at), data.length);
    const digest = bytesOf(state);
    state.set(this.#outer);
    finish(state, digest, digest.length);
    return bytesOf(state);
  }
}

/** Adds the padding; the key's block counts too. */
function finish(state: Int32Array, rest: Uint8Array, bytes: number): void {
  tail.fill(0);
  tail.set(rest);
  tail[rest.length] = 0x80;
  const end = rest.length < BLOCK_BYTES - 8 ? BLOCK_BYTES : 2 * BLOCK_BYTES;
  // Packets are shorter than 64 kB.
  const bits = (BLOCK_BYTES + bytes) * 8;
  for (let i = 1; i <= 3; i++) tail[end - i] = bits >> (8 * (i - 1));
  for (let at = 0; at < end; at += BLOCK_BYTES) compress(state, tail, at);
}

function bytesOf(state: Int32Array): Uint8Array {
  const bytes = new Uint8Array(state.length * 4);
  for (let i = 0; i < bytes.length; i++) bytes[i] = (state[i >> 2] ?? 0) >> (24 - 8 * (i & 3));
  return bytes;
}

/** FIPS 180-4 section 6.1.2. */
function compress(state: Int32Array, data: Uint8Array, from: number): void {
  const words = schedule;
  for (let i = 0, at = from; i < 16; i++, at += 4)
    words[i] = ((data[at] ?? 0) << 24) | ((data[at + 1] ?? 0) << 16) | ((data[at + 2] ?? 0) << 8) | (data[at + 3] ?? 0);
  for (let i = 16; i < ROUNDS; i++) {
    const mixed = (words[i - 3] ?? 0) ^ (words[i - 8] ?? 0) ^ (words[i - 14] ?? 0) ^ (words[i - 16] ?? 0);
    words[i] = (mixed << 1) | (mixed >>> 31);
  }
  let a = state[0] ?? 0;
  let b = state[1] ?? 0;
  let c = state[2] ?? 0;
  let d = state[3] ?? 0;
  let e = state[4] ?? 0;
  // Four loops without a shared function, which would keep the five words in memory.
  for (let i = 0; i < 20; i++) {
    const next = (((a << 5) | (a >>> 27)) + e + (words[i] ?? 0) + (d ^ (b & (c ^ d))) + 0x5a827999) | 0;
    e = d;
    d = c;
    c = (b << 30) | (b >>> 2);
    b = a;
    a = next;
  }
  for (let i = 20; i < 40; i++) {
    const next = (((a << 5) | (a >>> 27)) + e + (words[i] ?? 0) + (b ^ c ^ d) + 0x6ed9eba1) | 0;
    e = d;
    d = c;
    c = (b << 30) | (b >>> 2);
    b = a;
    a = next;
  }
  for (let i = 40; i < 60; i++) {
    const next = (((a << 5) | (a >>> 27)) + e + (words[i] ?? 0) + ((b & c) | (d & (b | c))) + 0x8f1bbcdc) | 0;
    e = d;
    d = c;
    c = (b << 30) | (b >>> 2);
    b = a;
    a = next;
  }
  for (let i = 60; i < ROUNDS; i++) {
    const next = (((a << 5) | (a >>> 27)) + e + (words[i] ?? 0) + (b ^ c ^ d) + 0xca62c1d6) | 0;
    e = d;
    d = c;
    c = (b << 30) | (b >>> 2);
    b = a;
    a = next;
  }
  state[0] = (state[0] ?? 0) + a;
  state[1] = (state[1] ?? 0) + b;
  state[2] = (state[2] ?? 0) + c;
  state[3] = (state[3] ?? 0) + d;
  state[4] = (state[4] ?? 0) + e;
}
