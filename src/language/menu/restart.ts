import { patternWith } from '../../base/rows.ts';

const fold = (word: string): string => word.toLowerCase().replace(/[^\p{L}\p{N}*#]/gu, '');

/**
 * A prompt that starts over while one still listens is cut before its second round: from where its first six words come
 * again. Words between the rounds ("I did not hear you.") go too.
 */
export function withoutRestart(text: string): string {
  const words = text.split(/\s+/);
  const folded = words.map(fold);
  const head = folded.slice(0, headWords);
  if (head.length < headWords || words.length < headWords * 2) return text;
  for (let start = headWords; start + headWords <= folded.length; start += 1) {
    if (head.every((word, index) => word === folded[start + index])) return beforeRound(words, start);
  }
  return text;
}

const headWords = 6;

/**
 * Drops the sentence that leads into the second round, where it is short and says that nothing was heard or understood.
 */
function beforeRound(words: readonly string[], start: number): string {
  const text = words.slice(0, start).join(' ');
  return (
    text
      .replace(
        patternWith('i')`
          (?:^|(?<=[.!?]\s))[^.!?]*\b(?:
            did not|didn't|sorry|not a valid|invalid|no input|still there
          )\b[^.!?]*[.!?]?\s*$
        `,
        '',
      )
      .trim() || text
  );
}
