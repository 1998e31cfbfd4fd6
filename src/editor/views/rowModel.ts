/** A row of a tree view as plain data, created without the editor and drawn by it. */
export interface RowModel {
  readonly id: string;
  readonly label: string;
  readonly description?: string;
  /** Markdown; text from calls is escaped. */
  readonly tooltip?: string;
  readonly icon?: { readonly id: string; readonly color?: string };
  /** A set of words, separated by spaces. */
  readonly contextValue: string;
  readonly children: 'none' | 'collapsed' | 'expanded';
  /** The command of a click, in addition to selecting. Its argument is the element. */
  readonly command?: string;
  readonly accessibilityLabel?: string;
}
