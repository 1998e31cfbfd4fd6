/**
 * Escapes plain text so that Markdown (CommonMark 0.31, tables, mathematics) shows it unchanged. Single line breaks
 * stay.
 */
export function plain(text: string): string {
  return text
    .trim()
    .replaceAll(/[\\`*_{}[\]<>|#~&!$=+-]/g, '\\$&')
    .replaceAll(/^[ \t]*(\d+)([.)])/gm, '$1\\$2')
    .replaceAll(/^[ \t]+/gm, '')
    .replaceAll(/([^\n])\n(?!\n)/g, '$1\\\n');
}

/** Returns inline code. A blank line would end it, and what follows would be Markdown. */
export const inlineCode = (text: string): string => (text === '' ? '' : `\`${text.replaceAll(/[`\s]+/g, ' ')}\``);

export const joined = (separator: string, parts: readonly (string | undefined)[]): string =>
  parts.filter((part) => part !== undefined).join(separator);

export const markdownLines = (lines: readonly (string | undefined)[]): string => joined('  \n', lines);
