/** Matching entries, by their index in each list; undefined if an entry has no match. */
type AlignedPair = readonly [before: number | undefined, after: number | undefined];

/**
 * Aligns two lists so that the total likeness of matching entries is greatest, keeping each list's order (Needleman and
 * Wunsch, 1970). `likeness`: 0 for entries that never match. Time and memory grow with the product of the lengths of
 * what differs; equal ends cost nothing.
 */
export function alignLists(
  beforeLength: number,
  afterLength: number,
  isSame: (before: number, after: number) => boolean,
  likeness: (before: number, after: number) => number,
): AlignedPair[] {
  const [start, tail] = equalEnds(beforeLength, afterLength, isSame);
  const [rows, columns] = [beforeLength - start - tail, afterLength - start - tail];
  const width = columns + 1;
  // The maximum value of the rest from here.
  const worth = new Float64Array((rows + 1) * width);
  const at = (row: number, column: number): number => worth[row * width + column] ?? 0;
  const joined = (row: number, column: number): number => {
    const own = likeness(start + row, start + column);
    return own > 0 ? own + at(row + 1, column + 1) : 0;
  };
  for (let row = rows - 1; row >= 0; row -= 1) {
    for (let column = columns - 1; column >= 0; column -= 1)
      worth[row * width + column] = Math.max(at(row + 1, column), at(row, column + 1), joined(row, column));
  }
  const pairs: AlignedPair[] = Array.from({ length: start }, (_none, index) => [index, index] as const);
  for (let row = 0, column = 0; row < rows || column < columns;) {
    if (row < rows && column < columns && joined(row, column) > 0 && joined(row, column) === at(row, column)) {
      pairs.push([start + row, start + column]);
      row += 1;
      column += 1;
    } else if (row < rows && at(row + 1, column) === at(row, column)) {
      pairs.push([start + row, undefined]);
      row += 1;
    } else {
      pairs.push([undefined, start + column]);
      column += 1;
    }
  }
  return [
    ...pairs,
    ...Array.from(
      { length: tail },
      (_none, index) => [beforeLength - tail + index, afterLength - tail + index] as const,
    ),
  ];
}

/** Returns how many entries the lists share at their beginning, and at their end after that. */
function equalEnds(
  beforeLength: number,
  afterLength: number,
  isSame: (before: number, after: number) => boolean,
): [start: number, tail: number] {
  const most = Math.min(beforeLength, afterLength);
  let start = 0;
  while (start < most && isSame(start, start)) start += 1;
  let tail = 0;
  while (tail < most - start && isSame(beforeLength - 1 - tail, afterLength - 1 - tail)) tail += 1;
  return [start, tail];
}
