import { env, EventEmitter, l10n, TreeItem, window, type TreeDataProvider, type TreeView } from 'vscode';
import type { Run } from '../../contract/runs.ts';
import { runName } from '../../model/calls/targetName.ts';
import { DisposableStore } from '../basics/lifetime.ts';
import { runStateWord } from '../basics/words/outcomeWords.ts';
import type { CancelRequests } from '../host/connection.ts';
import { RunsElements } from './runsElements.ts';
import type { RunsList } from './runsList.ts';
import { runsHeading } from './runsHeading.ts';
import type { RunsOrder } from './runsOrder.ts';
import { groupRow, moreRow, runRow, type RunsElement } from './runsRows.ts';
import { runsBadge, treeItemOf } from './treeItem.ts';

const runsViewId = 'dialtree.runs';

/**
 * The view of test runs and load tests, newest first. The list reads only while it is visible. If a row only looks
 * different, no other row is redrawn.
 */
export class RunsView implements TreeDataProvider<RunsElement> {
  readonly #list: RunsList;
  readonly #order: RunsOrder;
  readonly #connection: CancelRequests;
  readonly #disposables = new DisposableStore();
  readonly #elements: RunsElements;
  readonly #changed = this.#disposables.add(new EventEmitter<RunsElement[] | undefined>());
  readonly onDidChangeTreeData = this.#changed.event;
  readonly #view: TreeView<RunsElement>;
  #dayFormat: Intl.DateTimeFormat | undefined;
  #format: Intl.DateTimeFormat | undefined;

  constructor(list: RunsList, order: RunsOrder, connection: CancelRequests) {
    this.#list = list;
    this.#order = order;
    this.#connection = connection;
    this.#elements = new RunsElements({ list, groupOf: (run) => this.#groupOf(run) });
    this.#view = this.#disposables.add(
      window.createTreeView(runsViewId, { treeDataProvider: this, canSelectMany: true }),
    );
    this.#disposables.add(this.#view.onDidChangeVisibility(() => list.follow(this.#view.visible)));
    this.#disposables.add(
      list.onDidChange((changed) => {
        this.#tell();
        this.#view.badge = runsBadge(list.running);
        // A run that ends can belong to another group.
        this.#changed.fire(order.kept.grouping === 'none' ? changed && this.#elements.of(changed) : undefined);
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
    const run = this.#list.row(element.runId);
    // The element's subject may disappear between a change and its drawing.
    if (!run) return new TreeItem('');
    const row = runRow(run, {
      isCancelling: this.#connection.isCancelling(run.id),
      isPinned: this.#order.isPinned(run.id),
      l10n,
      moment: this.#moment,
    });
    return treeItemOf(row, element);
  }

  dispose(): void {
    this.#disposables.dispose();
  }

  /** Pinned runs stay on top, outside the groups. */
  #groupOf(run: Run): { groupId: string; label: string } | undefined {
    const { grouping } = this.#order.kept;
    if (grouping === 'none' || this.#order.isPinned(run.id)) return undefined;
    const label = {
      day: () => this.#day(run.startedAt),
      test: () => runName(run),
      outcome: () => runStateWord(run, l10n),
    }[grouping]();
    return { groupId: `${grouping} ${grouping === 'test' ? (run.configId ?? run.phoneNumber) : label}`, label };
  }

  #tell(): void {
    const { description, message } = runsHeading(this.#list, { l10n, moment: this.#moment });
    this.#view.description = description;
    this.#view.message = message;
  }

  #day(iso: string): string {
    this.#dayFormat ??= new Intl.DateTimeFormat(env.language, { dateStyle: 'full' });
    return this.#dayFormat.format(new Date(iso));
  }

  readonly #moment = (iso: string): string => {
    this.#format ??= new Intl.DateTimeFormat(env.language, {
      day: 'numeric',
      month: 'short',
      hour: 'numeric',
      minute: '2-digit',
    });
    return this.#format.format(new Date(iso));
  };
}
