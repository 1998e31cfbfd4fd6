import { setImmediate as nextTurn } from 'node:timers/promises';
import { Aligner } from './aligner.ts';
import type { AssetFiles } from './assetFiles.ts';
import { cutsAround, mostLost, voicedFrames } from './lostSpeech.ts';
import { MenuLanguage } from './menuLanguage.ts';
import { Moonshine } from './moonshine.ts';
import type { OnnxModels } from './onnxRuntime.ts';
import { upsample } from './resample.ts';
import { spellBySense } from './homophones.ts';
import { signalToNoise } from './signalToNoise.ts';
import type { Recognition, WorkerTasks } from './workerProtocol.ts';

/** How many texts are followed simultaneously. */
const beamWidth = 6;

/** Below this, checking keys by ear invents them. */
const minSignalToNoise = 15;

/** 1.5 s at 8 kHz: shorter pieces may well contain no words. */
const minRetriedSamples = 12_000;
/** 0.2 s at 16 kHz, which is the silence after the last word. */
const retrySamples = 3200;
const samplesPerMs = 16;

/** Speech to text: the recogniser, the language of menus and the aligner. */
export class Recogniser {
  readonly #moonshine: Moonshine;
  readonly #aligner: Aligner;
  readonly #language: MenuLanguage;

  private constructor(moonshine: Moonshine, aligner: Aligner, language: MenuLanguage) {
    this.#moonshine = moonshine;
    this.#aligner = aligner;
    this.#language = language;
  }

  static async load(models: OnnxModels, assets: AssetFiles): Promise<Recogniser> {
    const language = new MenuLanguage(new TextDecoder().decode(await assets.read('language/menus.txt')));
    return new Recogniser(
      await Moonshine.load(models, assets, language),
      await Aligner.load(assets, language),
      language,
    );
  }

  /** Returns text with word times, its keys checked against the audio; empty if abandoned. */
  async recognise(
    { pcm, before, rawText: known }: WorkerTasks['recognise']['request'],
    abandoned: () => boolean,
  ): Promise<Recognition> {
    const breathe = async (): Promise<boolean> => {
      await nextTurn();
      return !abandoned();
    };
    const audio = upsample(pcm);
    let rawText = known ?? (await this.#moonshine.recognise(audio, beamWidth, breathe)).text;
    // The model sometimes returns no text, but recognises the same words if the audio is slightly shorter.
    if (rawText === '' && pcm.length > minRetriedSamples && !abandoned())
      ({ text: rawText } = await this.#moonshine.recognise(audio.slice(0, -retrySamples), beamWidth, breathe));
    if (rawText === '' || abandoned()) return { text: '', rawText: '', words: [] };
    const checkKeys = signalToNoise(pcm) >= minSignalToNoise;
    const refine = (raw: string): Recognition => ({
      ...this.#aligner.refine(spellBySense(raw, this.#language), audio, checkKeys, before),
      rawText: raw,
    });
    const whole = refine(rawText);
    // The model sometimes leaves out sentences, but recognises them if the audio begins or ends elsewhere.
    const voiced = voicedFrames(pcm);
    const lost = mostLost(voiced, whole.text, whole.words);
    const cuts = (known === undefined ? cutsAround(voiced, lost) : []).map((ms) => ms * samplesPerMs);
    if (cuts.length === 0) return whole;
    const texts: string[] = [];
    for (const [part, end] of [...cuts, audio.length].entries())
      texts.push((await this.#moonshine.recognise(audio.slice(cuts[part - 1] ?? 0, end), beamWidth, breathe)).text);
    const parts = refine(texts.join(' ').trim());
    return !abandoned() && mostLost(voiced, parts.text, parts.words).lostMs < lost.lostMs ? parts : whole;
  }
}
