import { setImmediate as nextTurn } from 'node:timers/promises';
import type { AssetFiles } from './assetFiles.ts';
import { Moonshine } from './moonshine.ts';
import { loadOnnxRuntime } from './onnxRuntime.ts';
import { upsample } from './resample.ts';
import { Silero } from './silero.ts';
import type { Recognition } from './workerProtocol.ts';

/** The listening models of one thread. */
export class Recogniser {
  readonly #silero: Silero;
  readonly #moonshine: Moonshine;
  #detecting: Promise<unknown> = Promise.resolve();

  private constructor(silero: Silero, moonshine: Moonshine) {
    this.#silero = silero;
    this.#moonshine = moonshine;
  }

  static async load(assets: AssetFiles): Promise<Recogniser> {
    const ort = await loadOnnxRuntime(assets);
    return new Recogniser(await Silero.load(ort, assets), await Moonshine.load(ort, assets));
  }

  async detect(stream: number, pcm: Int16Array): Promise<Float32Array> {
    const result = this.#detecting.then(async () => this.#silero.detect(stream, pcm));
    this.#detecting = result.catch(() => undefined);
    return result;
  }

  forgetStream(stream: number): void {
    this.#silero.forget(stream);
  }

  async recognise(pcm: Int16Array, _refine: boolean, abandoned: () => boolean): Promise<Recognition> {
    const breathe = async (): Promise<boolean> => {
      await nextTurn();
      return !abandoned();
    };
    const rawText = await this.#moonshine.recognise(upsample(pcm), breathe);
    return { text: rawText, rawText, words: [] };
  }
}
