import { env, EventEmitter, l10n, window, type TreeDataProvider, type TreeItem, type TreeView } from 'vscode';
import { createFormats } from '../basics/formats.ts';
import { DisposableStore } from '../basics/lifetime.ts';
import { treeItemOf } from '../views/treeItem.ts';
import type { LineList } from './lineList.ts';
import { lineRow, wrongRow, type ShownLine, type WrongLine } from './lineRows.ts';

const linesViewId = 'dialtree.lines';

/** The view of the lines. Reads only while it is visible. */
export class LinesView implements TreeDataProvider<ShownLine | WrongLine> {
  readonly #list: LineList;
  readonly #disposables = new DisposableStore();
  readonly #changed = this.#disposables.add(new EventEmitter<undefined>());
  readonly onDidChangeTreeData = this.#changed.event;
  readonly #view: TreeView<ShownLine | WrongLine>;
  readonly #formats = createFormats(env.language);
  readonly #words = { l10n, moment: (iso: string): string => this.#formats.moment(iso) };

  constructor(list: LineList) {
    this.#list = list;
    this.#view = this.#disposables.add(window.createTreeView(linesViewId, { treeDataProvider: this }));
    this.#disposables.add(this.#view.onDidChangeVisibility(() => list.follow(this.#view.visible)));
    this.#disposables.add(
      list.onDidChange(() => {
        this.#view.message =
          list.isForeign && list.lines.length > 0
            ? l10n.t('These lines belong to the remote service. Its operator sets them up.')
            : '';
        this.#changed.fire(undefined);
      }),
    );
    list.follow(this.#view.visible);
  }

  getChildren(element?: ShownLine | WrongLine): (ShownLine | WrongLine)[] {
    return element ? [] : [...this.#list.lines, ...this.#list.wrongLines];
  }

  getTreeItem(element: ShownLine | WrongLine): TreeItem {
    return treeItemOf('state' in element ? lineRow(element, this.#words) : wrongRow(element, this.#words), element);
  }

  dispose(): void {
    this.#disposables.dispose();
  }
}
