/** What the format chunk of a RIFF WAVE file says. */
export interface WaveFormat {
  /** 1 PCM, 6 A-law, 7 µ-law; of an extensible format the code that it holds. */
  readonly code: number;
  readonly channels: number;
  /** Hz. */
  readonly sampleRate: number;
  /** Bits of one sample. */
  readonly bits: number;
  readonly bytesPerSecond: number;
  /** Bytes of one sample of all channels. */
  readonly blockAlign: number;
}

export interface WaveLayout {
  readonly format?: WaveFormat;
  /** Where the samples are, in bytes. A chunk that claims more than the file holds (a recorder that died) is cut. */
  readonly data?: { readonly at: number; readonly length: number };
}

export const waveFormats = { pcm: 1, aLaw: 6, muLaw: 7 } as const;
const extensible = 0xfffe;

/**
 * Walks the chunks of a RIFF WAVE file up to its samples ("Multimedia Programming Interface and Data Specifications
 * 1.0", 1991).
 * @returns undefined where the bytes have no RIFF WAVE header
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
