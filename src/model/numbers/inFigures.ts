import { spokenTokens } from '../heard/spokenTokens.ts';

/** Returns the text with numbers as digits: "it is four seven one" and "it is 4 7 1" become "it is 471". English. */
export function inFigures(text: string): string {
  const words = text.split(/\s+/).filter((word) => word !== '');
  const numbers = spokenTokens(words, false).filter(
    ({ kind, shown, from, to }) => kind === 'number' && shown === words.slice(from, to).join(' '),
  );
  for (const { from, to, digits = '' } of numbers.reverse()) {
    const before = /^[^\p{L}\p{N}]*/u.exec(words[from] ?? '')?.[0] ?? '';
    const behind = /[^\p{L}\p{N}]*$/u.exec(words[to - 1] ?? '')?.[0] ?? '';
    words.splice(from, to - from, `${before}${digits}${behind}`);
  }
  return words.join(' ');
}
