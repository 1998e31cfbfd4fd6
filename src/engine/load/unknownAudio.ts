import type { StepResult } from '../../contract/testRuns.ts';
import type { Span } from '../call/callAudio.ts';

/** Samples: eight seconds, and twice that with the pauses. */
const mostUnknown = 64_000;
const longestSamples = 128_000;

/** What a step heard, of which the reference doesn't have a part. Plain data. */
export interface HeardInstead {
  /** In order: the words of what the reference has, and the audio of what it doesn't have (8 kHz, 16 bit, mono). */
  readonly parts: readonly (string | Int16Array)[];
  /** False if more was heard than is kept. */
  readonly isWhole: boolean;
}

interface HeardPiece extends Span {
  /** Undefined if the reference doesn't have it. */
  readonly text: string | undefined;
  readonly pcm: Int16Array;
}
const none = new Int16Array(0);

/** What a step of a call hears, with the audio of what the reference doesn't have. Keeps a bounded part of it. */
export class UnknownAudio {
  #heard: HeardPiece[] = [];
  #samples = 0;
  /** What began later isn't kept, so that what is kept is the beginning. */
  #cutAtMs: number | undefined;

  add({ startMs, endMs, pcm }: Span & { readonly pcm: Int16Array }, text?: string): void {
    if (this.#cutAtMs !== undefined) return;
    const kept = text === undefined ? pcm.subarray(0, mostUnknown - this.#samples) : none;
    if (text !== undefined || kept.length > 0) this.#heard.push({ startMs, endMs, text, pcm: kept });
    if (text === undefined && kept.length < pcm.length) this.#cutAtMs = startMs;
    this.#samples += kept.length;
  }

  /** A step has passed with what was heard until its end. */
  forgetUntil({ endMs = 0 }: Pick<StepResult, 'endMs'>): void {
    this.#heard = this.#heard.filter(({ startMs }) => startMs >= endMs);
    this.#samples = this.#heard.reduce((sum, { pcm }) => sum + pcm.length, 0);
    if (this.#cutAtMs !== undefined && this.#cutAtMs < endMs) this.#cutAtMs = undefined;
  }

  /** Undefined if the reference has all of it. */
  heard(): HeardInstead | undefined {
    if (this.#heard.every(({ text }) => text !== undefined)) return undefined;
    const parts: (string | Int16Array)[] = [];
    let isWhole = this.#cutAtMs === undefined;
    for (let at = 0; at < this.#heard.length;) {
      const { text } = this.#heard[at] ?? {};
      if (text === undefined) {
        const end = this.#heard.findIndex((piece, index) => index > at && piece.text !== undefined);
        const run = this.#heard.slice(at, end < 0 ? undefined : end);
        const joined = joinedAudio(run);
        parts.push(joined.pcm);
        isWhole &&= joined.isWhole;
        at += run.length;
      } else {
        parts.push(text);
        at += 1;
      }
    }
    return { parts, isWhole };
  }
}

/** Joins audio with its pauses, so that it is recognised as one prompt. */
function joinedAudio(pieces: readonly HeardPiece[]): { readonly pcm: Int16Array; readonly isWhole: boolean } {
  const whole = new Int16Array(longestSamples);
  let end = 0;
  for (const { startMs, pcm } of pieces) {
    const at = Math.round((startMs - (pieces[0]?.startMs ?? 0)) * 8);
    if (at + pcm.length > whole.length) return { pcm: whole.slice(0, end), isWhole: false };
    whole.set(pcm, at);
    end = at + pcm.length;
  }
  return { pcm: whole.slice(0, end), isWhole: true };
}
