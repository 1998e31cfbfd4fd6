import assert from 'node:assert/strict';
import fc from 'fast-check';
import { powerSpectrum, spectrumLength } from '../../../src/speech/spectrum.ts';

/** The power of each bin, by the definition of the discrete Fourier transform. */
function plainPower(pcm: Int16Array, at: number): number[] {
  const samples = Array.from({ length: spectrumLength }, (_, n) => {
    const hann = Math.sin((Math.PI * (n + 0.5)) / spectrumLength) ** 2;
    return (hann * (pcm[at + n] ?? 0)) / 32_768;
  });
  return Array.from({ length: spectrumLength / 2 }, (_, bin) => {
    let re = 0;
    let im = 0;
    samples.forEach((sample, n) => {
      re += sample * Math.cos((2 * Math.PI * bin * n) / spectrumLength);
      im -= sample * Math.sin((2 * Math.PI * bin * n) / spectrumLength);
    });
    return ((re * re + im * im) * 4) / (spectrumLength * spectrumLength * 0.375);
  });
}

const anySamples = fc.array(fc.integer({ min: -32_768, max: 32_767 }), { minLength: 200, maxLength: 700 });

describe('powerSpectrum', () => {
  it('equals the definition of the discrete Fourier transform', () =>
    fc.assert(
      fc.property(anySamples, fc.integer({ min: -100, max: 600 }), (samples, at) => {
        const pcm = Int16Array.from(samples);
        const plain = plainPower(pcm, at);
        const total = plain.reduce((sum, power) => sum + power, 0);
        const power = powerSpectrum(pcm, at);
        plain.forEach((expected, bin) =>
          assert.ok(Math.abs((power[bin] ?? NaN) - expected) <= 1e-9 * total, `bin ${bin}`),
        );
      }),
      { numRuns: 40 },
    ));

  it('gives a full-scale sine a total power of about 1, at its frequency', () => {
    for (const bin of [3, 40, 64, 100]) {
      const pcm = Int16Array.from({ length: spectrumLength }, (_, n) =>
        Math.round(32_767 * Math.sin((2 * Math.PI * bin * n) / spectrumLength)),
      );
      const power = powerSpectrum(pcm);
      const total = power.reduce((sum, each) => sum + each, 0);
      assert.ok(Math.abs(total - 1) < 0.01, `${total}`);
      assert.equal(power.indexOf(Math.max(...power)), bin);
    }
  });
});
