import { FRAME_SAMPLES } from './jitterBuffer.ts';

export type PlayOutcome = 'played' | 'cleared' | 'ended';

/** 15 minutes of audio; what doesn't fit is refused as `cleared`. */
const MAX_SAMPLES = 15 * 60 * 8000;

/** Audio to send, joined without gaps, in frames of 20 ms. Queued arrays aren't copied. */
export class PlayQueue {
  readonly #items: { pcm: Int16Array; settle: (outcome: PlayOutcome) => void }[] = [];
  /** Samples of the first item that were already sent. */
  #offset = 0;
  #samples = 0;

  push(pcm: Int16Array): Promise<PlayOutcome> {
    if (this.#samples + pcm.length > MAX_SAMPLES) return Promise.resolve('cleared');
    if (pcm.length === 0 && this.#items.length === 0) return Promise.resolve('played');
    this.#samples += pcm.length;
    return new Promise((settle) => {
      this.#items.push({ pcm, settle });
    });
  }

  /** Returns the next 160 samples, the last frame padded with silence; undefined if nothing is waiting. */
  take(): Int16Array | undefined {
    let item = this.#items[0];
    if (!item) return undefined;
    if (item.pcm.length - this.#offset > FRAME_SAMPLES) {
      this.#samples -= FRAME_SAMPLES;
      return item.pcm.subarray(this.#offset, (this.#offset += FRAME_SAMPLES));
    }
    const frame = new Int16Array(FRAME_SAMPLES);
    let at = 0;
    while (item) {
      const part = item.pcm.subarray(this.#offset, this.#offset + FRAME_SAMPLES - at);
      frame.set(part, at);
      at += part.length;
      this.#offset += part.length;
      if (this.#offset < item.pcm.length) break;
      this.#items.shift();
      this.#offset = 0;
      item.settle('played');
      item = this.#items[0];
    }
    this.#samples -= at;
    return frame;
  }

  clear(outcome: 'cleared' | 'ended'): void {
    this.#samples = 0;
    this.#offset = 0;
    for (const item of this.#items.splice(0)) item.settle(outcome);
  }
}
