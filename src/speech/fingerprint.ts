import type { Fingerprint } from './ear.ts';
import { binHz, decibels, powerSpectrum, spectrumLength } from './spectrum.ts';

/** Upper edges of ten bands from 200 to 3400 Hz, of about equal width to the ear. */
const bandEdgesHz = [200, 340, 480, 640, 820, 1030, 1290, 1610, 2020, 2580, 3400];
export const bands = bandEdgesHz.length - 1;
const edges = bandEdgesHz.map((hz) => Math.round(hz / binHz));

/** Reference frames are 20 ms apart, each with 32 ms of audio. */
export const hopMs = 20;
const hopSamples = hopMs * 8;
/** Bytes per frame: ten band levels relative to their mean in quarter decibels, then the frame's level in -dBFS. */
const frameBytes = bands + 1;
const version = 1;

/** A frame below this is quiet; above G.711's own noise and a line's hiss. */
export const quietDb = -40;
/** Noise floor added to each band, so that hiss in quiet frames doesn't look like a shape. */
const bandFloor = 10 ** ((quietDb - 7) / 10) / bands;

/** Descriptions of frames, in two arrays because the calls of a load test compare millions of them a second. */
export class SoundFrames {
  readonly length: number;
  /** dB relative to the mean of the frame's bands; ten for each frame. */
  readonly shapes: Float32Array;
  /** dBFS. */
  readonly levels: Float64Array;

  constructor(length: number) {
    this.length = length;
    this.shapes = new Float32Array(length * bands);
    this.levels = new Float64Array(length);
  }

  /** Describes the 32 ms of audio from sample `at` as frame `index`. Returns its level. */
  describe(index: number, pcm: Int16Array, at: number): number {
    const power = powerSpectrum(pcm, at);
    const { shapes } = this;
    const from = index * bands;
    let total = 0;
    let mean = 0;
    for (let band = 0; band < bands; band += 1) {
      let sum = 0;
      const end = edges[band + 1] ?? 0;
      for (let bin = edges[band] ?? 0; bin < end; bin += 1) sum += power[bin] ?? 0;
      total += sum;
      shapes[from + band] = decibels(sum + bandFloor);
      mean += (shapes[from + band] ?? 0) / bands;
    }
    for (let band = 0; band < bands; band += 1) shapes[from + band] = (shapes[from + band] ?? 0) - mean;
    return (this.levels[index] = Math.max(-96, Math.min(0, decibels(total))));
  }
}

/** Describes a recording by frames that are `hop` samples apart. */
export function soundFrames(pcm: Int16Array, hop: number): SoundFrames {
  const frames = new SoundFrames(Math.max(0, Math.floor((pcm.length - spectrumLength) / hop) + 1));
  for (let index = 0; index < frames.length; index += 1) frames.describe(index, pcm, index * hop);
  return frames;
}

/** Returns the first part of a prompt's fingerprint. */
export const beginningOf = (fingerprint: Fingerprint, untilMs: number): Fingerprint =>
  fingerprint.slice(0, 2 + Math.round(untilMs / hopMs) * frameBytes);

/** From its first to its last sound. */
export const promptMs = (fingerprint: Fingerprint): number => ((fingerprint.length - 2) / frameBytes) * hopMs;

/**
 * Describes a prompt's audio (8 kHz) from its first to its last sound: a version byte, the silence before it in units
 * of 20 ms, then the frames.
 */
export function fingerprintOf(pcm: Int16Array): Fingerprint {
  const { shapes, levels } = soundFrames(pcm, hopSamples);
  const isLoud = (index: number): boolean => (levels[index] ?? quietDb) > quietDb;
  const last = levels.findLastIndex((level) => level > quietDb);
  const begun = levels.findIndex((_, index) => begins(isLoud, index));
  const first = begun < 0 ? levels.findIndex((level) => level > quietDb) : begun;
  const count = first < 0 ? 0 : last + 1 - first;
  const bytes = new Uint8Array(2 + count * frameBytes);
  bytes[0] = version;
  bytes[1] = Math.min(255, Math.max(0, first));
  for (let index = 0; index < count; index += 1) {
    const at = 2 + index * frameBytes;
    for (let band = 0; band < bands; band += 1) {
      const value = shapes[(first + index) * bands + band] ?? 0;
      bytes[at + band] = Math.max(-128, Math.min(127, Math.round(value * 4))) & 0xff;
    }
    bytes[at + bands] = Math.round(-(levels[first + index] ?? 0));
  }
  return bytes;
}

/** The rest of a prompt after one of its pauses. `offsetMs`: where it begins in the prompt. */
export interface PromptRest {
  readonly fingerprint: Fingerprint;
  readonly offsetMs: number;
}

