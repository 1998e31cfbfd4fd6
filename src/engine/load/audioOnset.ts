import type { AudioFrame } from '../../telephony/call.ts';

export const FRAME_MS = 20;
/** Audio quieter than this is never a prompt: −45 dBFS. */
const QUIETEST_DB = -45;
/** A prompt is this far above the quietest frame of the line. */
const ABOVE_NOISE_DB = 10;
/** Consecutive frames: a click is shorter. */
const RUN = 2;
/** The number of 20 ms frames to listen to: 60 s. */
const PATIENCE = 3000;
/** Level of digital silence. */
const SILENCE_DB = -96;

/**
 * Finds where audio first rises above the noise of the line. A steady noise is distinguished from a prompt by its
 * evenness, so the onset may be known only after the first pause of the voice. The result is the onset itself.
 */
export class AudioOnset {
  readonly #levels: number[] = [];
  #noise = Infinity;
  #done = false;

  /** Nothing more will be found. */
  get done(): boolean {
    return this.#done;
  }

  /** Adds the next 20 ms. Returns the frame of the onset once, when known. Concealed frames don't count. */
  push({ pcm, concealed }: AudioFrame): number | undefined {
    if (this.#done) return undefined;
    const level = concealed ? NaN : levelOf(pcm);
    this.#levels.push(level);
    const quieter = level < this.#noise;
    if (quieter) this.#noise = level;
    const found = this.#search(quieter ? 0 : Math.max(0, this.#levels.length - RUN));
    this.#done = found !== undefined || this.#levels.length >= PATIENCE;
    if (this.#done) this.#levels.length = 0;
    return found;
  }

  #search(from: number): number | undefined {
    const threshold = Math.max(QUIETEST_DB, this.#noise + ABOVE_NOISE_DB);
    let run = 0;
    for (let at = from; at < this.#levels.length; at += 1) {
      run = (this.#levels[at] as number) >= threshold ? run + 1 : 0;
      if (run === RUN) return at - RUN + 1;
    }
    return undefined;
  }
}

/** RMS in dB below full scale. */
function levelOf(pcm: Int16Array): number {
  let sum = 0;
  for (let i = 0; i < pcm.length; i += 1) sum += (pcm[i] as number) ** 2;
  return Math.max(SILENCE_DB, 10 * Math.log10(sum / Math.max(1, pcm.length) / 32_768 ** 2 + 1e-12));
}
