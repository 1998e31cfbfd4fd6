import { l10n, type Memento, type Uri } from 'vscode';
import type { MappingPlace } from '../../basics/commandArguments.ts';
import { WebviewPanels } from '../webview/webviewPanels.ts';
import { OpenTrees } from './openTrees.ts';
import { TreePanel, type TreePanelParts } from './treePanel.ts';

const treePanelType = 'dialtree.tree';

/** The tree panels of this window, up to one per job. */
export class TreePanels {
  readonly #parts: TreePanelParts;
  readonly #panels: WebviewPanels<'main', TreePanel>;

  constructor(extensionUri: Uri, memento: Pick<Memento, 'get' | 'update'>, parts: TreePanelParts) {
    this.#parts = parts;
    const savedTrees = new OpenTrees(memento);
    this.#panels = new WebviewPanels(extensionUri, {
      type: treePanelType,
      page: 'main',
      title: l10n.t('Menu tree'),
      create: (host, jobId) => new TreePanel(host, jobId, parts),
      restore: ({ title }) => savedTrees.takeUp(title),
      onTitle: (jobId, title) => {
        savedTrees.opened(jobId, title);
      },
      onClose: (jobId) => {
        savedTrees.closed(jobId);
      },
    });
  }

  async open({ jobId, runNumber, stepId }: MappingPlace): Promise<void> {
    const preserveFocus = stepId !== undefined;
    const existing = this.#panels.reveal(jobId, preserveFocus);
    const tree =
      existing ??
      this.#panels.open(jobId, { title: (await this.#parts.store.loadRuns(jobId)).job.name, preserveFocus });
    tree.show(runNumber, stepId);
  }

  find(jobId: string): TreePanel | undefined {
    return this.#panels.find(jobId);
  }

  notice(message: string, severity: 'info' | 'error'): void {
    for (const tree of this.#panels.shown) tree.notice(message, severity);
  }

  dispose(): void {
    this.#panels.dispose();
  }
}
