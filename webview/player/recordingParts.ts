import type { RecordingPart } from '../../src/contract/recordingPart.ts';

/** A page doesn't hold more than this: four and a half hours of a call. */
const maxBytes = 2 ** 29;

/**
 * The recording, or the first byte of the next part and the received share; undefined for a part that wasn't requested
 * or isn't possible.
 */
type Taken = { readonly whole: Uint8Array } | { readonly next: number; readonly share: number } | undefined;

/** Assembles a recording that arrives in parts, one after the other. */
export class RecordingParts {
  #bytes: Uint8Array | undefined;
  #have = 0;

  /** Drops the parts received so far. */
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
