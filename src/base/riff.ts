/** The format chunk of a RIFF WAVE file. */
export interface WaveFormat {
  /** 1 PCM, 6 A-law, 7 µ-law. For an extensible format, the code inside it. */
  readonly code: number;
  readonly channels: number;
  /** Hz. */
  readonly sampleRate: number;
  /** Bits per sample. */
  readonly bits: number;
  readonly bytesPerSecond: number;
  /** Bytes of one sample in all channels. */
  readonly blockAlign: number;
}

interface WaveLayout {
  readonly format?: WaveFormat;
  /**
   * The position of the samples, in bytes. If a chunk claims more than the file contains, as after a recorder crash, it
   * is shortened.
   */
  readonly data?: { readonly at: number; readonly length: number };
}

export const waveFormats = { pcm: 1, aLaw: 6, muLaw: 7 } as const;
const extensible = 0xfffe;

/**
 * Walks the chunks of a RIFF WAVE file up to its samples ("Multimedia Programming Interface and Data Specifications
 * 1.0", 1991).
 * @returns undefined if the bytes have no RIFF WAVE header
 */
export function waveLayout(bytes: Uint8Array): WaveLayout | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const tag = (at: number): string => String.fromCharCode(...bytes.subarray(at, at + 4));
  if (bytes.length < 12 || tag(0) !== 'RIFF' || tag(8) !== 'WAVE') return undefined;
  let format: WaveFormat | undefined;
  for (let at = 12; at + 8 <= bytes.length;) {
    const length = view.getUint32(at + 4, true);
    const body = at + 8;
    if (tag(at) === 'data')
      return { ...(format && { format }), data: { at: body, length: Math.min(length, bytes.length - body) } };
    if (tag(at) === 'fmt ' && length >= 16 && body + 16 <= bytes.length) format = formatAt(view, body, length);
    at = body + length + (length % 2);
  }
  return format ? { format } : {};
}

function formatAt(view: DataView, body: number, length: number): WaveFormat {
  const code = view.getUint16(body, true);
  const holdsCode = code === extensible && length >= 26 && body + 26 <= view.byteLength;
  return {
    code: holdsCode ? view.getUint16(body + 24, true) : code,
    channels: view.getUint16(body + 2, true),
    sampleRate: view.getUint32(body + 4, true),
    bytesPerSecond: view.getUint32(body + 8, true),
    blockAlign: view.getUint16(body + 12, true),
    bits: view.getUint16(body + 14, true),
  };
}
