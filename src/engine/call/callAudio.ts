import type { Talk } from './talk.ts';

/** Both sides of a call, 8 kHz, 16 bit, of the same length. */
export interface CallAudio {
  readonly us: Int16Array;
  readonly them: Int16Array;
}

export interface Span {
  readonly startMs: number;
  readonly endMs: number;
}

/** At the rate of the telephone. */
export const samplesPerMs = 8;
/** Words begin and end a little beside where they are said to. */
const marginMs = 120;

/**
 * The call's audio, silent on both sides where something secret was said. Keys are not in it: they travel beside the
 * audio, or are left out.
 */
export function callAudio(talk: Talk, secret: readonly Span[]): CallAudio {
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
