/** Words shown around the difference. */
const around = 2;
const maxWords = 14;

/**
 * Describes where two texts differ, as `"… press 2" became "… press 3"`, without what they share at both ends, except a
 * word or two.
 */
export function differingWords(before: string, after: string): string {
  const [one, other] = [before, after].map((text) => text.split(/\s+/).filter((word) => word !== '')) as [
    string[],
    string[],
  ];
  const [plainOne, plainOther] = [one.map(plain), other.map(plain)];
  const shorter = Math.min(one.length, other.length);
  let start = 0;
  while (start < shorter && plainOne[start] === plainOther[start]) start += 1;
  let end = 0;
  while (end < shorter - start && plainOne.at(-1 - end) === plainOther.at(-1 - end)) end += 1;
  return `${part(one, start, one.length - end)} became ${part(other, start, other.length - end)}`;
}

const plain = (word: string): string => word.toLowerCase().replace(/[^\p{L}\p{M}\p{N}*#]/gu, '');

function part(words: readonly string[], start: number, end: number): string {
  if (words.length === 0) return 'silence';
  const from = Math.max(0, start - around);
  const to = Math.min(words.length, end + around, from + maxWords);
  return `"${from > 0 ? '… ' : ''}${words.slice(from, to).join(' ')}${to < words.length ? ' …' : ''}"`;
}
