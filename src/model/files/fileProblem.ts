/** Something wrong in a file, at a place that a person can go to. */
export interface FileProblem {
  readonly file: string;
  /** From 1. */
  readonly line: number;
  /** From 1, in UTF-16 units as editors count. */
  readonly column: number;
  /** UTF-16 units on that line that are wrong; at least 1. */
  readonly length: number;
  /** What is wrong, and where it is not plain, what to do. */
  readonly message: string;
}

export interface Place {
  readonly line: number;
  readonly column: number;
}

/** Where an offset of a text lies. */
export function placeIn(text: string, offset: number): Place {
  const before = text.slice(0, offset).split(/\r\n|\r|\n/);
  return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
}

/** As compilers write it, so that terminals and editors make a link of it. */
export const problemText = ({ file, line, column, message }: FileProblem): string =>
  `${file}:${String(line)}:${String(column)}: ${message}`;
