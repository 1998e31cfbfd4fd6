import { waveFormats, waveLayout } from '../../../base/riff.ts';

/**
 * Returns the part of a WAV recording between two times, after this much silence, as a WAV of the same format.
 * Undefined if the bytes aren't a WAV file of 16 bit PCM, or the part is empty.
 */
export function wavSlice(
  wav: Uint8Array,
  fromMs: number,
  toMs: number,
  silenceMs = 0,
): Uint8Array<ArrayBuffer> | undefined {
  const layout = waveLayout(wav);
  if (!layout?.format || !layout.data) return undefined;
  const { code, bits, bytesPerSecond, blockAlign } = layout.format;
  if (code !== waveFormats.pcm || bits !== 16 || blockAlign === 0) return undefined;
  const { at, length } = layout.data;
  const bytesIn = (ms: number): number =>
    Math.max(0, Math.round(((ms / 1000) * bytesPerSecond) / blockAlign) * blockAlign);
  const [from, to] = [Math.min(length, bytesIn(fromMs)), Math.min(length, bytesIn(toMs))];
  return to > from ? joined(wav.subarray(0, at), bytesIn(silenceMs), wav.subarray(at + from, at + to)) : undefined;
}

/** Joins the head up to the samples, with updated lengths. */
function joined(head: Uint8Array, silence: number, samples: Uint8Array): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(head.length + silence + samples.length);
  bytes.set(head);
  bytes.set(samples, head.length + silence);
  const view = new DataView(bytes.buffer);
  view.setUint32(4, bytes.length - 8, true);
  view.setUint32(head.length - 4, silence + samples.length, true);
  return bytes;
}
