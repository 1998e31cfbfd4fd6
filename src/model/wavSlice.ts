/**
 * The part of a WAV recording between two times, as a WAV of the same format. Undefined where the bytes are no WAV, or the part is empty.
 * RIFF WAVE: "Multimedia Programming Interface and Data Specifications 1.0", 1991.
 */
export function wavSlice(wav: Uint8Array, fromMs: number, toMs: number): Uint8Array<ArrayBuffer> | undefined {
  const view = new DataView(wav.buffer, wav.byteOffset, wav.byteLength);
  const tag = (at: number): string => String.fromCharCode(...wav.subarray(at, at + 4));
  if (wav.length < 12 || tag(0) !== 'RIFF' || tag(8) !== 'WAVE') return undefined;
  let bytesASecond = 0, block = 0;
  for (let at = 12; at + 8 <= wav.length;) {
    const body = at + 8;
    const length = view.getUint32(at + 4, true);
    if (tag(at) === 'fmt ' && body + 16 <= wav.length) {
      bytesASecond = view.getUint32(body + 8, true);
      block = view.getUint16(body + 12, true);
    } else if (tag(at) === 'data') {
      const there = Math.min(length, wav.length - body);
      const byteAt = (ms: number): number => Math.min(there, Math.max(0, Math.round((ms / 1000) * bytesASecond / block) * block));
      const [from, to] = [byteAt(fromMs), byteAt(toMs)];
      return block > 0 && to > from ? joined(wav.subarray(0, body), wav.subarray(body + from, body + to), at) : undefined;
    }
    at = body + length + (length % 2);
  }
  return undefined;
}

/** The head up to the samples, with the lengths of what is behind it now. */
function joined(head: Uint8Array, samples: Uint8Array, dataAt: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(head.length + samples.length);
  bytes.set(head);
  bytes.set(samples, head.length);
  const view = new DataView(bytes.buffer);
  view.setUint32(4, bytes.length - 8, true);
  view.setUint32(dataAt + 4, samples.length, true);
  return bytes;
}
