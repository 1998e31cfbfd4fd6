/**
 * Larger files of tests, rows, IVRs and trees aren't read, because checking them would take too long and use too much
 * memory.
 */
export const maxFileBytes = 20_000_000;

/** Returns true if a text, encoded as UTF-8, is too large for a file. */
export const isTooLarge = (text: string): boolean =>
  text.length > maxFileBytes ||
  (text.length * 3 > maxFileBytes && new TextEncoder().encode(text).length > maxFileBytes);
