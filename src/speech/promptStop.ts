import type { Fingerprint } from './ear.ts';
import { frameDistance, frameWeight, quietDb, readFingerprint, SoundFrames, soundFrames } from './fingerprint.ts';
import type { UnpackedFingerprint } from './fingerprint.ts';
import { gainOf, stepMs, stretchDistance, type HeardFrames } from './promptTrack.ts';
import { spectrumLength } from './spectrum.ts';

/** A prompt that plays, and where it began in the call's audio, or would have begun if only its rest plays. */
export interface PlayingPrompt {
  /** Its recordings. One of them plays. */
  readonly fingerprints: readonly Fingerprint[];
  readonly beganMs: number;
}

const stepSamples = stepMs * 8;
/** The position of the prompt is found again in this much of what was heard before. */
export const alignedMs = 1500;
/** How far that position can differ from the expected one: jitter buffers shift it, and systems respond at their pace. */
const alignSteps = 40;
/** Mean distance in dB: the same audio stays below 3, other speech is above 5. */
const sameWithin = 4;
/** The prompt has stopped when the distances beyond `sameWithin` add up to this. A single lost packet stays below. */
const stoppedFrom = 16;

const softOnsetSteps = 20;

/** Finds where a known prompt stops, although another may follow at once. */
export class PromptStop {
  readonly #fromMs: number;
  readonly #reference: UnpackedFingerprint;
  readonly #start: number;
  readonly #gain: number;
  #tail = new Int16Array(0);
  #step: number;
  #doubt = 0;
  #doubtStep = 0;
  /** Since when it has been quiet. */
  #quietStep: number | undefined;
  readonly #frame = new SoundFrames(1);

  private constructor(
    fromMs: number,
    pcm: Int16Array,
    {
      reference,
      start,
      gain,
    }: { readonly reference: UnpackedFingerprint; readonly start: number; readonly gain: number },
  ) {
    this.#fromMs = fromMs;
    this.#reference = reference;
    this.#start = start;
    this.#gain = gain;
    this.#step = Math.max(0, Math.floor((pcm.length - spectrumLength) / stepSamples) + 1);
    this.#tail = pcm.slice(this.#step * stepSamples);
  }

  /** Follows the prompt from the end of `pcm`, which begins at `fromMs` of the call; undefined for another prompt. */
  static after(pcm: Int16Array, fromMs: number, { fingerprints, beganMs }: PlayingPrompt): PromptStop | undefined {
    const frames = soundFrames(pcm, stepSamples);
    const heard: HeardFrames = {
      frames,
      indexOf: (step) => (step >= 0 && step < frames.length ? step : -1),
    };
    let best: { reference: UnpackedFingerprint; start: number; gain: number; distance: number } | undefined;
    for (const reference of fingerprints.map(readFingerprint)) {
      const near = Math.round((beganMs + reference.leadMs - fromMs) / stepMs);
      for (let start = near - alignSteps; start <= near + alignSteps; start += 1) {
        const from = Math.max(0, Math.ceil(-start / 2));
        const count = Math.floor((frames.length - 1 - start) / 2) + 1 - from;
        const gain = gainOf(reference, heard, start, from, count);
        const distance = stretchDistance(reference, heard, start, from, count, gain, best?.distance);
        if (distance < (best?.distance ?? sameWithin)) best = { reference, start, gain, distance };
      }
    }
    return best && new PromptStop(fromMs, pcm, best);
  }

  /** From here, the sound may not be the prompt any more, in the call's audio. */
  get doubtedMs(): number | undefined {
    // If it has been quiet since then, the first frame that differed still held the end of the prompt.
    const step = Math.max(this.#doubtStep, this.#quietStep ?? 0);
    return this.#doubt > 0 ? this.#fromMs + step * stepMs : undefined;
  }

  /** Adds received audio. Returns where the prompt stopped, in the call's audio, once that is certain. */
  push(pcm: Int16Array): number | undefined {
    const joined = new Int16Array(this.#tail.length + pcm.length);
    joined.set(this.#tail);
    joined.set(pcm, this.#tail.length);
    let at = 0;
    for (; at + spectrumLength <= joined.length; at += stepSamples) {
      this.#hear(joined, at);
      this.#step += 1;
    }
    this.#tail = joined.slice(at);
    return this.#doubt >= stoppedFrom ? this.doubtedMs : undefined;
  }

  #hear(pcm: Int16Array, at: number): void {
    // The reference has a frame for each second step.
    if (this.#doubt >= stoppedFrom || (this.#step - this.#start) % 2 !== 0) return;
    const level = this.#frame.describe(0, pcm, at);
    const beyond = this.#beyond((this.#step - this.#start) / 2, level);
    const isQuiet = level <= quietDb;
    // A soft consonant begins in the quiet before the first sound that differs.
    if (this.#doubt === 0) this.#doubtStep = Math.max(this.#quietStep ?? this.#step, this.#step - softOnsetSteps);
    this.#quietStep = isQuiet ? (this.#quietStep ?? this.#step) : undefined;
    this.#doubt = Math.max(0, this.#doubt + beyond);
  }

  /** Returns how much this frame speaks against the prompt. */
  #beyond(index: number, level: number): number {
    const { frames } = this.#reference;
    // After its end, the prompt is silent.
    if (index >= frames.length) return level > quietDb ? sameWithin : -sameWithin;
    const weight = frameWeight(frames.levels[index] ?? 0, level - this.#gain);
    // A jitter buffer can shift the prompt by one frame.
    const distances = [index - 1, index, index + 1]
      .filter((near) => near >= 0 && near < frames.length)
      .map((near) => frameDistance(frames, near, this.#frame, 0, this.#gain));
    return weight * (Math.min(...distances) - sameWithin);
  }
}
