import { frameDistance, frameWeight, hopMs, pauseDbOf, quietDb } from './fingerprint.ts';
import type { UnpackedFingerprint, SoundFrames } from './fingerprint.ts';

/** Stream frames are 10 ms apart, two for each reference frame, so any phase of the sender matches within 5 ms. */
export const stepMs = hopMs / 2;

/** The recent frames of the stream. */
export interface HeardFrames {
  readonly frames: SoundFrames;
  /** Returns the index of the frame at a step, or -1 if it isn't known. */
  indexOf(step: number): number;
}

/** Distances of a span of reference frames, in dB. The window for following a prompt has this length. */
const followFrames = 11;
/** How many steps the alignment can shift to follow a jitter buffer. */
const creepSteps = 4;

export function gainOf(
  reference: UnpackedFingerprint,
  heard: HeardFrames,
  start: number,
  from: number,
  count: number,
): number {
  const { levels } = reference.frames;
  const end = Math.min(from + count, levels.length);
  let sum = 0;
  let loud = 0;
  for (let k = from; k < end; k += 1) {
    const level = levels[k] ?? 0;
    if (level <= quietDb + 4) continue;
    const index = heard.indexOf(start + 2 * k);
    if (index < 0) continue;
    sum += (heard.frames.levels[index] ?? 0) - level;
    loud += 1;
  }
  return loud === 0 ? 0 : Math.max(-12, Math.min(12, sum / loud));
}

/**
 * Returns the weighted mean distance of reference frames `from`… to the stream, if reference frame 0 is at step
 * `start`.
 * @param limit gives Infinity as soon as the distance is certain to be at least this
 */
export function stretchDistance(
  reference: UnpackedFingerprint,
  heard: HeardFrames,
  start: number,
  from: number,
  count: number,
  gain: number,
  limit = Infinity,
): number {
  const { frames } = reference;
  const end = Math.min(from + count, frames.length);
  let sum = 0;
  let weights = 0;
  // More than rounding errors above the limit.
  const limitForSure = limit + 1e-9;
  for (let k = from; k < end; k += 1) {
    const index = heard.indexOf(start + 2 * k);
    if (index < 0) continue;
    const weight = frameWeight(frames.levels[k] ?? 0, (heard.frames.levels[index] ?? 0) - gain);
    sum += weight * frameDistance(frames, k, heard.frames, index, gain);
    weights += weight;
    // The distance is least if the other frames are equal and count fully.
    if (sum > limitForSure * (weights + end - 1 - k)) return Infinity;
  }
  return weights === 0 ? Infinity : sum / weights;
}

/** An expected prompt that matches so far, followed frame by frame. */
export class PromptTrack {
  readonly id: string;
  readonly reference: UnpackedFingerprint;
  /** If the reference is only the rest of a prompt: where it begins in that prompt. */
  readonly offsetMs: number | undefined;
  /** The step of the stream at which reference frame 0 is. */
  start: number;
  /** The distance of the last span. */
  distance: number;
  /** Consecutive steps for which the prompt didn't match. */
  doubtSteps = 0;
  #gain: number;
  #pauseDb: number | undefined;
  /** Reference frames that were counted, and those of them that aren't a pause. */
  #counted = 0;
  #loud = 0;

  constructor(
    { id, reference, offsetMs }: Pick<PromptTrack, 'id' | 'reference' | 'offsetMs'>,
    start: number,
    distance: number,
    gain: number,
  ) {
    this.id = id;
    this.reference = reference;
    this.offsetMs = offsetMs;
    this.start = start;
    this.distance = distance;
    this.#gain = gain;
  }

  /** Returns the reference frames heard so far when the newest stream frame is `step`. */
  heardFrames(step: number): number {
    return Math.min(this.reference.frames.length, Math.floor((step - this.start) / 2) + 1);
  }

  /** Returns how much of what was heard so far is sound rather than a pause. */
  soundMs(step: number): number {
    const { frames } = this.reference;
    this.#pauseDb ??= pauseDbOf(frames);
    for (const until = this.heardFrames(step); this.#counted < until; this.#counted += 1)
      if ((frames.levels[this.#counted] ?? quietDb) > this.#pauseDb) this.#loud += 1;
    return this.#loud * hopMs;
  }

  ended(step: number): boolean {
    return Math.floor((step - this.start) / 2) + 1 >= this.reference.frames.length;
  }

  /** Adds the newest frame; `distance` is then that of the last span at the best nearby alignment. */
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
          best - 0.4,
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

  /** Returns true if the two prompts diverge within this many frames, by their references. */
  partsFrom(other: PromptTrack, step: number, frames: number): boolean {
    const here = this.heardFrames(step);
    const shift = Math.round((this.start - other.start) / 2);
    for (let k = here; k + followFrames <= here + frames; k += 2) {
      const ends =
        k + followFrames > this.reference.frames.length || k + shift + followFrames > other.reference.frames.length;
      if (ends) return true;
      let sum = 0;
      for (let n = k; n < k + followFrames; n += 1) {
        if (n + shift >= 0) sum += frameDistance(this.reference.frames, n, other.reference.frames, n + shift, 0);
      }
      if (sum / followFrames > 3.5) return true;
    }
    return false;
  }
}
