import { listed } from './listed.ts';

/**
 * Word error rate and the keys of a menu, over normalised texts. Only spelling is normalised: digits and number words,
 * case, punctuation, and compounds with two spellings. Nothing that sounds different becomes equal.
 */
const digits = listed('zero one two three four five six seven eight nine ten eleven twelve');

const spellings: readonly (readonly [RegExp, string])[] = [
  [/\btouch[ -]tone\b/g, 'touchtone'],
  [/\bvoice[ -]mail(s?)\b/g, 'voicemail$1'],
  [/\bmail[ -]box(es)?\b/g, 'mailbox$1'],
  [/\bkey[ -]pad\b/g, 'keypad'],
  [/\bre-record/g, 'rerecord'],
  [/\blog[ -]in\b/g, 'login'],
  [/\bgood[ -]bye\b/g, 'goodbye'],
  [/\bcall[ -]back\b/g, 'callback'],
  [/\bon[ -]line\b/g, 'online'],
  [/\be-mail\b/g, 'email'],
  [/\b(ok|o\.k\.)(?=\W|$)/g, 'okay'],
  [/\bi'm\b/g, 'i am'],
  [/\bthat's\b/g, 'that is'],
  [/\bit's\b/g, 'it is'],
  [/\byou're\b/g, 'you are'],
  [/#/g, ' pound '],
  [/\*/g, ' star '],
];

export function spokenWords(text: string): string[] {
  let plain = text.toLowerCase().replace(/[’‘]/g, "'");
  for (const [pattern, spelling] of spellings) plain = plain.replace(pattern, spelling);
  return plain
    .replace(/\d+/g, (number) =>
      digits[Number(number)] && number.length < 3
        ? ` ${digits[Number(number)]} `
        : ` ${Array.from(number, (digit) => digits[Number(digit)]).join(' ')} `,
    )
    .replace(/[^a-z' ]+/g, ' ')
    .replace(/(^|\s)'+|'+(?=\s|$)/g, ' ')
    .split(/\s+/)
    .filter(Boolean);
}

/** Returns the substitutions, insertions and deletions on the shortest way from `said` to `heard`, in words. */
export function wordErrors(said: string, heard: string): { readonly errors: number; readonly words: number } {
  const a = spokenWords(said);
  const b = spokenWords(heard);
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const same = a[i - 1] === b[j - 1] ? 0 : 1;
      next.push(Math.min((row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1, (row[j - 1] ?? 0) + same));
    }
    row = next;
  }
  return { errors: row[b.length] ?? 0, words: a.length };
}

const keyNames = [...digits.slice(0, 10), 'star', 'pound'];

/** Returns the keys that a text asks for, in order: "press two", "the pound key", "or nine to", "star for help". */
export function keysNamed(text: string): string[] {
  const words = spokenWords(text);
  return words.filter((word, index) => {
    if (!keyNames.includes(word)) return false;
    const before = words[index - 1] ?? '';
    const after = words[index + 1] ?? '';
    return ['press', 'dial', 'enter', 'push', 'hit', 'select', 'or', 'the'].includes(before)
      ? before !== 'the' || after === 'key' || word === 'pound' || word === 'star'
      : word === 'pound' || word === 'star';
  });
}

/** Returns how many of the spoken keys were heard, in order (longest common subsequence). */
export function keysFound(
  said: string,
  heard: string,
): { readonly found: number; readonly keys: number; readonly invented: number } {
  const a = keysNamed(said);
  const b = keysNamed(heard);
  let row = new Array<number>(b.length + 1).fill(0);
  for (const key of a) {
    const next = [0];
    b.forEach((other, j) => next.push(key === other ? (row[j] ?? 0) + 1 : Math.max(row[j + 1] ?? 0, next[j] ?? 0)));
    row = next;
  }
  const found = row[b.length] ?? 0;
  return { found, keys: a.length, invented: b.length - found };
}
