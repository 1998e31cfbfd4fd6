import { env, EventEmitter, l10n, TreeItem, window, type TreeDataProvider, type TreeView } from 'vscode';
import type { WallClock } from '../basics/wallClock.ts';
import { DisposableStore, type Disposable } from '../basics/lifetime.ts';
import { describeCause, type Logger } from '../basics/log/logger.ts';
import type { Connection } from '../host/connection.ts';
import type { MappingStore } from '../store/mappingStore.ts';
import type { JobSnapshot } from '../store/snapshot.ts';
import { MappingRefresh } from './mappingRefresh.ts';
import { jobElements, menuElements, parentElement, rootElements, mappingRowOf, runElements } from './mappingRows.ts';
import type { RowStates } from './rowStates.ts';
import { elementId, type TreeElement } from './treeElement.ts';
import { runsBadge, treeItemOf } from './treeItem.ts';

export const mappingsViewId = 'dialtree.mappings';

/**
 * The view of jobs, their runs, and their menus, drawn from the store. The store reads only while the view is visible.
 */
export class MappingsView implements TreeDataProvider<TreeElement> {
  readonly #store: MappingStore;
  readonly #connection: Pick<Connection, 'state' | 'onDidChangeState' | 'onDidCancel' | 'isCancelling'>;
  readonly #states: RowStates;
  readonly #log: Logger;
  readonly #disposables = new DisposableStore();
  readonly #refresh: MappingRefresh;
  readonly #changed = this.#disposables.add(new EventEmitter<TreeElement[] | undefined>());
  readonly onDidChangeTreeData = this.#changed.event;
  readonly #view: TreeView<TreeElement>;
  #watch: Disposable | undefined;
  /** Trees of the expanded rows, by the id of their run's row. */
  readonly #shown = new Map<string, { readonly jobId: string; readonly hold: Disposable }>();

  constructor(
    store: MappingStore,
    connection: Pick<Connection, 'state' | 'onDidChangeState' | 'onDidCancel' | 'isCancelling'>,
    states: RowStates,
    clock: WallClock,
    log: Logger,
  ) {
    this.#store = store;
    this.#connection = connection;
    this.#states = states;
    this.#log = log;
    this.#refresh = this.#disposables.add(
      new MappingRefresh({
        store,
        clock,
        l10n,
        draw: (elements) => this.#changed.fire(elements && [...elements]),
      }),
    );
    this.#view = this.#disposables.add(
      window.createTreeView(mappingsViewId, { treeDataProvider: this, showCollapseAll: true }),
    );
    this.#disposables.add(this.#view.onDidChangeVisibility(() => this.#follow()));
    this.#disposables.add({ dispose: () => this.#watch?.dispose() });
    this.#disposables.add({
      dispose: () => this.#hide(undefined),
    });
    this.#disposables.add(this.#view.onDidExpandElement(({ element }) => states.set(elementId(element), 'expanded')));
    this.#disposables.add(
      this.#view.onDidCollapseElement(({ element }) => {
        states.set(elementId(element), 'collapsed');
        this.#hide(element);
      }),
    );
    // The editor batches changes within a short time.
    this.#disposables.add(
      store.onDidChange((change) => {
        this.#showState();
        if (this.#view.visible) this.#refresh.take(change);
      }),
    );
    this.#disposables.add(connection.onDidChangeState(() => this.#showState()));
    this.#disposables.add(connection.onDidCancel(({ id }) => this.#refresh.job(id)));
    this.#follow();
  }

  getTreeItem(element: TreeElement): TreeItem {
    let row = mappingRowOf(this.#store.job(element.jobId), element, l10n, this.#connection.isCancelling(element.jobId));
    const twins = element.kind === 'job' ? this.#store.jobs.filter(({ job }) => job.name === row?.label) : [];
    const { job } = twins.find(({ job }) => job.id === element.jobId) ?? {};
    // The time distinguishes mappings of one name.
    if (row && job && twins.length > 1)
      row = {
        ...row,
        description: `${row.description ?? ''} · ${new Date(job.createdAt).toLocaleString(env.language)}`,
      };
    // The element's subject may disappear between a change and its drawing.
    return row ? treeItemOf(this.#states.of(row), element) : new TreeItem('');
  }

  async getChildren(element?: TreeElement): Promise<TreeElement[]> {
    if (!element) return this.#refresh.known(jobElements(this.#store.jobs));
    try {
      return this.#refresh.known(await this.#childrenOf(element));
    } catch (error) {
      this.#log.warn(`A mapping was not read: ${describeCause(error)}`);
      return [];
    }
  }

  getParent(element: TreeElement): TreeElement | undefined {
    return parentElement(this.#store.job(element.jobId), element);
  }

  /** The job of the selected row, if it is the only one. */
  get selectedJob(): { readonly jobId: string } | undefined {
    const [element, ...others] = this.#view.selection;
    return element?.kind === 'job' && others.length === 0 ? { jobId: element.jobId } : undefined;
  }

  /** Selects a job and expands it, with its newest run. */
  async reveal(jobId: string): Promise<void> {
    await this.#store.loadRuns(jobId);
    await this.#view.reveal({ kind: 'job', jobId }, { select: true, focus: false, expand: true });
  }

  dispose(): void {
    this.#disposables.dispose();
  }

  async #childrenOf(element: TreeElement): Promise<TreeElement[]> {
    switch (element.kind) {
      case 'job':
        return runElements(await this.#store.loadRuns(element.jobId), l10n);
      case 'run':
        return rootElements(await this.#showTree(element), element.runNumber, l10n);
      case 'menu':
        return menuElements(await this.#showTree(element), element);
      case 'note':
        return [];
    }
  }

  /** Keeps trees in memory while their rows are shown. */
  #showTree({ jobId, runNumber }: TreeElement & { kind: 'run' | 'menu' }): Promise<JobSnapshot> {
    const name = elementId({ kind: 'run', jobId, runNumber });
    if (!this.#shown.has(name)) this.#shown.set(name, { jobId, hold: this.#store.showTree(jobId, runNumber) });
    return this.#store.loadTree(jobId, runNumber);
  }

  /** Drops rows of a run, or of all runs of a job, that aren't visible any more. */
  #hide(element: TreeElement | undefined): void {
    const isHidden = (name: string, jobId: string): boolean =>
      element === undefined || (element.kind === 'job' ? jobId === element.jobId : name === elementId(element));
    for (const [name, { jobId, hold }] of [...this.#shown]) {
      if (!isHidden(name, jobId)) continue;
      this.#shown.delete(name);
      hold.dispose();
    }
  }

  #follow(): void {
    if (this.#view.visible) {
      this.#watch ??= this.#store.watch();
      this.#refresh.all();
    } else {
      this.#watch?.dispose();
      this.#watch = undefined;
      this.#hide(undefined);
    }
    this.#showState();
  }

  /**
   * If the service goes away, the known rows stay visible, with a line above. If nothing is known, the welcome text
   * says so.
   */
  #showState(): void {
    const { state } = this.#connection;
    const known = this.#store.jobs.length > 0;
    this.#view.message =
      known && state.kind === 'unreachable' ? l10n.t("Couldn't reach the service. This list may be out of date.") : '';
    this.#view.badge = runsBadge(this.#store.jobs.filter(({ job }) => job.status === 'running').length);
  }
}
