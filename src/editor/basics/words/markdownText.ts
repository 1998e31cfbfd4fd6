/**
 * Plain text so that Markdown (CommonMark 0.31, tables, mathematics) shows it as it is, and runs none of it. Single
 * line breaks stay.
 */
export function plain(text: string): string {
  return text
    .trim()
    .replaceAll(/[\\`*_{}[\]<>|#~&!$=+-]/g, '\\$&')
    .replaceAll(/^[ \t]*(\d+)([.)])/gm, '$1\\$2')
    .replaceAll(/^[ \t]+/gm, '')
    .replaceAll(/([^\n])\n(?!\n)/g, '$1\\\n');
}

/** A block of code, whatever it holds: its fence is longer than any run of backticks in it. */
export function codeBlock(code: string): string {
  const longest = Math.max(0, ...[...code.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = '`'.repeat(Math.max(3, longest + 1));
  return `${fence}\n${code}\n${fence}`;
}

/** The cells are Markdown already. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

const barWidth = 20;

/** How much is left of something, as a bar of text. What is left at all is never shown as nothing. */
export function bar(left: number, whole: number): string {
  const share = whole <= 0 ? 0 : Math.min(1, Math.max(0, left / whole));
  const full = share > 0 ? Math.max(1, Math.floor(share * barWidth)) : 0;
  return `\`${'█'.repeat(full)}${'░'.repeat(barWidth - full)}\``;
}

/** Plain text on one line so that Markdown shows it as it is. */
export function escapeMarkdown(text: string): string {
  return text.replace(/[\\`*_{}[\]()#+\-.!|<>~&$]/g, String.raw`\$&`).replaceAll(/\s*\n\s*/g, ' ');
}

/** The parts that there are, as one text. */
export const joined = (separator: string, parts: readonly (string | undefined)[]): string =>
  parts.filter((part) => part !== undefined).join(separator);

/** Lines below each other, without those that are undefined. */
export const markdownLines = (lines: readonly (string | undefined)[]): string => joined('  \n', lines);
