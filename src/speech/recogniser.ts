import { setImmediate as nextTurn } from 'node:timers/promises';
import { Aligner } from './aligner.ts';
import type { AssetFiles } from './assetFiles.ts';
import { Moonshine } from './moonshine.ts';
import { loadOnnxRuntime } from './onnxRuntime.ts';
import { upsample } from './resample.ts';
import { signalToNoise } from './signalToNoise.ts';
import { Silero } from './silero.ts';
import type { Recognition } from './workerProtocol.ts';

/** Below this, checking keys by ear invents them. */
const minSignalToNoise = 15;

/** The listening models of one thread. */
export class Recogniser {
  readonly #silero: Silero;
  readonly #moonshine: Moonshine;
  readonly #aligner: Aligner;
  #detecting: Promise<unknown> = Promise.resolve();

  private constructor(silero: Silero, moonshine: Moonshine, aligner: Aligner) {
    this.#silero = silero;
    this.#moonshine = moonshine;
    this.#aligner = aligner;
  }

  static async load(assets: AssetFiles): Promise<Recogniser> {
    const ort = await loadOnnxRuntime(assets);
    return new Recogniser(
      await Silero.load(ort, assets),
      await Moonshine.load(ort, assets),
      await Aligner.load(assets),
    );
  }

  async detect(stream: number, pcm: Int16Array): Promise<Float32Array> {
    const result = this.#detecting.then(async () => this.#silero.detect(stream, pcm));
    this.#detecting = result.catch(() => undefined);
    return result;
  }

  forgetStream(stream: number): void {
    this.#silero.forget(stream);
  }

  async recognise(pcm: Int16Array, refine: boolean, abandoned: () => boolean): Promise<Recognition> {
    const breathe = async (): Promise<boolean> => {
      await nextTurn();
      return !abandoned();
    };
    const audio = upsample(pcm);
    const rawText = await this.#moonshine.recognise(audio, breathe);
    if (!refine || rawText === '' || abandoned()) return { text: rawText, rawText, words: [] };
    return { ...this.#aligner.refine(rawText, audio, signalToNoise(pcm) >= minSignalToNoise), rawText };
  }
}
