import { MarkdownString, ThemeColor, ThemeIcon, TreeItem, TreeItemCollapsibleState } from 'vscode';
import type { RowModel } from './rowModel.ts';

const collapsibleStates = {
  none: TreeItemCollapsibleState.None,
  collapsed: TreeItemCollapsibleState.Collapsed,
  expanded: TreeItemCollapsibleState.Expanded,
} as const;

/** Draws a row; `element` is the argument of its command. */
export function treeItemOf(row: RowModel, element: unknown): TreeItem {
  const item = new TreeItem(row.label, collapsibleStates[row.children]);
  item.id = row.id;
  item.contextValue = row.contextValue;
  if (row.description !== undefined) item.description = row.description;
  if (row.tooltip !== undefined) item.tooltip = new MarkdownString(row.tooltip);
  if (row.icon)
    item.iconPath = new ThemeIcon(
      row.icon.id,
      row.icon.color === undefined ? undefined : new ThemeColor(row.icon.color),
    );
  if (row.command !== undefined) item.command = { command: row.command, title: row.label, arguments: [element] };
  // Without one, the editor reads the tooltip out.
  item.accessibilityInformation = {
    label:
      row.accessibilityLabel ??
      [row.label, row.description].filter((part) => part !== undefined && part !== '').join(', '),
  };
  return item;
}
