import { keyWords } from './keys/keyWords.ts';

const spokenDigit = new RegExp(String.raw`^\d|^(?:${keyWords.slice(0, 10).join('|')}|oh)\W*$`, 'i');

/** Cuts a loop: one to six words that are repeated directly four times or more stay once. */
export function withoutRepetition(text: string): string {
  const words = text.split(/\s+/).filter(Boolean);
  const same = (a: number, b: number): boolean =>
    words[a]?.toLowerCase().replace(/\W/g, '') === words[b]?.toLowerCase().replace(/\W/g, '');
  for (let length = 1; length <= 6; length += 1) {
    for (let at = 0; at + 4 * length <= words.length; at += 1) {
      let run = length;
      while (at + run < words.length && same(at + run, at + run - length)) run += 1;
      if (run >= 4 * length && !words.slice(at, at + length).every((word) => spokenDigit.test(word))) {
        words.splice(at + length, run - length);
      }
    }
  }
  return words.join(' ');
}
