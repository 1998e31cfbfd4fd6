/**
 * Returns true if a match of `then` follows the first match of `first`, which must end with a whole word. Runs in
 * linear time; a single pattern with `[^]*` in the middle would scan the rest of the text once for each `first`.
 */
export function isInOrder(text: string, first: RegExp, then: RegExp): boolean {
  const start = first.exec(text);
  return start !== null && then.test(text.slice(start.index + start[0].length));
}
