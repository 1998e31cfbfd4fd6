import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { AssetFiles } from '../assetFiles.ts';
import { loadDecoder } from '../soundSwallower.ts';
import type { Decoder, Segment } from '../soundSwallower.ts';
import { englishSample } from './english.ts';
import { frenchSample } from './french.ts';
import { promptGrammar } from './promptGrammar.ts';
import type { LanguageSample } from './promptGrammar.ts';

/** The evidence for French over English in speech between two pauses. */
export interface Leaning {
  readonly startMs: number;
  readonly endMs: number;
  readonly voicedSeconds: number;
  /**
   * How much better its sounds match French than English, summed over those seconds. On telephone prompts, about +0.05
   * per second for French, −0.15 for English.
   */
  readonly towardsFrench: number;
}

/** The weight of word order. */
const languageWeight = 6;
/** A breath between two words is shorter. */
const minPauseMs = 150;
const beams = { beam: 1e-48, pbeam: 1e-48, wbeam: 1e-30 };

/**
 * Distinguishes French from English by which of two recognisers matches better: each knows the sounds of its language
 * and the words of telephone prompts (parallel recognition followed by language modelling; Zissman 1996). The
 * recognised text isn't used.
 */
export class LanguageEar {
  readonly #french: Decoder;
  readonly #english: Decoder;

  private constructor(french: Decoder, english: Decoder) {
    this.#french = french;
    this.#english = english;
  }

  static async load(assets: AssetFiles): Promise<LanguageEar> {
    return new LanguageEar(await decoderOf(assets, frenchSample), await decoderOf(assets, englishSample));
  }

  /** One for each part between pauses, because the language changes only there. @param pcm 8 kHz, 16 bit */
  leanings(pcm: Int16Array): Leaning[] {
    const audio = Float32Array.from(pcm, (sample) => sample / 32_768);
    const [asFrench, asEnglish] = [decode(this.#french, audio), decode(this.#english, audio)];
    const ends = [...pausesOf(asFrench, asEnglish).map(({ startMs, endMs }) => (startMs + endMs) / 2), pcm.length / 8];
    return ends.map((endMs, index) => {
      const startMs = ends[index - 1] ?? 0;
      const [french, english] = [fitOf(asFrench, startMs, endMs), fitOf(asEnglish, startMs, endMs)];
      const bothSpeak = french.voicedSeconds > 0 && english.voicedSeconds > 0;
      return {
        startMs,
        endMs,
        voicedSeconds: bothSpeak ? Math.min(french.voicedSeconds, english.voicedSeconds) : 0,
        towardsFrench: bothSpeak ? french.score - english.score : 0,
      };
    });
  }
}

/** The decoder reads grammars only from files. */
async function decoderOf(assets: AssetFiles, sample: LanguageSample): Promise<Decoder> {
  const all = new TextDecoder().decode(await assets.read(`soundswallower/model/${sample.model}/dict.txt`));
  const { grammar, dictionary } = promptGrammar(sample, all);
  const folder = await mkdtemp(path.join(tmpdir(), 'dialtree-language-'));
  try {
    const [fsg, dict] = [path.join(folder, 'prompts.fsg'), path.join(folder, 'prompts.dict')];
    await Promise.all([writeFile(fsg, grammar), writeFile(dict, dictionary)]);
    return await loadDecoder(assets, sample.model, {
      samprate: 8000,
      fsg,
      dict,
      lw: languageWeight,
      fsgusefiller: true,
      ...beams,
    });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

interface Fit {
  readonly voicedSeconds: number;
  readonly score: number;
}
interface Pause {
  readonly startMs: number;
  readonly endMs: number;
}

const isSilence = ({ t }: Segment): boolean => t === '<sil>' || t.startsWith('[');

/** Returns the best match, or nothing if there is none. */
function decode(decoder: Decoder, audio: Float32Array): readonly Segment[] {
  try {
    decoder.start();
    decoder.process_audio(audio, false, true);
    decoder.stop();
  } catch {
    // Audio too short for one frame.
    return [];
  }
  return decoder.get_alignment().w ?? [];
}

/** Pauses in which both hear silence for long enough. */
function pausesOf(one: readonly Segment[], other: readonly Segment[]): Pause[] {
  const others = quiet(other);
  return quiet(one)
    .flatMap((pause) =>
      others.map(({ startMs, endMs }) => ({
        startMs: Math.max(pause.startMs, startMs),
        endMs: Math.min(pause.endMs, endMs),
      })),
    )
    .filter(({ startMs, endMs }) => endMs - startMs >= minPauseMs);
}

const quiet = (segments: readonly Segment[]): Pause[] =>
  segments.filter(isSilence).map(({ b, d }) => ({ startMs: b * 1000, endMs: (b + d) * 1000 }));

/** Returns how well the segments that begin there match. */
function fitOf(segments: readonly Segment[], startMs: number, endMs: number): Fit {
  const heard = segments.filter(
    (segment) => !isSilence(segment) && segment.b * 1000 >= startMs && segment.b * 1000 < endMs,
  );
  return {
    voicedSeconds: heard.filter(({ t }) => t !== '(NULL)').reduce((sum, { d }) => sum + d, 0),
    score: heard.reduce((sum, { p }) => sum + Math.log(Math.max(p, Number.MIN_VALUE)), 0),
  };
}
