import { EventEmitter, l10n, TreeItem, window } from 'vscode';
import type { TreeDataProvider, TreeView } from 'vscode';
import type { Connection } from '../host/connection.ts';
import { DisposableStore } from '../lifetime.ts';
import type { Disposable } from '../lifetime.ts';
import type { Logger } from '../logger.ts';
import { describeCause } from '../logger.ts';
import type { MappingStore } from '../store/mappingStore.ts';
import { jobElements, menuElements, parentElement, rootElements, rowOf, runElements } from './mappingRows.ts';
import type { TreeElement } from './treeElement.ts';
import { treeItemOf } from './treeItem.ts';

export const mappingsViewId = 'dialtree.mappings';

/** Jobs, their runs, and the menus found: what the store knows, drawn. It makes the store read only while it is visible. */
export class MappingsView implements TreeDataProvider<TreeElement> {
  readonly #store: MappingStore;
  readonly #connection: Pick<Connection, 'state' | 'onDidChangeState'>;
  readonly #log: Logger;
  readonly #held = new DisposableStore();
  readonly #changed = this.#held.add(new EventEmitter<undefined>());
  readonly onDidChangeTreeData = this.#changed.event;
  readonly #view: TreeView<TreeElement>;
  #watch: Disposable | undefined;

  constructor(store: MappingStore, connection: Pick<Connection, 'state' | 'onDidChangeState'>, log: Logger) {
    this.#store = store;
    this.#connection = connection;
    this.#log = log;
    this.#view = this.#held.add(window.createTreeView(mappingsViewId, { treeDataProvider: this, showCollapseAll: true }));
    this.#held.add(this.#view.onDidChangeVisibility(() => { this.#follow(); }));
    this.#held.add({ dispose: () => this.#watch?.dispose() });
    // The editor itself gathers what changes within a moment.
    this.#held.add(store.onDidChange(() => {
      this.#showState();
      if (this.#view.visible) this.#changed.fire(undefined);
    }));
    this.#held.add(connection.onDidChangeState(() => { this.#showState(); }));
    this.#follow();
  }

  getTreeItem(element: TreeElement): TreeItem {
    const row = rowOf(this.#store.job(element.jobId), element, l10n);
    // Between a change and its drawing, what an element stood for may go.
    return row ? treeItemOf(row, element) : new TreeItem('');
  }

  async getChildren(element?: TreeElement): Promise<TreeElement[]> {
    if (!element) return jobElements(this.#store.jobs);
    try {
      return await this.#childrenOf(element);
    } catch (error) {
      this.#log.warn(`A mapping was not read: ${describeCause(error)}`);
      return [];
    }
  }

  getParent(element: TreeElement): TreeElement | undefined {
    return parentElement(this.#store.job(element.jobId), element);
  }

  /** Selects a job, opened, with its newest run. */
  async reveal(jobId: string): Promise<void> {
    await this.#store.loadRuns(jobId);
    await this.#view.reveal({ kind: 'job', jobId }, { select: true, focus: false, expand: true });
  }

  dispose(): void {
    this.#held.dispose();
  }

  async #childrenOf(element: TreeElement): Promise<TreeElement[]> {
    switch (element.kind) {
      case 'job': return runElements(await this.#store.loadRuns(element.jobId), l10n);
      case 'run': return rootElements(await this.#store.loadTree(element.jobId, element.runNumber), element.runNumber, l10n);
      case 'menu': {
        const snapshot = this.#store.job(element.jobId);
        return snapshot ? menuElements(snapshot, element) : [];
      }
      case 'note': return [];
    }
  }

  #follow(): void {
    if (this.#view.visible) {
      this.#watch ??= this.#store.watch();
      this.#changed.fire(undefined);
    } else {
      this.#watch?.dispose();
      this.#watch = undefined;
    }
    this.#showState();
  }

  /** What is known stays visible when the service goes; a line above says so. Where nothing is known, the welcome text does. */
  #showState(): void {
    const { state } = this.#connection;
    const known = this.#store.jobs.length > 0;
    this.#view.message = known && state.kind === 'unreachable' ? l10n.t('The service cannot be reached. This is what it said last.') : '';
    const running = this.#store.jobs.filter(({ job }) => job.status === 'running').length;
    this.#view.badge = running === 0 ? undefined : { value: running, tooltip: running === 1 ? l10n.t('1 run goes on') : l10n.t('{0} runs go on', running) };
  }
}
