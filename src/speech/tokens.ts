/**
 * Token ids to text: the LLaMA vocabulary, read as data out of the package's script (`llama_vocab_base64 = "…"`, one
 * token a line).
 */
export class Tokens {
  readonly #vocabulary: readonly string[];

  constructor(script: Uint8Array) {
    const encoded = /llama_vocab_base64\s*=\s*["'`]([A-Za-z0-9+/=]+)["'`]/.exec(new TextDecoder().decode(script))?.[1];
    if (!encoded) throw new Error('the tokenizer holds no vocabulary');
    this.#vocabulary = Buffer.from(encoded, 'base64').toString('utf8').split('\n');
  }

  /** Tokens such as `<0x41>` are single bytes of UTF-8; `▁` stands for a space. */
  decode(ids: readonly number[]): string {
    const parts = ids.map((id) => {
      const token = this.#vocabulary[id] ?? '';
      const byte = /^<0x([0-9A-F]{2})>$/.exec(token)?.[1];
      return byte ? Buffer.from([parseInt(byte, 16)]) : Buffer.from(token.replaceAll('▁', ' '));
    });
    return Buffer.concat(parts).toString('utf8').trim();
  }
}
