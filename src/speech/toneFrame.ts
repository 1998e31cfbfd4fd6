import { binHz, decibels, powerSpectrum } from './spectrum.ts';

/** Properties of 32 ms of audio for the sound classifier. */
export interface ToneFrame {
  /** dBFS. */
  readonly level: number;
  /** Mean square of the samples, each with the same weight. */
  readonly power: number;
  /** Frequency of the strongest peak. */
  readonly peakHz: number;
  /** Share of the power within two bins of that peak: near 1 for one pure tone. */
  readonly peakShare: number;
  /** Share within 340…530 Hz, where the tones of most countries are, single or beating, and its centre. */
  readonly lowShare: number;
  readonly lowHz: number;
  /** Share within 340…670 Hz, and of the weaker of 480 and 620 Hz, the North American busy tone. */
  readonly wideShare: number;
  readonly wideWeaker: number;
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
  let [lowSum, lowMoment, energy] = [1e-12, 0, 0];
  for (let k = bin(340); k <= bin(530); k += 1) {
    lowSum += power[k] ?? 0;
    lowMoment += (power[k] ?? 0) * k * binHz;
  }
  for (const sample of pcm) energy += sample * sample;
  return {
    level: decibels(total),
    power: energy / pcm.length,
    peakHz: (peak + offset) * binHz,
    peakShare: share((peak - 2) * binHz, (peak + 2) * binHz),
    lowShare: lowSum / total,
    lowHz: lowMoment / lowSum,
    wideShare: share(340, 670),
    wideWeaker: Math.min(share(430, 530), share(570, 670)),
    flatness: (10 * logSum) / count - 10 * Math.log10(sum / count),
  };
}
