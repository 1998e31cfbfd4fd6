import type { StepResult } from '../../contract/testRuns.ts';
import type { Span } from '../call/callAudio.ts';

/** Samples: eight seconds, and twice that with the pauses. */
const mostUnknown = 64_000;
const longestSamples = 128_000;

/** The beginning of what a step of a call heard instead of a prompt of the reference. */
export class UnknownAudio {
  #heard: (Span & { readonly pcm: Int16Array })[] = [];
  #samples = 0;

  add({ startMs, endMs, pcm }: Span & { readonly pcm: Int16Array }): void {
    const kept = pcm.subarray(0, mostUnknown - this.#samples);
    if (kept.length > 0) this.#heard.push({ startMs, endMs, pcm: kept });
    this.#samples += kept.length;
  }

  /** A step has passed with what was heard until its end. */
  forgetUntil({ endMs = 0 }: Pick<StepResult, 'endMs'>): void {
    this.#heard = this.#heard.filter(({ startMs }) => startMs >= endMs);
    this.#samples = this.#heard.reduce((sum, { pcm }) => sum + pcm.length, 0);
  }

  /** Returns it with its pauses, so that it is recognised as one prompt. */
  audio(): Int16Array | undefined {
    const [first] = this.#heard;
    if (!first) return undefined;
    const whole = new Int16Array(longestSamples);
    let end = 0;
    for (const { startMs, pcm } of this.#heard) {
      const at = Math.round((startMs - first.startMs) * 8);
      if (at + pcm.length > whole.length) break;
      whole.set(pcm, at);
      end = at + pcm.length;
    }
    return whole.slice(0, end);
  }
}
