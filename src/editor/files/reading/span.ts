import type { Node } from 'jsonc-parser';

/** A piece of a text, in UTF-16 units. */
export interface Span {
  readonly offset: number;
  readonly length: number;
}

/** What stands between the quotes of a text, also while the second is not typed yet. */
export function insideQuotes(text: string, { offset, length }: Node): Span {
  const isClosed = length > 1 && text[offset + length - 1] === '"';
  return { offset: offset + 1, length: length - (isClosed ? 2 : 1) };
}
