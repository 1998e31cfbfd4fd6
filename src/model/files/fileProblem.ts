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
}

export interface Place {
  readonly line: number;
  readonly column: number;
}

export function placeIn(text: string, offset: number): Place {
  const before = text.slice(0, offset).split(/\r\n|\r|\n/);
  return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
}

/** Formats a problem like a compiler, so that terminals and editors turn it into a link. */
export const problemText = ({ file, line, column, message }: FileProblem): string =>
  `${file}:${String(line)}:${String(column)}: ${message}`;
