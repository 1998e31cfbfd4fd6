import type { ActiveCall } from './talk.ts';

/** Both sides of a call, 8 kHz, 16 bit, of the same length. */
export interface CallAudio {
  readonly us: Int16Array;
  readonly them: Int16Array;
}

export interface Span {
  readonly startMs: number;
  readonly endMs: number;
}

/** At the telephone's sample rate. */
export const samplesPerMs = 8;
/** Word times are slightly inaccurate. */
const marginMs = 120;

/**
 * Returns the call's audio, silent on both sides while something secret was said. Keys aren't in it: they are sent
 * beside the audio, or left out.
 */
export function callAudio(talk: ActiveCall, secret: readonly Span[]): CallAudio {
  const them = talk.audio(0, talk.now());
  const us = new Int16Array(them.length);
  for (const { startMs, pcm } of talk.spoken()) {
    const from = Math.min(us.length, Math.round(startMs * samplesPerMs));
    us.set(pcm.subarray(0, us.length - from), from);
  }
  for (const { startMs, endMs } of secret) {
    for (const side of [us, them])
      side.fill(
        0,
        Math.max(0, Math.round((startMs - marginMs) * samplesPerMs)),
        Math.round((endMs + marginMs) * samplesPerMs),
      );
  }
  return { us, them };
}
