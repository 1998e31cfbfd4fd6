// Long patterns and lists of words, written over several rows.

/**
 * Returns the source of a regular expression. Line breaks and the indentation after them don't count. Write a space at
 * the edge of a row as `[ ]`.
 */
export const source = (rows: TemplateStringsArray, ...parts: readonly string[]): string =>
  String.raw(rows, ...parts).replaceAll(/\n\s*/g, '');

/** Cached by call site, so a pattern inside a function is compiled once. */
const compiledPatterns = new WeakMap<TemplateStringsArray, RegExp>();

/** Returns a tag for a regular expression with these flags, written like `source`. */
export const patternWith =
  (flags: string) =>
  (rows: TemplateStringsArray, ...parts: readonly string[]): RegExp => {
    const known = parts.length === 0 ? compiledPatterns.get(rows) : undefined;
    const pattern = known ?? new RegExp(source(rows, ...parts), flags);
    if (parts.length === 0) compiledPatterns.set(rows, pattern);
    // A pattern with `g` has state, so each caller gets a copy.
    return pattern.global ? new RegExp(pattern) : pattern;
  };

export const pattern = patternWith('');

/** Splits words at spaces and line breaks. */
export const words = (rows: TemplateStringsArray): readonly string[] => String.raw(rows).trim().split(/\s+/);
