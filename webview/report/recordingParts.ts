import type { RecordingPart } from '../../src/contract/reportPanel.ts';

/** More than this a page does not hold: four hours and a half of a call. */
const maxBytes = 2 ** 29;

/**
 * The recording, or from which byte on the next part of it is wanted, and how much of it there is; undefined for a part
 * that was not asked for, or cannot be.
 */
export type Taken = { readonly whole: Uint8Array } | { readonly next: number; readonly share: number } | undefined;

/** Puts a recording together that comes in parts, one after the other. */
export class RecordingParts {
  #bytes: Uint8Array | undefined;
  #have = 0;

  /** What came so far is forgotten. */
  begin(): void {
    this.#bytes = undefined;
    this.#have = 0;
  }

  take({ wav, from = 0, total = wav?.length ?? 0 }: RecordingPart): Taken {
    if (!wav || wav.length === 0 || from !== this.#have || from + wav.length > total || total > maxBytes)
      return undefined;
    if (from === 0 && wav.length === total) return { whole: wav };
    this.#bytes ??= new Uint8Array(total);
    if (this.#bytes.length !== total) return undefined;
    this.#bytes.set(wav, from);
    this.#have += wav.length;
    if (this.#have < total) return { next: this.#have, share: this.#have / total };
    const whole = this.#bytes;
    this.begin();
    return { whole };
  }
}
