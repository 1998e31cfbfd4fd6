import { limits } from '../../contract/limits.ts';

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
  /** The secret that has no value. */
  readonly secret?: string;
}

export interface FilePlace {
  readonly line: number;
  readonly column: number;
}

/** Returns the offset at which each line of a text begins. */
export const lineStarts = (text: string): number[] => [
  0,
  ...Array.from(text.matchAll(/\r\n|\r|\n/g), ({ index, 0: end }) => index + end.length),
];

/** Returns a function for many offsets of one text. */
export function placesIn(text: string): (offset: number) => FilePlace {
  let known: readonly number[] | undefined;
  return (offset) => {
    const starts = (known ??= lineStarts(text));
    let [first, last] = [0, starts.length - 1];
    while (first < last) {
      const middle = Math.ceil((first + last) / 2);
      if ((starts[middle] ?? 0) <= offset) first = middle;
      else last = middle - 1;
    }
    return { line: first + 1, column: offset - (starts[first] ?? 0) + 1 };
  };
}

export const placeIn = (text: string, offset: number): FilePlace => placesIn(text)(offset);

/** More problems of one file aren't read one by one. */
export const { file: maxProblems } = limits.problems;

/** Returns the first problems and, if there are more in `all`, how many. */
export function firstProblems(problems: readonly FileProblem[], all = problems.length): readonly FileProblem[] {
  const next = problems[maxProblems] ?? problems.at(-1);
  if (all <= maxProblems || !next) return problems;
  const message = `More problems in this file: ${String(all - maxProblems)}`;
  return [...problems.slice(0, maxProblems), { ...next, message }];
}

/** Formats a problem like a compiler, so that terminals and editors turn it into a link. */
export const problemText = ({ file, line, column, message }: FileProblem): string =>
  `${file}:${String(line)}:${String(column)}: ${message}`;
