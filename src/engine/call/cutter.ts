import type { EarEvent } from '../../speech/ear.ts';

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

/** Separates the prompt that a key interrupts from the next one, at the first quiet moment after the key. */
export class Cutter {
  #armedAtMs: number | undefined;
  #cutAtMs = -1;
  #quietSamples = 0;
  #noiseLevel = Infinity;

  arm(nowMs: number): void {
    this.#armedAtMs = nowMs;
    this.#quietSamples = 0;
  }

  /** Adds received audio. Returns true at the moment to cut. */
  isDue(pcm: Int16Array, nowMs: number): boolean {
    let energy = 0;
    for (const sample of pcm) energy += sample * sample;
    const level = Math.sqrt(energy / Math.max(1, pcm.length));
    if (level > noLevel) this.#noiseLevel = Math.min(level, this.#noiseLevel * forgetting);
    if (this.#armedAtMs === undefined) return false;
    const isQuiet = level < quietLevel || level < this.#noiseLevel * aboveNoise;
    this.#quietSamples = isQuiet ? this.#quietSamples + pcm.length : 0;
    if (this.#quietSamples < quietMs * 8 && nowMs - this.#armedAtMs < longestMs) return false;
    this.#armedAtMs = undefined;
    this.#cutAtMs = nowMs;
    return true;
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
