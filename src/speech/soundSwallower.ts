import { pathToFileURL } from 'node:url';
import type { AssetFiles } from './assetFiles.ts';

/** A span of the decoded audio. */
export interface Segment {
  /** A word, with `(2)` for another pronunciation; `<sil>`, `[NOISE]` and `(NULL)` aren't words. */
  readonly t: string;
  /** Beginning and duration in seconds. */
  readonly b: number;
  readonly d: number;
  /** How well the sounds match, as a probability on a flattened scale. */
  readonly p: number;
  readonly w?: readonly Segment[];
}

export interface Decoder {
  initialize(): Promise<unknown>;
  lookup_word(word: string): string | null;
  add_words(...words: (readonly [string, string])[]): void;
  set_grammar(jsgf: string): void;
  start(): void;
  process_audio(pcm: Float32Array, noSearch: boolean, whole: boolean): number;
  stop(): void;
  get_alignment(): Segment;
}

type CreateModule = (settings: object) => Promise<{ readonly Decoder: new (config: object) => Decoder }>;

/** Loads SoundSwallower with an 8 kHz model and no output. Rejects with SpeechError for missing or damaged files. */
export async function loadDecoder(assets: AssetFiles, model: string, config: object): Promise<Decoder> {
  await Promise.all([
    assets.verify(`soundswallower/model/${model}`),
    ...['soundswallower.mjs', 'soundswallower.node.wasm'].map((name) => assets.read(`soundswallower/${name}`)),
  ]);
  const module = (await import(pathToFileURL(assets.path('soundswallower/soundswallower.mjs')).href)) as {
    default: CreateModule;
  };
  const silent = (): void => undefined;
  const { Decoder } = await module.default({
    modelBase: `${assets.path('soundswallower/model')}/`,
    defaultModel: model,
    print: silent,
    printErr: silent,
  });
  const decoder = new Decoder({ loglevel: 'FATAL', ...config });
  await decoder.initialize();
  return decoder;
}
