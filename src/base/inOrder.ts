/**
 * Whether a match of `then` comes after the first match of `first`, which ends with a whole word. Takes time in
 * proportion to the text; one pattern with `[^]*` between the two scans the rest of the text once for each `first`.
 */
export function isInOrder(text: string, first: RegExp, then: RegExp): boolean {
  const start = first.exec(text);
  return start !== null && then.test(text.slice(start.index + start[0].length));
}
