interface TextChange {
  readonly offset: number;
  readonly length: number;
  readonly content: string;
}

/** Returns the smallest change that turns one text into another, so that cursors and folds elsewhere stay. */
export function changeBetween(before: string, after: string): TextChange {
  const most = Math.min(before.length, after.length);
  let start = 0;
  while (start < most && before[start] === after[start]) start += 1;
  let end = 0;
  while (end < most - start && before[before.length - 1 - end] === after[after.length - 1 - end]) end += 1;
  return { offset: start, length: before.length - start - end, content: after.slice(start, after.length - end) };
}
