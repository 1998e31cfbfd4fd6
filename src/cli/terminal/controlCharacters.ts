/**
 * What moves a terminal's cursor, changes its colours, or shows text in another order than it stands: C0, DEL, C1, line
 * and paragraph separators, bidirectional controls.
 */
const controls = String.raw`[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]`;
const runs = new RegExp(`${controls}+`, 'gu');
const runsBetweenLineEnds = new RegExp(`(?:(?!\\r?\\n)${controls})+`, 'gu');
const singleButLineEnds = new RegExp(`(?!\\r?\\n)${controls}`, 'gu');

/**
 * A name, a path, words that were heard: text of files and of callees as one line, with a space for control characters
 * and line ends.
 */
export const onOneLine = (text: string): string => text.replace(runs, ' ');

/** The same for text of several lines, which stay. */
export const withoutControls = (text: string): string => text.replace(runsBetweenLineEnds, ' ');

/** A value as JSON that a terminal may show too: control characters are escaped, so nothing is lost. */
export const jsonText = (value: unknown, indent?: number): string =>
  (JSON.stringify(value, null, indent) ?? 'null').replace(
    singleButLineEnds,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
