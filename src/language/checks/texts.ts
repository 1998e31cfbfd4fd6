import { stemsOf } from '../heard/words.ts';

/** One text, or several of which any counts. */
type Texts = string | readonly string[];

export const checkTextsOf = (text: Texts | undefined): readonly string[] =>
  text === undefined ? [] : typeof text === 'string' ? [text] : text;

/** Returns true if a text has all words of one of these, in any order and form. Without texts, any does. */
export function holdsAny(texts: Texts | undefined, heard: string): boolean {
  const wanted = checkTextsOf(texts).map(stemsOf);
  if (wanted.length === 0) return true;
  const stems = new Set(stemsOf(heard));
  return wanted.some((words) => words.length > 0 && words.every((word) => stems.has(word)));
}
