// Long patterns and lists of words over several rows, each row read on its own.

/**
 * The source of a regular expression: line breaks and the indentation after them don't count. A space at the edge of a
 * row is written `[ ]`.
 */
export const source = (rows: TemplateStringsArray, ...parts: readonly string[]): string =>
  String.raw(rows, ...parts).replaceAll(/\n\s*/g, '');

/** By where they stand, so that a pattern within a function is made once. */
const made = new WeakMap<TemplateStringsArray, RegExp>();

/** A regular expression with these flags, written like `source`. */
export const patternWith =
  (flags: string) =>
  (rows: TemplateStringsArray, ...parts: readonly string[]): RegExp => {
    const known = parts.length === 0 ? made.get(rows) : undefined;
    const pattern = known ?? new RegExp(source(rows, ...parts), flags);
    if (parts.length === 0) made.set(rows, pattern);
    // One with `g` has a state, so each caller gets its own.
    return pattern.global ? new RegExp(pattern) : pattern;
  };

export const pattern = patternWith('');

/** Words with spaces or line breaks between them. */
export const words = (rows: TemplateStringsArray): readonly string[] => String.raw(rows).trim().split(/\s+/);
