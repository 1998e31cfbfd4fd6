/** The recent past of an endless sample stream, addressed by sample number since its start. */
export class AudioTape {
  #samples = new Int16Array(16_384);
  #first = 0;
  #length = 0;

  /** One past the newest sample. */
  get end(): number {
    return this.#first + this.#length;
  }

  append(pcm: Int16Array): void {
    if (this.#length + pcm.length > this.#samples.length) {
      const grown = new Int16Array(Math.max(this.#samples.length * 2, this.#length + pcm.length));
      grown.set(this.#samples.subarray(0, this.#length));
      this.#samples = grown;
    }
    this.#samples.set(pcm, this.#length);
    this.#length += pcm.length;
  }

  /** Returns a copy, without samples that are no longer or not yet available. */
  slice(from: number, to: number): Int16Array {
    return this.#samples.slice(Math.max(0, from - this.#first), Math.max(0, Math.min(to - this.#first, this.#length)));
  }

  /** Drops old samples lazily: at least everything from `sample` stays. */
  forgetBefore(sample: number): void {
    const dead = Math.min(Math.floor(sample) - this.#first, this.#length);
    if (dead < 65_536) return;
    this.#samples.copyWithin(0, dead, this.#length);
    this.#first += dead;
    this.#length -= dead;
  }
}
