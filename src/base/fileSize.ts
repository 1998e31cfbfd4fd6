/** Larger files of tests, rows, IVRs and trees aren't read: checking them would take too long and too much memory. */
export const maxFileBytes = 20_000_000;

/** Whether a text is too large for a file, in UTF-8. */
export const isTooLarge = (text: string): boolean =>
  text.length > maxFileBytes ||
  (text.length * 3 > maxFileBytes && new TextEncoder().encode(text).length > maxFileBytes);
