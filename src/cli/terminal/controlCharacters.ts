/**
 * Characters that move a terminal's cursor, change its colours, or reorder text: C0, DEL, C1, line and paragraph
 * separators, bidirectional controls.
 */
const controls = String.raw`[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]`;
const runs = new RegExp(`${controls}+`, 'gu');
const runsBetweenLineEnds = new RegExp(`(?:(?!\\r?\\n)${controls})+`, 'gu');
const singleButLineEnds = new RegExp(`(?!\\r?\\n)${controls}`, 'gu');

/**
 * Runners of GitHub, Azure and others obey `##[command]` and `##vso[command]` anywhere in a line of a job's log, and
 * `::command::` at its start. No callee or file name can be a command.
 */
const withoutCommands = (text: string): string => text.replace(/##(?=\w*\[)/g, '# #').replace(/^(\s*):(?=:)/gm, '$1: ');

/**
 * Returns text of files and callees, such as names, paths and heard words, on one line. Control characters and line
 * ends become spaces.
 */
export const onOneLine = (text: string): string => withoutCommands(text.replace(runs, ' '));

/** Does the same for text of several lines, and keeps its line ends. */
export const withoutControls = (text: string): string => withoutCommands(text.replace(runsBetweenLineEnds, ' '));

/** Returns a value as JSON that is safe on a terminal: control characters are escaped, so nothing is lost. */
export const jsonText = (value: unknown, indent?: number): string =>
  (JSON.stringify(value, null, indent) ?? 'null').replace(
    singleButLineEnds,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
