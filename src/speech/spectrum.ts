/** Samples of one spectrum: 32 ms at 8 kHz; a bin is 31.25 Hz. */
export const spectrumLength = 256;
export const binHz = 8000 / spectrumLength;

const half = spectrumLength / 2;
const window = Float64Array.from(
  { length: spectrumLength },
  (_, at) => 0.5 - 0.5 * Math.cos((2 * Math.PI * (at + 0.5)) / spectrumLength),
);
const cosines = Float64Array.from({ length: half }, (_, k) => Math.cos((2 * Math.PI * k) / spectrumLength));
const sines = Float64Array.from({ length: half }, (_, k) => Math.sin((2 * Math.PI * k) / spectrumLength));
const reversed = Uint8Array.from({ length: spectrumLength }, (_, at) =>
  parseInt(at.toString(2).padStart(8, '0').split('').reverse().join(''), 2),
);

/**
 * Returns the power of bins 0…127 of 256 samples under a Hann window, scaled so that a full-scale sine has about 1 in
 * total.
 * @param at index of the first sample; samples beyond either end count as zero
 */
export function powerSpectrum(pcm: Int16Array, at = 0): Float64Array {
  const re = new Float64Array(spectrumLength);
  const im = new Float64Array(spectrumLength);
  for (let n = 0; n < spectrumLength; n += 1) re[reversed[n] ?? 0] = ((pcm[at + n] ?? 0) / 32768) * (window[n] ?? 0);
  transform(re, im);
  const power = new Float64Array(half);
  // Parseval: two-sided energy over N · sum of the squared window, doubled for a sine's mean square of one half.
  const scale = 4 / (spectrumLength * spectrumLength * 0.375);
  for (let k = 0; k < half; k += 1) power[k] = ((re[k] ?? 0) ** 2 + (im[k] ?? 0) ** 2) * scale;
  return power;
}

/** The fast Fourier transform, radix 2, of samples in bit-reversed order; in place. */
function transform(re: Float64Array, im: Float64Array): void {
  for (let size = 2; size <= spectrumLength; size *= 2) {
    const step = spectrumLength / size;
    for (let start = 0; start < spectrumLength; start += size) {
      for (let k = 0; k < size / 2; k += 1) {
        const c = cosines[k * step] ?? 0;
        const s = sines[k * step] ?? 0;
        const a = start + k;
        const b = a + size / 2;
        const xr = (re[b] ?? 0) * c + (im[b] ?? 0) * s;
        const xi = (im[b] ?? 0) * c - (re[b] ?? 0) * s;
        re[b] = (re[a] ?? 0) - xr;
        im[b] = (im[a] ?? 0) - xi;
        re[a] = (re[a] ?? 0) + xr;
        im[a] = (im[a] ?? 0) + xi;
      }
    }
  }
}

export const decibels = (power: number): number => 10 * Math.log10(power + 1e-12);
