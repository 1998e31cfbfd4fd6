import { setImmediate as nextTurn } from 'node:timers/promises';
import { Aligner } from './aligner.ts';
import type { AssetFiles } from './assetFiles.ts';
import { MenuLanguage } from './menuLanguage.ts';
import { Moonshine } from './moonshine.ts';
import { OnnxModels } from './onnxRuntime.ts';
import { upsample } from './resample.ts';
import { spellBySense } from './homophones.ts';
import { signalToNoise } from './signalToNoise.ts';
import { Silero } from './silero.ts';
import type { Recognition } from './workerProtocol.ts';

/** How many texts are followed at once when an utterance has ended; partial text is greedy. */
const beamWidth = 4;

/** Below this, checking keys by ear invents them. */
const minSignalToNoise = 15;

/** The listening models of one thread. */
export class Recogniser {
  readonly #silero: Silero;
  readonly #moonshine: Moonshine;
  readonly #aligner: Aligner;
  readonly #language: MenuLanguage;
  #detecting: Promise<unknown> = Promise.resolve();

  private constructor(silero: Silero, moonshine: Moonshine, aligner: Aligner, language: MenuLanguage) {
    this.#silero = silero;
    this.#moonshine = moonshine;
    this.#aligner = aligner;
    this.#language = language;
  }

  static async load(assets: AssetFiles): Promise<Recogniser> {
    const models = await OnnxModels.load(assets);
    const language = new MenuLanguage(new TextDecoder().decode(await assets.read('language/menus.txt')));
    return new Recogniser(
      await Silero.load(models),
      await Moonshine.load(models, assets, language),
      await Aligner.load(assets),
      language,
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
    const { text: rawText } = await this.#moonshine.recognise(audio, refine ? beamWidth : 1, breathe);
    if (!refine || rawText === '' || abandoned()) return { text: rawText, rawText, words: [] };
    const checkKeys = signalToNoise(pcm) >= minSignalToNoise;
    const isMenuWord = (word: string): boolean => this.#language.id(word) !== 0;
    return {
      ...this.#aligner.refine(spellBySense(rawText, this.#language), audio, checkKeys, isMenuWord),
      rawText,
    };
  }
}
