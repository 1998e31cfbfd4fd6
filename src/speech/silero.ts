import type { InferenceSession, Tensor } from 'onnxruntime-web';
import type { OnnxModels, OnnxRuntime } from './onnxRuntime.ts';

/** Samples per frame at 8 kHz: 32 ms. */
const vadFrame = 256;
const contextLength = 32;

interface StreamState {
  state: Tensor;
  context: Float32Array;
}

/** Voice activity by Silero v5 at 8 kHz: 256-sample window after 32 samples of context, recurrent state [2, 1, 128]. */
export class Silero {
  readonly #ort: OnnxRuntime;
  readonly #session: InferenceSession;
  readonly #rate: Tensor;
  readonly #streams = new Map<number, StreamState>();
  #detecting: Promise<unknown> = Promise.resolve();

  private constructor(ort: OnnxRuntime, session: InferenceSession) {
    this.#ort = ort;
    this.#session = session;
    this.#rate = new ort.Tensor('int64', [8000n]);
  }

  static async load(models: OnnxModels): Promise<Silero> {
    return new Silero(models.ort, await models.open('silero/vad.onnx'));
  }

  /** Returns the speech probability of each frame; `pcm`: whole frames that follow the stream's previous ones. */
  async detect(stream: number, pcm: Int16Array): Promise<Float32Array> {
    const result = this.#detecting.then(async () => this.#detect(stream, pcm));
    this.#detecting = result.catch(() => undefined);
    return result;
  }

  async #detect(stream: number, pcm: Int16Array): Promise<Float32Array> {
    const ort = this.#ort;
    let state = this.#streams.get(stream);
    if (!state) {
      state = {
        state: new ort.Tensor('float32', new Float32Array(256), [2, 1, 128]),
        context: new Float32Array(contextLength),
      };
      this.#streams.set(stream, state);
    }
    const probabilities = new Float32Array(Math.floor(pcm.length / vadFrame));
    for (let frame = 0; frame < probabilities.length; frame += 1) {
      const input = new Float32Array(contextLength + vadFrame);
      input.set(state.context);
      for (let at = 0; at < vadFrame; at += 1) input[contextLength + at] = (pcm[frame * vadFrame + at] ?? 0) / 32768;
      state.context = input.slice(-contextLength);
      const result = await this.#session.run({
        input: new ort.Tensor('float32', input, [1, input.length]),
        state: state.state,
        sr: this.#rate,
      });
      state.state = result['stateN'] as Tensor;
      probabilities[frame] = (result['output']?.data as Float32Array)[0] ?? 0;
    }
    return probabilities;
  }

  forget(stream: number): void {
    this.#streams.delete(stream);
  }
}
