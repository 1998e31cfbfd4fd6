import type { EarEvent } from '../../speech/ear.ts';
import type { PromptStop } from '../../speech/promptStop.ts';

/** A prompt that a key stops continues while the key travels. A new prompt rarely begins before this much quiet. */
const quietMs = 60;
const longestMs = 700;
const quietLevel = 160;
/** On a noisy line, audio up to this factor above the recent minimum is quiet. */
const aboveNoise = 1.8;
/** The minimum grows by this factor per frame, because noise can rise. */
const forgetting = 1.01;
/** Lost packets are silent. */
const noLevel = 10;
const slackMs = 60;

/**
 * Separates the prompt that a key interrupts from the next one: where a known prompt stops, because the next one can
 * follow at once; otherwise at the first quiet moment after the key.
 */
export class Cutter {
  #armedAtMs: number | undefined;
  #stop: PromptStop | undefined;
  #stoppedMs: number | undefined;
  /** Until then, only the known prompt is listened to. */
  #keyEndMs: number | undefined;
  #cutAtMs = -1;
  #quietSamples = 0;
  #noiseLevel = Infinity;

  /** A key is about to be pressed during this prompt. */
  follow(stop: PromptStop | undefined, nowMs: number): void {
    this.#stop = stop;
    this.#stoppedMs = undefined;
    this.#armedAtMs = stop && nowMs;
    this.#keyEndMs = undefined;
  }

  /** The key has been pressed. */
  arm(nowMs: number): void {
    if (this.#keyEndMs !== undefined) this.#stop = this.#stoppedMs = undefined;
    // Speech that began during the key can be the next prompt.
    if (this.#stoppedMs === undefined) this.#armedAtMs = this.#stop ? this.#armedAtMs : nowMs;
    this.#keyEndMs = nowMs;
    this.#quietSamples = 0;
  }

  /** Where the followed prompt seems to have stopped. */
  get stop(): { readonly atMs: number; readonly isSure: boolean } | undefined {
    if (this.#stoppedMs !== undefined) return { atMs: this.#stoppedMs, isSure: true };
    const atMs = this.#stop?.doubtedMs;
    return atMs === undefined ? undefined : { atMs, isSure: false };
  }

  /** Adds received audio. Returns where to cut, at the moment when that is certain. */
  cutAt(pcm: Int16Array, nowMs: number): number | undefined {
    let energy = 0;
    for (const sample of pcm) energy += sample * sample;
    const level = Math.sqrt(energy / Math.max(1, pcm.length));
    if (level > noLevel) this.#noiseLevel = Math.min(level, this.#noiseLevel * forgetting);
    if (this.#armedAtMs === undefined) return undefined;
    const stoppedMs = this.#stop?.push(pcm);
    if (stoppedMs !== undefined) {
      this.#stoppedMs = stoppedMs;
      return this.#cut(stoppedMs);
    }
    if (this.#keyEndMs === undefined) return undefined;
    const isQuiet = level < quietLevel || level < this.#noiseLevel * aboveNoise;
    this.#quietSamples = isQuiet ? this.#quietSamples + pcm.length : 0;
    const isDue = this.#quietSamples >= quietMs * 8 && this.#stop?.doubtedMs === undefined;
    return isDue || nowMs - this.#keyEndMs >= longestMs ? this.#cut(nowMs) : undefined;
  }

  #cut(atMs: number): number {
    this.#armedAtMs = this.#stop = undefined;
    this.#cutAtMs = atMs;
    return atMs;
  }

  /** Returns the event without the words of the interrupted prompt, or undefined if it belongs only to that prompt. */
  withoutInterrupted(event: EarEvent): EarEvent | undefined {
    switch (event.type) {
      case 'utterance':
        return this.#isBefore(event.utterance.endMs)
          ? { type: 'utterance', utterance: { ...event.utterance, text: '', rawText: '', words: [] } }
          : event;
      case 'correction':
        return this.#isBefore(event.utterance.endMs) ? undefined : event;
      case 'partial':
        return this.#isBefore(event.endMs) ? undefined : event;
      case 'speechStart':
      case 'speechResume':
      case 'speechPause':
        return this.#armedAtMs !== undefined && event.atMs < this.#armedAtMs ? undefined : event;
      default:
        return event;
    }
  }

  #isBefore(endMs: number): boolean {
    return this.#armedAtMs !== undefined || endMs <= this.#cutAtMs + slackMs;
  }
}
