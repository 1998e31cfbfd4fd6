import { binHz, decibels, powerSpectrum } from './spectrum.ts';

/** Properties of 32 ms of audio for the sound classifier. */
export interface ToneFrame {
  /** dBFS. */
  readonly level: number;
  /** Frequency of the strongest peak. */
  readonly peakHz: number;
  /** Share of the power within two bins of that peak: near 1 for one pure tone. */
  readonly peakShare: number;
  /** Share within 370…510 Hz, where the ringback and busy tones of most countries are, single or beating. */
  readonly lowShare: number;
  /** Share of the weaker and of both of 480 and 620 Hz, the North American busy tone. */
  readonly busyWeaker: number;
  readonly busyShare: number;
  /** Geometric over arithmetic mean of bins of 200…3400 Hz, dB: 0 for white noise, far below for tones and chords. */
  readonly flatness: number;
}

const bin = (hz: number): number => Math.round(hz / binHz);

export function toneFrame(pcm: Int16Array): ToneFrame {
  const power = powerSpectrum(pcm);
  const share = (fromHz: number, toHz: number): number => {
    let sum = 0;
    for (let k = bin(fromHz); k <= bin(toHz); k += 1) sum += power[k] ?? 0;
    return sum / total;
  };
  let total = 1e-12;
  let peak = 3;
  for (let k = 3; k < power.length; k += 1) {
    total += power[k] ?? 0;
    if ((power[k] ?? 0) > (power[peak] ?? 0)) peak = k;
  }
  let logSum = 0;
  let sum = 0;
  const from = bin(200);
  const to = bin(3400);
  for (let k = from; k <= to; k += 1) {
    logSum += Math.log10((power[k] ?? 0) + 1e-10);
    sum += (power[k] ?? 0) + 1e-10;
  }
  const count = to - from + 1;
  const [left, centre, right] = [peak - 1, peak, peak + 1].map((k) => Math.log((power[k] ?? 0) + 1e-12)) as [
    number,
    number,
    number,
  ];
  const curve = left - 2 * centre + right;
  const offset = curve === 0 ? 0 : (0.5 * (left - right)) / curve;
  const near480 = share(430, 530);
  const near620 = share(570, 670);
  return {
    level: decibels(total),
    peakHz: (peak + offset) * binHz,
    peakShare: share((peak - 2) * binHz, (peak + 2) * binHz),
    lowShare: share(340, 530),
    busyWeaker: Math.min(near480, near620),
    busyShare: near480 + near620,
    flatness: (10 * logSum) / count - 10 * Math.log10(sum / count),
  };
}
