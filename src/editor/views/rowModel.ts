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
