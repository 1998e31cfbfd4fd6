import type { InferenceSession, Tensor } from 'onnxruntime-web';
import type { AssetFiles } from './assetFiles.ts';
import { beamSearch } from './beamSearch.ts';
import type { Hypothesis, TokenDecoder } from './beamSearch.ts';
import type { MenuLanguage } from './menuLanguage.ts';
import type { OnnxModels, OnnxRuntime } from './onnxRuntime.ts';
import { Tokens } from './tokens.ts';
import { TokenWords } from './tokenWords.ts';
import { withoutRepetition } from './withoutRepetition.ts';

const layers = Array.from({ length: 8 }, (_, layer) => layer);
const heads = 8;
const headWidth = 52;
const startToken = 1;
const endToken = 2;
/** Speech has up to about 6.5 tokens per second; longer output repeats itself. */
const tokensPerSecond = 6.5;
const spareTokens = 8;

/** Keys and values of the tokens so far, with the names of a decoder step. */
const textCache = layers.flatMap((layer) => ['key', 'value'].map((kind) => `present.${layer}.decoder.${kind}`));
/** The output of one step is the input of the next under another name. */
const asPast = (name: string): string => name.replace('present', 'past_key_values');

interface Hearing {
  readonly text: string;
  readonly hypotheses: readonly (Hypothesis & { readonly text: string })[];
}

/** Speech to text: Moonshine base (Useful Sensors, arXiv 2410.15608), with a language model of telephone menus. */
export class Moonshine {
  readonly #ort: OnnxRuntime;
  readonly #encoder: InferenceSession;
  readonly #memory: InferenceSession;
  readonly #decoder: InferenceSession;
  readonly #tokens: Tokens;
  readonly #language: TokenWords;

  private constructor(
    ort: OnnxRuntime,
    encoder: InferenceSession,
    memory: InferenceSession,
    decoder: InferenceSession,
    tokens: Tokens,
    language: MenuLanguage,
  ) {
    this.#ort = ort;
    this.#encoder = encoder;
    this.#memory = memory;
    this.#decoder = decoder;
    this.#tokens = tokens;
    this.#language = new TokenWords(tokens, language);
  }

  static async load(models: OnnxModels, assets: AssetFiles, language: MenuLanguage): Promise<Moonshine> {
    return new Moonshine(
      models.ort,
      await models.open('moonshine/encoder.onnx'),
      await models.open('moonshine/memory.onnx'),
      await models.open('moonshine/decoder.onnx'),
      new Tokens(await assets.read('moonshine/tokens.txt')),
      language,
    );
  }

  /**
   * @param audio 16 kHz in -1…1, up to about 18 s (text is dropped on longer audio)
   * @param width how many texts are followed simultaneously; 1 is greedy decoding
   * @param breathe awaited between steps, so that the thread can do other work; false ends the decoding early
   */
  async recognise(audio: Float32Array<ArrayBuffer>, width: number, breathe: () => Promise<boolean>): Promise<Hearing> {
    if (audio.length < 16000 * 0.1) return { text: '', hypotheses: [] };
    const found = await beamSearch(await this.#listen(audio), this.#language, {
      width,
      startToken,
      endToken,
      maxTokens: Math.ceil((audio.length / 16000) * tokensPerSecond) + spareTokens,
      breathe,
    });
    const hypotheses = found.map((hypothesis) => ({
      ...hypothesis,
      text: withoutRepetition(this.#tokens.decode(hypothesis.tokens)),
    }));
    return { text: hypotheses[0]?.text ?? '', hypotheses };
  }

  async #listen(audio: Float32Array<ArrayBuffer>): Promise<TokenDecoder> {
    const { Tensor } = this.#ort;
    const encoded = await this.#encoder.run({ input_values: new Tensor('float32', audio, [1, audio.length]) });
    // One row of memory serves all texts.
    const memory = await this.#memory.run({ encoder_hidden_states: encoded['last_hidden_state'] as Tensor });
    const heard = Object.fromEntries(Object.entries(memory).map(([name, tensor]) => [asPast(name), tensor]));
    let texts: Tensor[] = textCache.map(() => new Tensor('float32', new Float32Array(0), [1, heads, 0, headWidth]));
    let begun = false;
    return {
      step: async (rows) => {
        if (begun) texts = texts.map((tensor) => this.#chooseRows(tensor, rows));
        begun = true;
        const tokens = BigInt64Array.from(rows, ({ token }) => BigInt(token));
        const out = await this.#decoder.run({
          input_ids: new Tensor('int64', tokens, [rows.length, 1]),
          ...heard,
          ...Object.fromEntries(textCache.map((name, at) => [asPast(name), texts[at] as Tensor])),
        });
        texts = textCache.map((name) => out[name] as Tensor);
        return (out['logits'] as Tensor).data as Float32Array;
      },
    };
  }

  #chooseRows(tensor: Tensor, rows: readonly { readonly parent: number }[]): Tensor {
    const [count = 0, ...shape] = tensor.dims;
    if (count === rows.length && rows.every(({ parent }, row) => parent === row)) return tensor;
    const data = tensor.data as Float32Array;
    const size = data.length / count;
    const chosen = new Float32Array(size * rows.length);
    rows.forEach(({ parent }, row) => chosen.set(data.subarray(parent * size, (parent + 1) * size), row * size));
    return new this.#ort.Tensor('float32', chosen, [rows.length, ...shape]);
  }
}
