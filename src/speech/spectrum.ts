/** Samples of one spectrum: 32 ms at 8 kHz; a bin is 31.25 Hz. */
export const spectrumLength = 256;
export const binHz = 8000 / spectrumLength;

const half = spectrumLength / 2;
/** Hann, for samples of 16 bits. */
const window = Float64Array.from(
  { length: spectrumLength },
  (_, at) => (0.5 - 0.5 * Math.cos((2 * Math.PI * (at + 0.5)) / spectrumLength)) / 32768,
);
const cosines = Float64Array.from({ length: spectrumLength }, (_, k) => Math.cos((2 * Math.PI * k) / spectrumLength));
const sines = Float64Array.from({ length: spectrumLength }, (_, k) => Math.sin((2 * Math.PI * k) / spectrumLength));
const reversed = Uint8Array.from({ length: half }, (_, at) =>
  parseInt(at.toString(2).padStart(7, '0').split('').reverse().join(''), 2),
);
/** Parseval: two-sided energy over N · sum of the squared window, doubled for a sine's mean square of one half. */
const scale = 4 / (spectrumLength * spectrumLength * 0.375);

// Reused, because the calls of a load test compute thousands of spectra a second.
const re = new Float64Array(half);
const im = new Float64Array(half);
const power = new Float64Array(half);

/**
 * Returns the power of bins 0…127 of 256 samples under a Hann window, scaled so that a full-scale sine has about 1 in
 * total. The array is valid until the next call.
 * @param at index of the first sample; samples beyond either end count as zero
 */
export function powerSpectrum(pcm: Int16Array, at = 0): Float64Array {
  // The samples are real, so the even ones are transformed as real parts and the odd ones as imaginary parts. The first
  // step of the transform, of values that are half the length apart, is done here.
  for (let n = 0; n < half; n += 2) {
    const near = at + n;
    const far = near + half;
    const nearRe = (pcm[near] ?? 0) * (window[n] ?? 0);
    const nearIm = (pcm[near + 1] ?? 0) * (window[n + 1] ?? 0);
    const farRe = (pcm[far] ?? 0) * (window[n + half] ?? 0);
    const farIm = (pcm[far + 1] ?? 0) * (window[n + half + 1] ?? 0);
    const to = reversed[n / 2] ?? 0;
    re[to] = nearRe + farRe;
    im[to] = nearIm + farIm;
    re[to + 1] = nearRe - farRe;
    im[to + 1] = nearIm - farIm;
  }
  transform();
  power[0] = ((re[0] ?? 0) + (im[0] ?? 0)) ** 2 * scale;
  // Separates the spectra of even and odd samples, e and o, which gives bins k and 128 − k.
  for (let k = 1; k <= half / 2; k += 1) {
    const mirror = half - k;
    const er = (re[k] ?? 0) + (re[mirror] ?? 0);
    const ei = (im[k] ?? 0) - (im[mirror] ?? 0);
    const or = (im[k] ?? 0) + (im[mirror] ?? 0);
    const oi = (re[mirror] ?? 0) - (re[k] ?? 0);
    const c = cosines[k] ?? 0;
    const s = sines[k] ?? 0;
    const tr = or * c + oi * s;
    const ti = oi * c - or * s;
    power[k] = ((er + tr) ** 2 + (ei + ti) ** 2) * (scale / 4);
    power[mirror] = ((er - tr) ** 2 + (ei - ti) ** 2) * (scale / 4);
  }
  return power;
}

/**
 * The rest of the fast Fourier transform of 128 complex values in bit-reversed order, in place: radix 4, from
 * transforms of 2 values to 8, 32 and 128.
 */
function transform(): void {
  for (let size = 8; size <= half; size *= 4) {
    const step = spectrumLength / size;
    const quarter = size / 4;
    for (let k = 0; k < quarter; k += 1) {
      const c1 = cosines[k * step] ?? 0;
      const s1 = sines[k * step] ?? 0;
      const c2 = cosines[2 * k * step] ?? 0;
      const s2 = sines[2 * k * step] ?? 0;
      const c3 = cosines[3 * k * step] ?? 0;
      const s3 = sines[3 * k * step] ?? 0;
      for (let a = k; a < half; a += size) {
        const b = a + quarter;
        const c = b + quarter;
        const d = c + quarter;
        const ar = re[a] ?? 0;
        const ai = im[a] ?? 0;
        const br = (re[b] ?? 0) * c2 + (im[b] ?? 0) * s2;
        const bi = (im[b] ?? 0) * c2 - (re[b] ?? 0) * s2;
        const cr = (re[c] ?? 0) * c1 + (im[c] ?? 0) * s1;
        const ci = (im[c] ?? 0) * c1 - (re[c] ?? 0) * s1;
        const dr = (re[d] ?? 0) * c3 + (im[d] ?? 0) * s3;
        const di = (im[d] ?? 0) * c3 - (re[d] ?? 0) * s3;
        re[a] = ar + br + cr + dr;
        im[a] = ai + bi + ci + di;
        re[b] = ar - br + ci - di;
        im[b] = ai - bi - cr + dr;
        re[c] = ar + br - cr - dr;
        im[c] = ai + bi - ci - di;
        re[d] = ar - br - ci + di;
        im[d] = ai - bi + cr - dr;
      }
    }
  }
}

export const decibels = (power: number): number => 10 * Math.log10(power + 1e-12);
