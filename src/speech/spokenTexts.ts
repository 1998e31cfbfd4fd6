/**
 * A cache of synthesised texts by voice, which drops the least recently used beyond a number of samples. Simultaneous
 * requests for a text synthesise it once.
 */
export class SpokenTexts {
  readonly #limit: number;
  readonly #cache = new Map<string, { readonly audio: Promise<Int16Array>; samples: number }>();
  #samples = 0;

  constructor(limitSamples: number) {
    this.#limit = limitSamples;
  }

  /** Returns a copy of the audio, which the caller may change. A failure isn't cached. */
  async get(text: string, voice: string, speak: () => Promise<Int16Array>): Promise<Int16Array> {
    const key = `${voice}\n${text}`;
    const entry = this.#cache.get(key) ?? { audio: this.#fill(key, speak), samples: 0 };
    this.#cache.delete(key);
    this.#cache.set(key, entry);
    return (await entry.audio).slice();
  }

  async #fill(key: string, speak: () => Promise<Int16Array>): Promise<Int16Array> {
    try {
      const pcm = await speak();
      const entry = this.#cache.get(key);
      if (entry) {
        entry.samples = pcm.length;
        this.#samples += pcm.length;
        this.#shrink(key);
      }
      return pcm;
    } catch (error) {
      this.#cache.delete(key);
      throw error;
    }
  }

  #shrink(newest: string): void {
    for (const [key, entry] of this.#cache) {
      if (this.#samples <= this.#limit) return;
      if (key === newest || entry.samples === 0) continue;
      this.#cache.delete(key);
      this.#samples -= entry.samples;
    }
  }
}
