import type { EarEvent } from '../../speech/ear.ts';

/** A prompt that a key stops goes on for the time the key travels; a new one rarely begins before so much quiet. */
const quietMs = 60;
const longestMs = 700;
const quietLevel = 160;
const slackMs = 60;

/** Parts the prompt that a key interrupts from the one that follows: at the first quiet moment after the key. */
export class Cutter {
  #armedAtMs: number | undefined;
  #cutAtMs = -1;
  #quietSamples = 0;

  arm(nowMs: number): void {
    this.#armedAtMs = nowMs;
    this.#quietSamples = 0;
  }

  /** Feeds received audio; true at the moment to cut. */
  isDue(pcm: Int16Array, nowMs: number): boolean {
    if (this.#armedAtMs === undefined) return false;
    let energy = 0;
    for (const sample of pcm) energy += sample * sample;
    this.#quietSamples = Math.sqrt(energy / Math.max(1, pcm.length)) < quietLevel ? this.#quietSamples + pcm.length : 0;
    if (this.#quietSamples < quietMs * 8 && nowMs - this.#armedAtMs < longestMs) return false;
    this.#armedAtMs = undefined;
    this.#cutAtMs = nowMs;
    return true;
  }

  /** The event without the words of the interrupted prompt; undefined if it belongs to that prompt only. */
  withoutInterrupted(event: EarEvent): EarEvent | undefined {
    switch (event.type) {
      case 'utterance':
        return this.#isBefore(event.utterance.endMs)
          ? { type: 'utterance', utterance: { ...event.utterance, text: '', rawText: '', words: [] } }
          : event;
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
