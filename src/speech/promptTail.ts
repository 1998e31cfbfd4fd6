import type { Fingerprint } from './ear.ts';
import { hopMs, quietDb, readFingerprint, soundFrames } from './fingerprint.ts';
import { gainOf, stepMs, stretchDistance, type HeardFrames } from './promptTrack.ts';

const stepSamples = stepMs * 8;
/** Both ends were found by their level, which shifts if a word fades out. */
const endSlackSteps = 30;
/** If a recording begins in the middle of a word, its first moments match nothing. */
const skippedSteps = 30;
const minFrames = 25;
/** Mean distance in dB: the same audio stays below 3, other speech is above 5. */
const maxDistance = 4;

const blockFrames = 25;
/** Compared first, to find the relative position of both ends. */
const seekFrames = 75;

/**
 * Returns how many milliseconds at the end of a recording have the same audio as the end of a known prompt, because a
 * menu can follow different announcements. A few lost packets are tolerated.
 */
export function sharedTailMs(pcm: Int16Array, prompt: Fingerprint): number {
  const reference = readFingerprint(prompt);
  const heard = heardIn(pcm);
  const last = heard.frames.levels.findLastIndex((level) => level > quietDb);
  const count = reference.frames.length;
  const seek = Math.min(seekFrames, count, Math.floor(last / 2));
  if (seek < minFrames) return 0;
  let best = { start: 0, distance: Infinity };
  for (let shift = -endSlackSteps; shift <= endSlackSteps; shift += 1) {
    const start = last - 2 * (count - 1) + shift;
    const from = count - seek;
    const distance = stretchDistance(reference, heard, start, from, seek, gainOf(reference, heard, start, from, seek));
    if (distance < best.distance) best = { start, distance };
  }
  if (best.distance >= maxDistance) return 0;
  const gain = gainOf(reference, heard, best.start, count - seek, seek);
  let shared = 0;
  for (let from = count - blockFrames, bad = 0; from > -blockFrames && bad < 2; from -= blockFrames) {
    const first = Math.max(from, Math.ceil(-best.start / 2), 0);
    const frameCount = from + blockFrames - first;
    if (frameCount < 5) break;
    bad = stretchDistance(reference, heard, best.start, first, frameCount, gain) < maxDistance + 0.5 ? 0 : bad + 1;
    if (bad === 0) shared = (count - first) * hopMs;
  }
  return shared;
}

/** Returns true if a recording is the last part of a known prompt, which continued because no key interrupted it. */
export function isTailOfPrompt(pcm: Int16Array, prompt: Fingerprint): boolean {
  const reference = readFingerprint(prompt);
  const heard = heardIn(pcm);
  const last = heard.frames.levels.findLastIndex((level) => level > quietDb);
  for (let shift = -endSlackSteps; shift <= endSlackSteps; shift += 1) {
    const start = last - 2 * (reference.frames.length - 1) + shift;
    // A recording longer than the prompt isn't a part of it.
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

/** How far the position of a prompt that continues can differ from the expected one. */
const offsetSlackSteps = 40;

/**
 * Returns true if a recording is what a known prompt plays from `offsetMs` on, because the prompt still plays.
 *
 * @param offsetMs from the prompt's first sound, accurate to 0.4 s
 */
export function isPartOfPrompt(pcm: Int16Array, prompt: Fingerprint, offsetMs: number): boolean {
  const reference = readFingerprint(prompt);
  const heard = heardIn(pcm);
  const count = Math.min(Math.floor(pcm.length / (hopMs * 8)), longestPartFrames);
  for (let shift = -offsetSlackSteps; shift <= offsetSlackSteps; shift += 1) {
    const start = shift - Math.round(offsetMs / stepMs);
    const from = Math.max(0, Math.ceil(-start / 2));
    const isLong = Math.min(count, reference.frames.length - from) >= minFrames;
    const gain = gainOf(reference, heard, start, from, count);
    if (isLong && stretchDistance(reference, heard, start, from, count, gain, maxDistance) < maxDistance) return true;
  }
  return false;
}
/** More than this shows nothing more. */
const longestPartFrames = 150;

function heardIn(pcm: Int16Array): HeardFrames {
  const frames = soundFrames(pcm, stepSamples);
  return { frames, indexOf: (step) => (step >= 0 && step < frames.length ? step : -1) };
}
