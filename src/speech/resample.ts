/**
 * Half-band low-pass, Kaiser window (β 7, about 70 dB): `taps` one-sided coefficients of the odd offsets; the even ones
 * are zero.
 */
const oneSided = 24;
const oddTaps = halfBand();

function bessel0(x: number): number {
  let sum = 1;
  let term = 1;
  for (let k = 1; k < 25; k += 1) {
    term *= (x / (2 * k)) ** 2;
    sum += term;
  }
  return sum;
}

function halfBand(): Float64Array {
  const taps = new Float64Array(oneSided);
  const reach = 2 * oneSided;
  for (let index = 0; index < oneSided; index += 1) {
    const offset = 2 * index + 1;
    const window = bessel0(7 * Math.sqrt(1 - (offset / reach) ** 2)) / bessel0(7);
    taps[index] = (Math.sin((Math.PI * offset) / 2) / (Math.PI * offset)) * window;
  }
  const gain = 2 * taps.reduce((sum, tap) => sum + tap, 0);
  return taps.map((tap) => (tap * 0.5) / gain);
}

/** 8 kHz 16 bit to 16 kHz in -1…1, linear phase, no delay. */
export function upsample(pcm: Int16Array): Float32Array<ArrayBuffer> {
  const out = new Float32Array(pcm.length * 2);
  for (let at = 0; at < pcm.length; at += 1) {
    out[2 * at] = (pcm[at] ?? 0) / 32768;
    let between = 0;
    for (let tap = 0; tap < oneSided; tap += 1) {
      between += (oddTaps[tap] ?? 0) * ((pcm[at - tap] ?? 0) + (pcm[at + tap + 1] ?? 0));
    }
    out[2 * at + 1] = (between * 2) / 32768;
  }
  return out;
}

/** 16 kHz to 8 kHz, both 16 bit, linear phase, no delay. */
export function downsample(pcm: Int16Array): Int16Array {
  const out = new Int16Array(Math.floor(pcm.length / 2));
  for (let at = 0; at < out.length; at += 1) {
    const centre = 2 * at;
    let sum = 0.5 * (pcm[centre] ?? 0);
    for (let tap = 0; tap < oneSided; tap += 1) {
      const offset = 2 * tap + 1;
      sum += (oddTaps[tap] ?? 0) * ((pcm[centre - offset] ?? 0) + (pcm[centre + offset] ?? 0));
    }
    out[at] = Math.max(-32768, Math.min(32767, Math.round(sum)));
  }
  return out;
}
