import type { LanguageState, TokenLanguage } from './beamSearch.ts';
import type { MenuLanguage } from './menuLanguage.ts';
import type { Tokens } from './tokens.ts';
import { numberInWords } from './numberInWords.ts';

/** How much the language counts beside the sound, and what makes up for the cost of each word. */
export const fusion = { weight: Number(process.env['LMW'] ?? 0.4), perWord: Number(process.env['LMB'] ?? 2.2) };

interface State extends LanguageState {
  readonly older: number;
  readonly newer: number;
  /** Letters or digits of the word that has begun. */
  readonly partial: string;
}

/** Judges tokens by the words that they make up. A word counts when it is complete. */
export class TokenWords implements TokenLanguage<State> {
  readonly start: State = { words: 0, older: 0, newer: 0, partial: '' };
  readonly #tokens: Tokens;
  readonly #language: MenuLanguage;

  constructor(tokens: Tokens, language: MenuLanguage) {
    this.#tokens = tokens;
    this.#language = language;
  }

  next(state: State, token: number): { readonly state: State; readonly score: number } {
    let [at, score] = [state, 0];
    for (const sign of this.#tokens.text(token).toLowerCase()) {
      if (/[a-z'0-9]/.test(sign) && /\d/.test(sign) === /\d/.test(at.partial || sign)) {
        at = { ...at, partial: at.partial + sign };
        continue;
      }
      const completed = this.#complete(at);
      at = { ...completed.state, partial: /[a-z'0-9]/.test(sign) ? sign : '' };
      if (/[.!?]/.test(sign)) at = { ...at, older: 0, newer: 0 };
      score += completed.score;
    }
    return { state: at, score };
  }

  end(state: State): number {
    return this.#complete(state).score;
  }

  #complete(state: State): { readonly state: State; readonly score: number } {
    let { words, older, newer } = state;
    let score = 0;
    const written = state.partial.replace(/^'+|'+$/g, '');
    for (const word of /^\d/.test(written) ? numberInWords(written) : written === '' ? [] : [written]) {
      const id = this.#language.id(word);
      score += fusion.weight * (this.#language.logProbability(older, newer, id) + fusion.perWord);
      [words, older, newer] = [words + 1, newer, id];
    }
    return { state: { words, older, newer, partial: '' }, score };
  }
}
