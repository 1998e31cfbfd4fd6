import { spelledTokens } from '../../heard/spokenForms.ts';

/** The written words of a text, and those that differ: `from` … `to` (exclusive). */
interface DifferingPart {
  readonly words: readonly string[];
  readonly from: number;
  readonly to: number;
}

/** Returns what is left of two texts between their common beginning and end. Spelling and punctuation don't count. */
export function differingParts(before: string, after: string): readonly [DifferingPart, DifferingPart] {
  const [one, other] = [spelledTokens(before, false), spelledTokens(after, false)];
  const shorter = Math.min(one.length, other.length);
  let start = 0;
  while (start < shorter && one[start]?.text === other[start]?.text) start += 1;
  let end = 0;
  while (end < shorter - start && one.at(-1 - end)?.text === other.at(-1 - end)?.text) end += 1;
  const partOf = (text: string, tokens: typeof one): DifferingPart => {
    const words = text.split(/\s+/).filter((word) => word !== '');
    const from = tokens[start]?.from ?? words.length;
    return { words, from, to: Math.max(from, tokens[tokens.length - end - 1]?.to ?? 0) };
  };
  return [partOf(before, one), partOf(after, other)];
}
