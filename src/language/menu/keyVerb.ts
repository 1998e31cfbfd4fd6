import { word } from './keyNames.ts';
import type { MenuLexicon } from './lexicon.ts';
import { tokenWordsOf, type Token } from './tokens.ts';

export interface KeyVerb {
  readonly text: string;
  /** Always introduces a key. */
  readonly strong: boolean;
  /** Combined with a verb of saying. */
  readonly spoken: boolean;
  readonly to: number;
}

/** "press", "say or press", "press or say" */
export function verbAt(tokens: readonly Token[], start: number, lexicon: MenuLexicon): KeyVerb | undefined {
  const isSay = (at: number): boolean => lexicon.sayVerbs.has(word(tokens, at));
  const isPress = (at: number): boolean =>
    lexicon.pressVerbs.has(word(tokens, at)) || lexicon.weakVerbs.has(word(tokens, at));
  const isJoiner = (at: number): boolean => lexicon.joiners.has(word(tokens, at));
  const sayFirst = isSay(start) && isJoiner(start + 1) && isPress(start + 2);
  const index = sayFirst ? start + 2 : start;
  if (!isPress(index)) return undefined;
  const text = word(tokens, index);
  const phrase = [start - 4, start - 3, start - 2, start - 1, index].map((at) => word(tokens, at));
  if (lexicon.notOffered.test(phrase.slice(phrase.lastIndexOf('') + 1).join(' '))) return undefined;
  const sayNext = isJoiner(index + 1) && isSay(index + 2);
  const strong = lexicon.pressVerbs.has(text);
  return { text, strong, spoken: sayFirst || sayNext, to: index + (sayNext ? 3 : 1) };
}

/** Returns where "by pressing", "if you dial" and "feel free to just press" begin. */
export function verbGroupStart(tokens: readonly Token[], verb: number, lexicon: MenuLexicon): number {
  for (let width = Math.min(longestOpener, verb); width > 0; width -= 1) {
    const opener = tokens.slice(verb - width, verb);
    if (opener.every(({ kind }) => kind === 'word') && lexicon.verbOpeners.has(tokenWordsOf(opener)))
      return verbGroupStart(tokens, verb - width, lexicon);
  }
  return verb;
}

/** The number of words in the longest opener. */
const longestOpener = 6;
