import { readSpokenNumber, type Atom } from '../numbers/spokenNumbers.ts';

/** A word of a text, folded for comparing, with its position. A number is one word of digits: "forty two" is 42. */
export interface HeardWord {
  readonly text: string;
  readonly from: number;
  readonly to: number;
}

const wordPattern = /[\p{L}\p{N}]+(?:['’][\p{L}]+)*/gu;
const foldWord = (word: string): string => word.normalize('NFKC').toLowerCase().replace(/['’]/g, '');

/** Returns the words as written. */
export function plainWords(text: string): HeardWord[] {
  return [...text.matchAll(wordPattern)].map((match) => ({
    text: foldWord(match[0]),
    from: match.index,
    to: match.index + match[0].length,
  }));
}

/** Returns the words with numbers as digits. */
export function spokenWords(text: string): HeardWord[] {
  const plain = plainWords(text.replace(/(?<=\d),(?=\d{3}\b)/g, ' '));
  const atoms: Atom[] = plain.map(({ text: word, to }, at) => {
    const [, digits] = /^(\d+)(?:st|nd|rd|th)$/.exec(word) ?? [];
    return {
      text: digits ?? word,
      at,
      ordinal: digits !== undefined,
      stop: /^\s*[.;?!](?:\s|$)/.test(text.slice(to, to + 4)),
      pause: /^\s*[,–—]/.test(text.slice(to, to + 3)),
    };
  });
  const words: HeardWord[] = [];
  for (let at = 0; at < plain.length;) {
    const number = readSpokenNumber(atoms, at);
    const first = plain[at];
    const last = plain[(number?.next ?? at + 1) - 1];
    if (first && last) words.push({ text: number?.digits ?? first.text, from: first.from, to: last.to });
    at = number?.next ?? at + 1;
  }
  return words;
}
