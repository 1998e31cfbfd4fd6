import type { ActiveCall } from './activeCall.ts';

/** Both sides of a call, 8 kHz, 16 bit. It is read in parts, because a call can last for hours. */
export interface CallAudio {
  /** In samples. */
  readonly length: number;
  /** Returns both sides from one sample to another one, which aren't before the start and after the end. */
  read(from: number, to: number): CallSides;
}

export interface CallSides {
  readonly us: Int16Array;
  readonly them: Int16Array;
}

/** The sound of an active call, for people who listen to it. It is silent where something secret could be heard. */
export interface LiveSound {
  readonly isOver: boolean;
  /** Milliseconds so far. */
  now(): number;
  /** Returns both sides together between two times in milliseconds: 8 kHz, 16 bit, mono. */
  read(fromMs: number, toMs: number): Int16Array<ArrayBuffer>;
}

export interface AudioSpan {
  readonly startMs: number;
  readonly endMs: number;
}

/** At the telephone's sample rate. */
export const samplesPerMs = 8;
/** Word times are slightly inaccurate. */
const marginMs = 120;

/** Returns the call's audio, silent on both sides while something secret was said, and without keys. */
export const callAudio = (
  call: Pick<ActiveCall, 'now' | 'audio' | 'spoken'>,
  secret: readonly AudioSpan[],
): CallAudio => ({
  length: Math.round(call.now() * samplesPerMs),
  read(from, to) {
    const them = call.audio(from / samplesPerMs, to / samplesPerMs);
    const us = new Int16Array(them.length);
    for (const { startMs, pcm } of call.spoken()) {
      const at = Math.round(startMs * samplesPerMs) - from;
      if (at < us.length && at + pcm.length > 0)
        us.set(pcm.subarray(Math.max(0, -at), us.length - at), Math.max(0, at));
    }
    for (const { startMs, endMs } of secret) {
      const [start, end] = [(startMs - marginMs) * samplesPerMs, (endMs + marginMs) * samplesPerMs].map((at) =>
        Math.max(0, Math.round(at) - from),
      );
      for (const side of [us, them]) side.fill(0, start, end);
    }
    return { us, them };
  },
});

/** Returns both sides as one. */
export const mixed = ({ us, them }: CallSides): Int16Array<ArrayBuffer> =>
  Int16Array.from(them, (sample, at) => Math.max(-32_768, Math.min(32_767, sample + (us[at] ?? 0))));
