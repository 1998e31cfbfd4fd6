import { foreignWords } from '../../model/heard/foreignWords.ts';
import type { LanguageStretch, Utterance } from '../../speech/ear.ts';

/**
 * Returns an utterance in which each French part is replaced by one mark. A word belongs to the nearest stretch,
 * because words made of foreign sounds have vague times.
 */
export function withoutForeign(
  { text, words, startMs, endMs }: Utterance,
  languages: readonly LanguageStretch[],
): string {
  const isFrench = (atMs: number): boolean => nearest(languages, atMs)?.language === 'fr';
  if (words.length === 0) return isFrench((startMs + endMs) / 2) ? foreignWords : text;
  const foreign = words.map((word) => isFrench((word.startMs + word.endMs) / 2));
  if (!foreign.includes(true)) return text;
  if (!foreign.includes(false)) return foreignWords;
  return words
    .flatMap((word, index) =>
      foreign[index] === true ? (foreign[index - 1] === true ? [] : [foreignWords]) : [word.text],
    )
    .join(' ');
}

const distance = ({ startMs, endMs }: LanguageStretch, atMs: number): number =>
  Math.max(startMs - atMs, atMs - endMs, 0);
const nearest = (languages: readonly LanguageStretch[], atMs: number): LanguageStretch | undefined =>
  languages.reduce<LanguageStretch | undefined>(
    (best, one) => (best && distance(best, atMs) <= distance(one, atMs) ? best : one),
    undefined,
  );
