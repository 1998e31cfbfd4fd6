import {
  l10n,
  MarkdownString,
  ThemeColor,
  ThemeIcon,
  TreeItem,
  TreeItemCollapsibleState,
  type ViewBadge,
} from 'vscode';
import type { RowModel } from './rowModel.ts';

const collapsibleStates = {
  none: TreeItemCollapsibleState.None,
  collapsed: TreeItemCollapsibleState.Collapsed,
  expanded: TreeItemCollapsibleState.Expanded,
} as const;

/** Creates the editor's item for a row. `element` is the argument of its command. */
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
  // Without this, screen readers read the tooltip.
  item.accessibilityInformation = {
    label:
      row.accessibilityLabel ??
      [row.label, row.description].filter((part) => part !== undefined && part !== '').join(', '),
  };
  return item;
}

export function runsBadge(running: number): ViewBadge | undefined {
  if (running === 0) return undefined;
  const tooltip = running === 1 ? l10n.t('1 run in progress') : l10n.t('{0} runs in progress', running);
  return { value: running, tooltip };
}
