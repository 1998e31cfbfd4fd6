import type { Fingerprint } from './ear.ts';
import { quietDb, readFingerprint, soundFrame } from './fingerprint.ts';
import type { SoundFrame } from './fingerprint.ts';
import { gainOf, stepMs, stretchDistance } from './promptTrack.ts';
import { spectrumLength } from './spectrum.ts';

const stepSamples = stepMs * 8;
/** Both ends were found by their level, which a word that fades out shifts. */
const endSlackSteps = 30;
/** Of a recording that begins in the middle of a word the first moments fit nothing. */
const skippedSteps = 30;
const minFrames = 25;
/** Mean distance in dB: the same audio stays below 3, other speech lies above 5. */
const maxDistance = 4;

/** True where a recording is the last part of a known prompt: what went on playing when a key did not interrupt it. */
export function isTailOfPrompt(pcm: Int16Array, prompt: Fingerprint): boolean {
  const reference = readFingerprint(prompt);
  const frames: SoundFrame[] = [];
  for (let at = 0; at + spectrumLength <= pcm.length; at += stepSamples) frames.push(soundFrame(pcm, at));
  const last = frames.findLastIndex((frame) => frame.level > quietDb);
  const heard = { at: (step: number) => frames[step] };
  for (let shift = -endSlackSteps; shift <= endSlackSteps; shift += 1) {
    const start = last - 2 * (reference.frames.length - 1) + shift;
    // A recording longer than the prompt is no part of it.
    if (start >= 0) continue;
    const from = Math.ceil((skippedSteps - start) / 2);
    const count = reference.frames.length - from;
    if (
      count >= minFrames &&
      stretchDistance(reference, heard, start, from, count, gainOf(reference, heard, start, from, count)) < maxDistance
    )
      return true;
  }
  return false;
}