/** Returns what is left of a prompt after each of its pauses that ends before `untilMs` of the prompt. */
export function restsAfterPauses(fingerprint: Fingerprint, untilMs: number): PromptRest[] {
  const { leadMs, frames } = readFingerprint(fingerprint);
  const rests: PromptRest[] = [];
  const pauseDb = pauseDbOf(frames);
  const isLoud = (index: number): boolean => (frames.levels[index] ?? quietDb) > pauseDb;
  let quiet = 0;
  for (let index = 0; index < frames.length; index += 1) {
    const offsetMs = leadMs + index * hopMs;
    if (offsetMs > untilMs || frames.length - index < shortestRestMs / hopMs) break;
    const isOver = quiet > 0 && begins(isLoud, index);
    if (isOver && quiet >= pauseMs / hopMs) {
      const rest = new Uint8Array(fingerprint.length - index * frameBytes);
      rest[0] = version;
      rest.set(fingerprint.subarray(2 + index * frameBytes), 2);
      rests.push({ fingerprint: rest, offsetMs });
    }
    quiet = isOver || (quiet === 0 && isLoud(index)) ? 0 : quiet + 1;
  }
  return rests;
}
/** Noise of a line varies by less than this. */
const aboveNoiseDb = 6;
/**
 * Returns the level (dBFS) up to which a frame of this prompt counts as a pause. A tenth of the frames are quieter than
 * the noise of its line, if it has pauses.
 */
export function pauseDbOf({ levels }: SoundFrames): number {
  const noiseDb = levels.toSorted()[Math.floor(levels.length / 10)] ?? quietDb;
  return Math.max(quietDb, Math.min(noiseDb, quietDb) + aboveNoiseDb);
}
/** The silence after which a prompt can be recognised as if it began there. */
const pauseMs = 240;
const shortestRestMs = 3000;
const onsetFrames = 10;
/** A click in a pause, or the last sound of a prompt that a key stopped, isn't the beginning of what follows. */
function begins(isLoud: (index: number) => boolean, index: number): boolean {
  if (!isLoud(index)) return false;
  let loud = 0;
  for (let later = 0; later < onsetFrames; later += 1) loud += isLoud(index + later) ? 1 : 0;
  return loud * 2 > onsetFrames;
}

/** What a prompt contains between two of its pauses, also short ones. Times are from its first sound. */
export interface PromptPart {
  readonly fromMs: number;
  readonly toMs: number;
  /** Returns what is between this time, at which a part begins, and the end of this part. */
  readonly until: (fromMs: number) => Fingerprint;
}

export function partsBetweenPauses(fingerprint: Fingerprint): PromptPart[] {
  const { frames } = readFingerprint(fingerprint);
  const spans: { from: number; to: number }[] = [];
  for (let index = 0; index < frames.length; index += 1) {
    if ((frames.levels[index] ?? quietDb) <= quietDb) continue;
    const last = spans.at(-1);
    if (last && index - last.to < shortPauseMs / hopMs) last.to = index + 1;
    else spans.push({ from: index, to: index + 1 });
  }
  return spans.map(({ from, to }) => ({
    fromMs: from * hopMs,
    toMs: to * hopMs,
    until: (fromMs) => {
      const start = Math.round(fromMs / hopMs);
      const part = new Uint8Array(2 + (to - start) * frameBytes);
      part[0] = version;
      part.set(fingerprint.subarray(2 + start * frameBytes, 2 + to * frameBytes), 2);
      return part;
    },
  }));
}
const shortPauseMs = 120;

/** A fingerprint unpacked for comparison. */
export interface UnpackedFingerprint {
  readonly leadMs: number;
  readonly frames: SoundFrames;
}

/** Unpacks a fingerprint. Bytes of another version give no frames, and so match nothing. */
export function readFingerprint(bytes: Fingerprint): UnpackedFingerprint {
  if (bytes[0] !== version) return { leadMs: 0, frames: new SoundFrames(0) };
  const frames = new SoundFrames(Math.floor((bytes.length - 2) / frameBytes));
  for (let index = 0; index < frames.length; index += 1) {
    const at = 2 + index * frameBytes;
    for (let band = 0; band < bands; band += 1)
      frames.shapes[index * bands + band] = (((bytes[at + band] ?? 0) << 24) >> 24) / 4;
    frames.levels[index] = -(bytes[at + bands] ?? 96);
  }
  return { leadMs: (bytes[1] ?? 0) * hopMs, frames };
}

/**
 * Returns the distance of two frames, in dB: the bands' mean difference, and the difference in level. Two quiet frames
 * are equal. Limited, so that a lost packet doesn't outweigh its surroundings.
 * @param gain in dB, of `b` relative to `a`
 */
export function frameDistance(a: SoundFrames, indexA: number, b: SoundFrames, indexB: number, gain: number): number {
  const floor = quietDb - 3;
  const level = Math.abs(Math.max(floor, (b.levels[indexB] ?? 0) - gain) - Math.max(floor, a.levels[indexA] ?? 0));
  const fromA = indexA * bands;
  const fromB = indexB * bands;
  let sum = 0;
  for (let band = 0; band < bands; band += 1)
    sum += Math.abs((a.shapes[fromA + band] ?? 0) - (b.shapes[fromB + band] ?? 0));
  return Math.min(14, sum / bands + 0.3 * Math.min(level, 24));
}

/** Loud frames count fully, quiet ones a fifth, because noise affects those most. Levels in dBFS, after the gain. */
export function frameWeight(referenceLevel: number, heardLevel: number): number {
  const loudest = Math.max(referenceLevel, heardLevel);
  return Math.max(0.2, Math.min(1, (loudest - quietDb) / 20));
}
