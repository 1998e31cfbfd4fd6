import type { AssetFiles } from './assetFiles.ts';
import type { Word } from './ear.ts';
import { decideKeys } from './keys/decideKeys.ts';
import { wordPartsOf } from './keys/keyWords.ts';
import { noMenu } from './keys/menuSoFar.ts';
import { divideJoined, readSlots, slotsOf, writeGrammar, type WordSlot } from './keys/slots.ts';
import { SoundOfKeys } from './keys/soundOfKeys.ts';
import type { MenuLanguage } from './menuLanguage.ts';
import { numberInWords } from './numberInWords.ts';
import { punctuate } from './pausePunctuation.ts';
import type { TimedWord } from './pausePunctuation.ts';
import { roughPronunciation } from './pronounce.ts';
import { loadDecoder } from './soundSwallower.ts';
import type { Decoder } from './soundSwallower.ts';

interface AlignedText {
  readonly text: string;
  readonly words: readonly Word[];
}

/**
 * SoundSwallower with the 8 kHz CMU model: finds the words of a text in its audio and, if a key is in doubt, decides by
 * ear which one was said.
 */
export class Aligner {
  readonly #decoder: Decoder;

  readonly #language: MenuLanguage;
  readonly #soundOfKeys: SoundOfKeys;

  private constructor(decoder: Decoder, language: MenuLanguage) {
    this.#decoder = decoder;
    this.#language = language;
    this.#soundOfKeys = new SoundOfKeys((word) => this.#soundsOf(word), language);
  }

  static async load(assets: AssetFiles, language: MenuLanguage): Promise<Aligner> {
    return new Aligner(await loadDecoder(assets, 'en-us', { samprate: 16000 }), language);
  }

  /**
   * @param audio 16 kHz in -1…1
   * @param checkKeys false on a noisy line, where checking by ear invents keys
   * @param before what the call's prompts offered before this audio
   */
  refine(rawText: string, audio: Float32Array, checkKeys: boolean, before = noMenu): AlignedText {
    const isWord = (word: string): boolean => this.#decoder.lookup_word(word) !== null;
    const slots = decideKeys(divideJoined(rawText, isWord), {
      soundOfKeys: this.#soundOfKeys,
      isMenuWord: (word) => this.#language.id(word) !== 0,
      byEar: checkKeys,
      before,
    });
    const text = slots.map(({ shown }) => shown).join(' ');
    return this.#hear(slots, audio, checkKeys) ?? this.#hear(slotsOf(text), audio, checkKeys) ?? { text, words: [] };
  }

  #hear(slots: readonly WordSlot[], audio: Float32Array, checkKeys: boolean): AlignedText | undefined {
    const vocabulary = new Set(slots.flatMap(({ own, others }) => [...own, ...others.map(({ said }) => said)].flat()));
    if (vocabulary.size === 0) return undefined;
    try {
      for (const word of vocabulary) this.#learn(word);
      this.#decoder.set_grammar(writeGrammar(slots));
      this.#decoder.start();
      this.#decoder.process_audio(audio, false, true);
      this.#decoder.stop();
    } catch {
      // A grammar that this decoder can't handle, or audio too short for it: the text stays without times.
      return undefined;
    }
    const heard = (this.#decoder.get_alignment().w ?? [])
      .filter(({ t }) => !/^[<[+(]/.test(t))
      .map(({ t, b, d }) => ({
        word: t.replace(/\(\d+\)$/, ''),
        startMs: Math.round(b * 1000),
        endMs: Math.round((b + d) * 1000),
      }));
    const read = readSlots(
      slots,
      heard.map(({ word }) => word),
    );
    if (!read) return undefined;
    let lastMs = 0;
    const timed = read.map(({ text, span }): TimedWord => {
      const startMs = (span && heard[span[0]]?.startMs) ?? lastMs;
      lastMs = (span && heard[span[1]]?.endMs) ?? lastMs;
      return { text, startMs, endMs: lastMs };
    });
    const words = timed.map((word) => ({ ...word, text: wordPartsOf(word.text)[1] }));
    return { text: checkKeys ? punctuate(timed) : timed.map((word) => word.text).join(' '), words };
  }

  #soundsOf(word: string): readonly string[] {
    if (/^\d{1,4}$/.test(word)) return numberInWords(word).flatMap((part) => this.#soundsOf(part));
    if (word === '') return [];
    return (this.#decoder.lookup_word(word) ?? roughPronunciation(word)).split(' ').filter(Boolean);
  }

  #learn(word: string): void {
    if (this.#decoder.lookup_word(word) !== null) return;
    const sounds = roughPronunciation(word);
    if (sounds !== '') this.#decoder.add_words([word, sounds]);
  }
}
