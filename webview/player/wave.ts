import { waveFormats, waveLayout } from '../../src/base/riff.ts';

/** The waveform of a recording: RIFF WAVE with 16 bit PCM, any number of channels. */
export interface Wave {
  readonly seconds: number;
  /** The loudest sample of each equal part, 0 to 1, over all channels. */
  readonly peaks: readonly number[];
}

/** Samples that are read per part; longer parts are subsampled. */
const maxSamples = 8_000;

/** @returns undefined for other bytes, which may still play but can't be drawn */
export function readWave(bytes: Uint8Array, parts: number): Wave | undefined {
  const layout = waveLayout(bytes);
  if (!layout?.format || !layout.data) return undefined;
  const { code, bits, channels, sampleRate } = layout.format;
  if (code !== waveFormats.pcm || bits !== 16 || channels === 0 || sampleRate === 0) return undefined;
  const samples = Math.floor(layout.data.length / 2);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return { seconds: samples / channels / sampleRate, peaks: peaksOf(view, layout.data.at, samples, parts) };
}

function peaksOf(view: DataView, start: number, samples: number, parts: number): number[] {
  return Array.from({ length: parts }, (_, part) => {
    const from = Math.floor((samples * part) / parts);
    const to = Math.floor((samples * (part + 1)) / parts);
    // Odd, so that both of two channels are read.
    const step = 2 * Math.floor((to - from) / maxSamples / 2) + 1;
    let loudest = 0;
    for (let sample = from; sample < to; sample += step)
      loudest = Math.max(loudest, Math.abs(view.getInt16(start + sample * 2, true)));
    return loudest / 32768;
  });
}
