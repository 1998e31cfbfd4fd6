import type { LanguageState, TokenLanguage } from './beamSearch.ts';
import type { MenuLanguage } from './menuLanguage.ts';
import type { Tokens } from './tokens.ts';
import { numberInWords } from './numberInWords.ts';

/** The weight of the language relative to the sound, and the compensation for the cost of each word. */
const fusion = { weight: 0.3, perWord: 4.5 };

interface DecodingState extends LanguageState {
  /** The complete words, each after a space. */
  readonly complete: string;
  readonly older: number;
  readonly newer: number;
  /** Letters or digits of the incomplete word. */
  readonly partial: string;
}

/** Three to six words repeated directly are usually a recogniser's loop. */
const repeated = /((?: \S+){3,6})\1$/;
const costOfRepetition = 4;

/** An endless number is a recogniser's loop, so beyond this its digits count as words. */
const maxDigits = 4;

const continues = (partial: string, sign: string): boolean =>
  partial === '' || (/\d/.test(sign) ? /^\d/.test(partial) && partial.length < maxDigits : !/^\d/.test(partial));

/** Scores tokens by their words. A word counts when it is complete. */
export class TokenWords implements TokenLanguage<DecodingState> {
  readonly start: DecodingState = { text: '', complete: '', words: 0, older: 0, newer: 0, partial: '' };
  readonly #tokens: Tokens;
  readonly #language: MenuLanguage;

  constructor(tokens: Tokens, language: MenuLanguage) {
    this.#tokens = tokens;
    this.#language = language;
  }

  next(state: DecodingState, token: number): { readonly state: DecodingState; readonly score: number } {
    let [at, score] = [state, 0];
    for (const sign of this.#tokens.text(token).toLowerCase()) {
      if (/[a-z'0-9]/.test(sign) && continues(at.partial, sign)) {
        at = { ...at, partial: at.partial + sign };
        continue;
      }
      const completed = this.#complete(at);
      at = { ...completed.state, partial: /[a-z'0-9]/.test(sign) ? sign : '' };
      if (/[.!?]/.test(sign)) at = { ...at, older: 0, newer: 0 };
      score += completed.score;
    }
    return { state: { ...at, text: `${at.complete} ${at.partial}` }, score };
  }

  end(state: DecodingState): { readonly state: DecodingState; readonly score: number } {
    return this.#complete(state);
  }

  #complete(state: DecodingState): { readonly state: DecodingState; readonly score: number } {
    let { complete, words, older, newer } = state;
    let score = 0;
    const written = state.partial.replace(/^'+|'+$/g, '');
    for (const word of /^\d/.test(written) ? numberInWords(written) : written === '' ? [] : [written]) {
      const id = this.#language.id(word);
      score += fusion.weight * (this.#language.logProbability(older, newer, id) + fusion.perWord);
      complete += ` ${word}`;
      if (repeated.test(complete)) score -= costOfRepetition;
      [words, older, newer] = [words + 1, newer, id];
    }
    return { state: { text: complete, complete, words, older, newer, partial: '' }, score };
  }
}
