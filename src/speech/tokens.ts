/**
 * The recogniser's tokens, as the build writes them (`assets/moonshineSteps.mjs`): one per line in the order of their
 * ids, each after its id in LLaMA's vocabulary and a space.
 */
export class Tokens {
  readonly #vocabulary: readonly string[];

  constructor(file: Uint8Array) {
    this.#vocabulary = new TextDecoder()
      .decode(file)
      .trimEnd()
      .split('\n')
      .map((line) => line.slice(line.indexOf(' ') + 1));
  }

  /** Returns the token's text; `▁` is a space. */
  text(id: number): string {
    return this.#vocabulary[id] ?? '';
  }

  decode(ids: readonly number[]): string {
    return ids
      .map((id) => this.text(id))
      .join('')
      .replaceAll('▁', ' ')
      .trim();
  }
}
