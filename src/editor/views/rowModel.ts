/** A row of a tree view as plain data, made without the editor and drawn by it. */
export interface RowModel {
  readonly id: string;
  readonly label: string;
  readonly description?: string;
  /** Markdown, in which all that comes from a call is escaped. */
  readonly tooltip?: string;
  readonly icon?: { readonly id: string; readonly color?: string };
  /** A set of words, separated by spaces. */
  readonly contextValue: string;
  readonly children: 'none' | 'collapsed' | 'expanded';
  /** What a click does beside selecting; its argument is the element. */
  readonly command?: string;
  readonly accessibilityLabel?: string;
}

/** Text that Markdown shows as it is. */
export function escapeMarkdown(text: string): string {
  return text.replace(/[\\`*_{}[\]()#+\-.!|<>~&$]/g, String.raw`\$&`).replaceAll(/\s*\n\s*/g, ' ');
}

/** The parts that there are, as one text. */
export const joined = (separator: string, parts: readonly (string | undefined)[]): string =>
  parts.filter((part) => part !== undefined).join(separator);

/** Lines below each other, without those that are undefined. */
export const markdownLines = (lines: readonly (string | undefined)[]): string => joined('  \n', lines);
