/**
 * The part of a WAV recording between two times behind so much silence, as a WAV of the same format. Undefined where the bytes are no WAV of 16 bit PCM, or the part is empty.
 * RIFF WAVE: "Multimedia Programming Interface and Data Specifications 1.0", 1991.
 */
export function wavSlice(
  wav: Uint8Array,
  fromMs: number,
  toMs: number,
  silenceMs = 0,
): Uint8Array<ArrayBuffer> | undefined {
  const view = new DataView(wav.buffer, wav.byteOffset, wav.byteLength);
  const tag = (at: number): string => String.fromCharCode(...wav.subarray(at, at + 4));
  if (wav.length < 12 || tag(0) !== 'RIFF' || tag(8) !== 'WAVE') return undefined;
  let bytesASecond = 0,
    block = 0;
  const bytesIn = (ms: number): number => Math.max(0, Math.round(((ms / 1000) * bytesASecond) / block) * block);
  for (let at = 12; at + 8 <= wav.length;) {
    const body = at + 8;
    const length = view.getUint32(at + 4, true);
    if (tag(at) === 'fmt ' && body + 16 <= wav.length) {
      if (view.getUint16(body, true) !== 1 || view.getUint16(body + 14, true) !== 16) return undefined;
      bytesASecond = view.getUint32(body + 8, true);
      block = view.getUint16(body + 12, true);
    } else if (tag(at) === 'data') {
      const there = Math.min(length, wav.length - body);
      const [from, to] = [Math.min(there, bytesIn(fromMs)), Math.min(there, bytesIn(toMs))];
      return block > 0 && to > from
        ? joined(wav.subarray(0, body), bytesIn(silenceMs), wav.subarray(body + from, body + to), at)
        : undefined;
    }
    at = body + length + (length % 2);
  }
  return undefined;
}

/** The head up to the samples, with the lengths of what is behind it now. */
function joined(head: Uint8Array, silence: number, samples: Uint8Array, dataAt: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(head.length + silence + samples.length);
  bytes.set(head);
  bytes.set(samples, head.length + silence);
  const view = new DataView(bytes.buffer);
  view.setUint32(4, bytes.length - 8, true);
  view.setUint32(dataAt + 4, silence + samples.length, true);
  return bytes;
}
