export interface FileProblem {
  readonly file: string;
  /** From 1. */
  readonly line: number;
  /** From 1, in UTF-16 units as editors count. */
  readonly column: number;
  /** The number of wrong UTF-16 units on that line; at least 1. */
  readonly length: number;
  /** The problem and, if it isn't obvious, the fix. */
  readonly message: string;
  /** It isn't JSON, which every editor of JSON reports itself. */
  readonly isSyntax?: true;
}

export interface Place {
  readonly line: number;
  readonly column: number;
}

/** Returns the offset at which each line of a text begins. */
export const lineStarts = (text: string): number[] => [
  0,
  ...Array.from(text.matchAll(/\r\n|\r|\n/g), ({ index, 0: end }) => index + end.length),
];

export function placeIn(text: string, offset: number): Place {
  const starts = lineStarts(text.slice(0, offset));
  return { line: starts.length, column: offset - (starts.at(-1) ?? 0) + 1 };
}

/** Formats a problem like a compiler, so that terminals and editors turn it into a link. */
export const problemText = ({ file, line, column, message }: FileProblem): string =>
  `${file}:${String(line)}:${String(column)}: ${message}`;
