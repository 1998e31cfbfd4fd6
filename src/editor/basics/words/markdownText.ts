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

/** Returns a code block for any content: its fence is longer than any run of backticks inside. */
export function codeBlock(code: string): string {
  const longest = Math.max(0, ...[...code.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = '`'.repeat(Math.max(3, longest + 1));
  return `${fence}\n${code}\n${fence}`;
}

/** The cells are already Markdown. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

const barWidth = 20;

/** Draws the remaining part of something as a bar of text. A remainder is never shown as nothing. */
export function bar(left: number, whole: number): string {
  const share = whole <= 0 ? 0 : Math.min(1, Math.max(0, left / whole));
  const full = share > 0 ? Math.max(1, Math.floor(share * barWidth)) : 0;
  return `\`${'█'.repeat(full)}${'░'.repeat(barWidth - full)}\``;
}

/** Escapes plain text for one line of Markdown. */
export function escapeMarkdown(text: string): string {
  return text.replace(/[\\`*_{}[\]()#+\-.!|<>~&$]/g, String.raw`\$&`).replaceAll(/\s+/g, ' ');
}

/** Returns inline code. A blank line would end it, and what follows would be Markdown. */
export const inlineCode = (text: string): string => (text === '' ? '' : `\`${text.replaceAll(/[`\s]+/g, ' ')}\``);

export const joined = (separator: string, parts: readonly (string | undefined)[]): string =>
  parts.filter((part) => part !== undefined).join(separator);

export const markdownLines = (lines: readonly (string | undefined)[]): string => joined('  \n', lines);
