import type { InferenceSession, Tensor } from 'onnxruntime-web';
import type { AssetFiles } from './assetFiles.ts';
import type { OnnxRuntime } from './onnxRuntime.ts';
import { Tokens } from './tokens.ts';
import { keyWords } from './keySlots.ts';

const layers = 6;
const heads = 8;
const headWidth = 36;
const startToken = 1;
const endToken = 2;
/** Speech has at most about 6.5 tokens a second; what goes on longer repeats itself. */
const tokensPerSecond = 6.5;
const spareTokens = 8;

/** Speech to text: Moonshine tiny (Useful Sensors, arXiv 2410.15608), greedy decoding. */
export class Moonshine {
  readonly #ort: OnnxRuntime;
  readonly #encoder: InferenceSession;
  readonly #decoder: InferenceSession;
  readonly #tokens: Tokens;

  private constructor(ort: OnnxRuntime, encoder: InferenceSession, decoder: InferenceSession, tokens: Tokens) {
    this.#ort = ort;
    this.#encoder = encoder;
    this.#decoder = decoder;
    this.#tokens = tokens;
  }

  static async load(ort: OnnxRuntime, assets: AssetFiles): Promise<Moonshine> {
    const open = async (name: string): Promise<InferenceSession> =>
      ort.InferenceSession.create(await assets.read(name), { executionProviders: ['wasm'] });
    return new Moonshine(
      ort,
      await open('moonshine/encoder.onnx'),
      await open('moonshine/decoder.onnx'),
      new Tokens(await assets.read('moonshine/tokenizer.txt')),
    );
  }

  /**
   * @param audio 16 kHz in -1…1, up to about 18 s (text is dropped on longer audio)
   * @param breathe awaited between steps, so that the thread can do other work; false ends the decoding early
   */
  async recognise(audio: Float32Array<ArrayBuffer>, breathe: () => Promise<boolean>): Promise<string> {
    const ort = this.#ort;
    if (audio.length < 16000 * 0.1) return '';
    const encoded = await this.#encoder.run({ input_values: new ort.Tensor('float32', audio, [1, audio.length]) });
    const hidden = encoded['last_hidden_state'] as Tensor;
    const limit = Math.ceil((audio.length / 16000) * tokensPerSecond) + spareTokens;
    const past = new Map<string, Tensor>();
    for (let layer = 0; layer < layers; layer += 1) {
      for (const side of ['decoder', 'encoder']) {
        for (const kind of ['key', 'value'])
          past.set(
            `${layer}.${side}.${kind}`,
            new ort.Tensor('float32', new Float32Array(0), [0, heads, 1, headWidth]),
          );
      }
    }
    const ids: number[] = [];
    let token = startToken;
    while (ids.length < limit && (await breathe())) {
      const first = token === startToken;
      const feeds: Record<string, Tensor> = {
        input_ids: new ort.Tensor('int64', [BigInt(token)], [1, 1]),
        encoder_hidden_states: hidden,
        use_cache_branch: new ort.Tensor('bool', [!first]),
      };
      for (const [name, tensor] of past) feeds[`past_key_values.${name}`] = tensor;
      const out = await this.#decoder.run(feeds);
      token = argMax(out['logits']?.data as Float32Array);
      if (token === endToken) break;
      ids.push(token);
      for (const name of past.keys()) {
        // The encoder's keys and values come with the first step and stay.
        if (first || name.includes('decoder')) past.set(name, out[`present.${name}`] as Tensor);
      }
    }
    return withoutRepetition(this.#tokens.decode(ids));
  }
}

function argMax(values: Float32Array): number {
  let best = 0;
  for (let index = 1; index < values.length; index += 1) {
    if ((values[index] ?? 0) > (values[best] ?? 0)) best = index;
  }
  return best;
}

const spokenDigit = new RegExp(String.raw`^\d|^(?:${keyWords.slice(0, 10).join('|')}|oh)\W*$`, 'i');

/** Cuts a loop: one to six words said four times or more in a row stay once. */
export function withoutRepetition(text: string): string {
  const words = text.split(/\s+/).filter(Boolean);
  const same = (a: number, b: number): boolean =>
    words[a]?.toLowerCase().replace(/\W/g, '') === words[b]?.toLowerCase().replace(/\W/g, '');
  for (let length = 1; length <= 6; length += 1) {
    for (let at = 0; at + 4 * length <= words.length; at += 1) {
      let run = length;
      while (at + run < words.length && same(at + run, at + run - length)) run += 1;
      if (run >= 4 * length && !words.slice(at, at + length).every((word) => spokenDigit.test(word))) {
        words.splice(at + length, run - length);
      }
    }
  }
  return words.join(' ');
}
