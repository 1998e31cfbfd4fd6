import type { Node } from 'jsonc-parser';

/** A range of text, in UTF-16 units. */
export interface TextSpan {
  readonly offset: number;
  readonly length: number;
}

/** Returns the range between the quotes of a string, even if the closing quote is missing. */
export function insideQuotes(text: string, { offset, length }: Node): TextSpan {
  const isClosed = length > 1 && text[offset + length - 1] === '"';
  return { offset: offset + 1, length: length - (isClosed ? 2 : 1) };
}
