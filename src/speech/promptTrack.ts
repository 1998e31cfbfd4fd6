import { frameDistance, frameWeight, hopMs, quietDb } from './fingerprint.ts';
import type { Reference, SoundFrame } from './fingerprint.ts';

/** Stream frames lie 10 ms apart, two for each reference frame, so that any phase of the sender is met within 5 ms. */
export const stepMs = hopMs / 2;

/** The recent frames of the stream, by step number. */
export interface HeardFrames {
  at(step: number): SoundFrame | undefined;
}

/** Distances of a stretch of reference frames, in dB; the window by which a prompt is followed is this long. */
export const followFrames = 11;
/** Steps by which the alignment may creep to follow a jitter buffer. */
const creepSteps = 4;

export function gainOf(reference: Reference, heard: HeardFrames, start: number, from: number, count: number): number {
  let sum = 0;
  let loud = 0;
  for (let k = from; k < from + count; k += 1) {
    const frame = reference.frames[k];
    const other = heard.at(start + 2 * k);
    if (!frame || !other || frame.level <= quietDb + 4) continue;
    sum += other.level - frame.level;
    loud += 1;
  }
  return loud === 0 ? 0 : Math.max(-12, Math.min(12, sum / loud));
}

/** Weighted mean distance of reference frames `from`… to the stream, when reference frame 0 lies at step `start`. */
export function stretchDistance(
  reference: Reference,
  heard: HeardFrames,
  start: number,
  from: number,
  count: number,
  gain: number,
): number {
  let sum = 0;
  let weights = 0;
  for (let k = from; k < from + count; k += 1) {
    const frame = reference.frames[k];
    const other = heard.at(start + 2 * k);
    if (!frame || !other) continue;
    const weight = frameWeight(frame, other, gain);
    sum += weight * frameDistance(frame, other, gain);
    weights += weight;
  }
  return weights === 0 ? Infinity : sum / weights;
}

/** One expected prompt that fits so far, followed frame by frame. */
export class PromptTrack {
  readonly id: string;
  readonly reference: Reference;
  /** Step of the stream at which reference frame 0 lies. */
  start: number;
  /** Distance of the last stretch. */
  distance: number;
  /** Steps in a row for which the prompt was beyond what fits. */
  doubtSteps = 0;
  #gain: number;

  constructor(id: string, reference: Reference, start: number, distance: number, gain: number) {
    this.id = id;
    this.reference = reference;
    this.start = start;
    this.distance = distance;
    this.#gain = gain;
  }

  /** Reference frames heard so far when the newest stream frame is `step`. */
  heardFrames(step: number): number {
    return Math.min(this.reference.frames.length, Math.floor((step - this.start) / 2) + 1);
  }

  ended(step: number): boolean {
    return Math.floor((step - this.start) / 2) + 1 >= this.reference.frames.length;
  }

  /** Takes in the newest frame; `distance` is then of the last stretch at the best alignment close by. */
  follow(heard: HeardFrames, step: number): void {
    const until = this.heardFrames(step);
    const from = Math.max(0, until - followFrames);
    let best = stretchDistance(this.reference, heard, this.start, from, until - from, this.#gain);
    if (best > 2.5) {
      for (let creep = -creepSteps; creep <= creepSteps; creep += 1) {
        const other = stretchDistance(
          this.reference,
          heard,
          this.start + creep,
          from,
          until - from - (creep > 0 ? Math.ceil(creep / 2) : 0),
          this.#gain,
        );
        if (other < best - 0.4) {
          best = other;
          this.start += creep;
          break;
        }
      }
    }
    this.distance = best;
    const gain = gainOf(this.reference, heard, this.start, Math.max(0, until - 50), Math.min(50, until));
    if (best < 3) this.#gain = gain;
  }

  /** Whether the two prompts part within so many frames from here on, by their references. */
  partsFrom(other: PromptTrack, step: number, frames: number): boolean {
    const here = this.heardFrames(step);
    const shift = Math.round((this.start - other.start) / 2);
    for (let k = here; k + followFrames <= here + frames; k += 2) {
      const ends =
        k + followFrames > this.reference.frames.length || k + shift + followFrames > other.reference.frames.length;
      if (ends) return true;
      let sum = 0;
      for (let n = k; n < k + followFrames; n += 1) {
        const a = this.reference.frames[n];
        const b = other.reference.frames[n + shift];
        if (a && b) sum += frameDistance(a, b, 0);
      }
      if (sum / followFrames > 3.5) return true;
    }
    return false;
  }
}
