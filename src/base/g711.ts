/**
 * G.711 by tables (ITU-T G.711; payload types 0 and 8 of RFC 3551).
 * One byte is one sample of 8 kHz audio, expanded to 16 bit linear PCM.
 */

export type G711Law = 'PCMU' | 'PCMA';

/** The byte of each law that decodes to (nearly) zero. */
export const SILENCE_BYTE: Readonly<Record<G711Law, number>> = { PCMU: 0xff, PCMA: 0xd5 };

function expandUlaw(byte: number): number {
  const inverted = ~byte & 0xff;
  const magnitude = ((((inverted & 0x0f) << 3) + 0x84) << ((inverted & 0x70) >> 4)) - 0x84;
  return (inverted & 0x80) !== 0 ? -magnitude : magnitude;
}

function expandAlaw(byte: number): number {
  const toggled = byte ^ 0x55;
  const segment = (toggled & 0x70) >> 4;
  const mantissa = (toggled & 0x0f) << 4;
  const magnitude = segment === 0 ? mantissa + 8 : (mantissa + 0x108) << (segment - 1);
  return (toggled & 0x80) !== 0 ? magnitude : -magnitude;
}

function expansionTable(expand: (byte: number) => number): Int16Array {
  return Int16Array.from({ length: 256 }, (_, byte) => expand(byte));
}

/** Returns the nearest code for each sample, indexed by the sample's unsigned 16 bit pattern. */
function compressionTable(expansion: Int16Array): Uint8Array {
  const levels = [...expansion].map((level, byte) => ({ level, byte })).sort((a, b) => a.level - b.level);
  const table = new Uint8Array(65536);
  let at = 0;
  for (let sample = -32768; sample <= 32767; sample++) {
    for (;;) {
      const here = levels[at],
        next = levels[at + 1];
      if (!here || !next || Math.abs(next.level - sample) > Math.abs(here.level - sample)) break;
      at++;
    }
    table[sample & 0xffff] = levels[at]?.byte ?? 0;
  }
  return table;
}

const ULAW_TO_LINEAR = expansionTable(expandUlaw);
const ALAW_TO_LINEAR = expansionTable(expandAlaw);

let ulawCodes: Uint8Array | undefined;
let alawCodes: Uint8Array | undefined;
/** Made when a law is first used, because each table takes milliseconds. */
function codesOf(law: G711Law): Uint8Array {
  if (law === 'PCMA') return (alawCodes ??= compressionTable(ALAW_TO_LINEAR));
  if (!ulawCodes) {
    ulawCodes = compressionTable(ULAW_TO_LINEAR);
    // The µ-law code has two zeros. Silence on the wire is the positive one.
    ulawCodes[0] = SILENCE_BYTE.PCMU;
  }
  return ulawCodes;
}

function decode(bytes: Uint8Array, table: Int16Array): Int16Array {
  const pcm = new Int16Array(bytes.length);
  for (let i = 0; i < bytes.length; i++) pcm[i] = table[bytes[i] as number] as number;
  return pcm;
}

function encode(pcm: Int16Array, table: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(pcm.length);
  for (let i = 0; i < pcm.length; i++) bytes[i] = table[(pcm[i] as number) & 0xffff] as number;
  return bytes;
}

export function decodeUlaw(bytes: Uint8Array): Int16Array {
  return decode(bytes, ULAW_TO_LINEAR);
}
export function encodeUlaw(pcm: Int16Array): Uint8Array {
  return encode(pcm, codesOf('PCMU'));
}
export function decodeAlaw(bytes: Uint8Array): Int16Array {
  return decode(bytes, ALAW_TO_LINEAR);
}
export function encodeAlaw(pcm: Int16Array): Uint8Array {
  return encode(pcm, codesOf('PCMA'));
}

/** Encodes `pcm` into `target`, starting at `at`, without allocating. */
export function encodeInto(law: G711Law, pcm: Int16Array, target: Uint8Array, at: number): void {
  const table = codesOf(law);
  for (let i = 0; i < pcm.length; i++) target[at + i] = table[(pcm[i] as number) & 0xffff] as number;
}

/** Returns the expansion table of one law: 256 linear samples, indexed by the code byte. */
export function linearTable(law: G711Law): Int16Array {
  return law === 'PCMU' ? ULAW_TO_LINEAR : ALAW_TO_LINEAR;
}
