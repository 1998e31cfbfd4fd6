/** The waveform of a recording: RIFF WAVE with 16 bit PCM, any number of channels (Microsoft "Multimedia Programming Interface", 1991). */
export interface Wave {
  readonly seconds: number;
  /** Loudest sample of each equal part, 0 to 1, of all channels. */
  readonly peaks: readonly number[];
}

const formatPcm = 1;
const formatExtensible = 0xfffe;
/** Samples of a part that are looked at; of longer parts some are passed by. */
const mostSamples = 8_000;

/** @returns undefined for bytes that are no such file: they may still play, but cannot be drawn */
export function readWave(bytes: Uint8Array, parts: number): Wave | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const tag = (at: number): string => String.fromCharCode(...bytes.subarray(at, at + 4));
  if (bytes.length < 12 || tag(0) !== 'RIFF' || tag(8) !== 'WAVE') return undefined;
  let format: { channels: number; sampleRate: number } | undefined;
  for (let at = 12; at + 8 <= bytes.length;) {
    const length = view.getUint32(at + 4, true);
    const body = at + 8;
    if (tag(at) === 'fmt ' && body + 16 <= bytes.length) {
      const code = view.getUint16(body, true);
      if ((code !== formatPcm && code !== formatExtensible) || view.getUint16(body + 14, true) !== 16) return undefined;
      format = { channels: view.getUint16(body + 2, true), sampleRate: view.getUint32(body + 4, true) };
    } else if (tag(at) === 'data') {
      if (!format || format.channels === 0 || format.sampleRate === 0) return undefined;
      const samples = Math.floor(Math.min(length, bytes.length - body) / 2);
      return { seconds: samples / format.channels / format.sampleRate, peaks: peaksOf(view, body, samples, parts) };
    }
    at = body + length + (length % 2);
  }
  return undefined;
}

function peaksOf(view: DataView, start: number, samples: number, parts: number): number[] {
  return Array.from({ length: parts }, (_, part) => {
    const from = Math.floor((samples * part) / parts);
    const to = Math.floor((samples * (part + 1)) / parts);
    // Odd, so that of two channels both are looked at.
    const step = 2 * Math.floor((to - from) / mostSamples / 2) + 1;
    let loudest = 0;
    for (let sample = from; sample < to; sample += step)
      loudest = Math.max(loudest, Math.abs(view.getInt16(start + sample * 2, true)));
    return loudest / 32768;
  });
}
