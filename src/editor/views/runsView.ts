import { env, EventEmitter, l10n, TreeItem, window, type TreeDataProvider, type TreeView } from 'vscode';
import { targetName } from '../../model/calls/targetName.ts';
import { DisposableStore } from '../basics/lifetime.ts';
import { loadStateWord, testStateWord } from '../basics/words/outcomeWords.ts';
import type { CancelRequests } from '../host/connection.ts';
import type { TestNames } from '../testing/testNames.ts';
import { RunsElements } from './runsElements.ts';
import { contradictionIn, filterText } from './runsFilter.ts';
import { idOf, runOf, type ListedRun, type RunsList } from './runsList.ts';
import type { RunsOrder } from './runsOrder.ts';
import { groupRow, loadRow, moreRow, runRow, type RunsElement } from './runsRows.ts';
import { runsBadge, treeItemOf } from './treeItem.ts';

const runsViewId = 'dialtree.runs';

/**
 * The view of test runs and load tests, newest first. The list reads only while it is visible. If a row only looks
 * different, no other row is redrawn.
 */
export class RunsView implements TreeDataProvider<RunsElement> {
  readonly #list: RunsList;
  readonly #order: RunsOrder;
  readonly #names: TestNames;
  readonly #connection: CancelRequests;
  readonly #disposables = new DisposableStore();
  readonly #elements: RunsElements;
  readonly #changed = this.#disposables.add(new EventEmitter<RunsElement[] | undefined>());
  readonly onDidChangeTreeData = this.#changed.event;
  readonly #view: TreeView<RunsElement>;
  #dayFormat: Intl.DateTimeFormat | undefined;
  #format: Intl.DateTimeFormat | undefined;

  constructor(list: RunsList, order: RunsOrder, names: TestNames, connection: CancelRequests) {
    this.#list = list;
    this.#order = order;
    this.#names = names;
    this.#connection = connection;
    this.#elements = new RunsElements({ list, groupOf: (row) => this.#groupOf(row) });
    this.#view = this.#disposables.add(
      window.createTreeView(runsViewId, { treeDataProvider: this, canSelectMany: true }),
    );
    this.#disposables.add(this.#view.onDidChangeVisibility(() => list.follow(this.#view.visible)));
    this.#disposables.add(
      list.onDidChange((changed) => {
        this.#tellFilter();
        this.#view.badge = runsBadge(list.running);
        // A run that ends can belong to another group.
        this.#changed.fire(order.kept.grouping === 'none' ? changed && this.#elements.of(changed) : undefined);
      }),
    );
    this.#disposables.add(
      names.onDidRename((id) => {
        this.#tellFilter();
        const named = list.rows.flatMap((row) => {
          const run = runOf(row);
          return run.configId === id ? [run.id] : [];
        });
        this.#changed.fire(order.kept.grouping === 'test' ? undefined : this.#elements.of(named));
      }),
    );
    this.#disposables.add(connection.onDidCancel(({ id }) => this.#changed.fire(this.#elements.of([id]))));
    list.follow(this.#view.visible);
  }

  getChildren(element?: RunsElement): RunsElement[] {
    if (!element) return this.#elements.all();
    return element.kind === 'group' ? this.#elements.in(element) : [];
  }

  getTreeItem(element: RunsElement): TreeItem {
    if (element.kind === 'more') return treeItemOf(moreRow(this.#list.isFull, l10n), element);
    if (element.kind === 'group') return treeItemOf(groupRow(element), element);
    const id = element.kind === 'run' ? element.runId : element.loadTestId;
    const row = this.#list.row(id);
    // The element's subject may disappear between a change and its drawing.
    if (!row) return new TreeItem('');
    const words = {
      name: targetName(this.#names.of(runOf(row))),
      isCancelling: this.#connection.isCancelling(id),
      isPinned: this.#order.isPinned(id),
      l10n,
      moment: this.#moment,
    };
    return treeItemOf(row.kind === 'run' ? runRow(row.run, words) : loadRow(row.test, words), element);
  }

  dispose(): void {
    this.#disposables.dispose();
  }

  /** Pinned runs stay on top, outside the groups. */
  #groupOf(row: ListedRun): { groupId: string; label: string } | undefined {
    const { grouping } = this.#order.kept;
    if (grouping === 'none' || this.#order.isPinned(idOf(row))) return undefined;
    const run = runOf(row);
    const label = {
      day: () => this.#day(run.startedAt),
      test: () => targetName(this.#names.of(run)),
      outcome: () => (row.kind === 'run' ? testStateWord(row.run, l10n) : loadStateWord(row.test, l10n)),
    }[grouping]();
    return { groupId: `${grouping} ${grouping === 'test' ? (run.configId ?? run.phoneNumber) : label}`, label };
  }

  #tellFilter(): void {
    const { filter, isRead, rows } = this.#list;
    const text = filterText(filter, {
      l10n,
      moment: this.#moment,
      nameOf: (configId) => this.#names.of({ configId, phoneNumber: l10n.t('one test') }),
    });
    this.#view.description = text ?? '';
    this.#view.message =
      text !== undefined && isRead && rows.length === 0
        ? (contradictionIn(filter, l10n) ?? l10n.t('No runs match the filter.'))
        : '';
  }

  #day(iso: string): string {
    this.#dayFormat ??= new Intl.DateTimeFormat(env.language, { dateStyle: 'full' });
    return this.#dayFormat.format(new Date(iso));
  }

  readonly #moment = (iso: string): string => {
    this.#format ??= new Intl.DateTimeFormat(env.language, {
      day: 'numeric',
      month: 'short',
      hour: '2-digit',
      minute: '2-digit',
    });
    return this.#format.format(new Date(iso));
  };
}
