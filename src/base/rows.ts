// Long patterns and lists of words over several rows, each row read on its own.

const inOneRow = (rows: TemplateStringsArray, parts: readonly string[]): string =>
  String.raw(rows, ...parts).replaceAll(/\n\s*/g, '');

/**
 * The source of a regular expression: line breaks and the indentation after them don't count. A space at the edge of a
 * row is written `[ ]`.
 */
export const source = (rows: TemplateStringsArray, ...parts: readonly string[]): string => inOneRow(rows, parts);

/** By where they stand, so that a pattern within a function is made once. */
const made = new WeakMap<TemplateStringsArray, RegExp>();

/** A regular expression, written like `source`. */
export function pattern(rows: TemplateStringsArray): RegExp {
  let regExp = made.get(rows);
  if (!regExp) made.set(rows, (regExp = new RegExp(inOneRow(rows, []))));
  return regExp;
}

/** A regular expression with flags, and with parts put in. Each call makes a new one, since one with `g` has a state. */
export const patternWith =
  (flags: string) =>
  (rows: TemplateStringsArray, ...parts: readonly string[]): RegExp =>
    new RegExp(inOneRow(rows, parts), flags);

/** Words with spaces or line breaks between them. */
export const words = (rows: TemplateStringsArray): readonly string[] => String.raw(rows).trim().split(/\s+/);
