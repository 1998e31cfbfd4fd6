import { l10n, TreeItem, window, workspace, type TreeDataProvider, type TreeView } from 'vscode';
import { DisposableStore } from '../basics/lifetime.ts';
import { escapeMarkdown, markdownLines } from '../basics/words/markdownText.ts';
import type { PracticeIvrs } from '../host/practice.ts';
import type { PracticeIvr } from '../host/practiceNotes.ts';
import { treeItemOf } from './treeItem.ts';

const practiceViewId = 'dialtree.practice';

export class PracticeView implements TreeDataProvider<PracticeIvr> {
  readonly #practice: PracticeIvrs;
  readonly #disposables = new DisposableStore();
  readonly #view: TreeView<PracticeIvr>;
  readonly onDidChangeTreeData: PracticeIvrs['onDidChange'];

  constructor(practice: PracticeIvrs) {
    this.#practice = practice;
    this.onDidChangeTreeData = practice.onDidChange;
    this.#view = this.#disposables.add(window.createTreeView(practiceViewId, { treeDataProvider: this }));
    // What other windows start is read when the user looks.
    this.#disposables.add(window.onDidChangeWindowState(({ focused }) => focused && practice.lookElsewhere()));
  }

  /** Starts the IVR, and unfolds the view to show it. */
  async start(file: string): Promise<PracticeIvr> {
    const ivr = await window.withProgress({ location: { viewId: practiceViewId } }, () => this.#practice.start(file));
    // An IVR that has just ended has no row.
    await this.#view.reveal(ivr, { select: false }).then(undefined, () => undefined);
    return ivr;
  }

  /** The list is flat. The editor needs this to show a row. */
  getParent(): undefined {
    return undefined;
  }

  getTreeItem(ivr: PracticeIvr): TreeItem {
    return treeItemOf(
      {
        id: ivr.file,
        label: ivr.name,
        description: `${practiceOrigin(ivr)} · ${ivr.uri}`,
        tooltip: markdownLines([
          `**${escapeMarkdown(ivr.name)}**`,
          escapeMarkdown(ivr.uri),
          ivr.isElsewhere ? l10n.t('Another window started this practice IVR, and ends it.') : undefined,
          escapeMarkdown(ivr.file),
          ivr.number === undefined ? undefined : escapeMarkdown(ivr.number),
        ]),
        icon: { id: 'call-incoming', color: 'testing.iconPassed' },
        contextValue: ['practice', ivr.isElsewhere ? 'elsewhere' : 'own'].join(' '),
        children: 'none',
      },
      ivr,
    );
  }

  getChildren(): PracticeIvr[] {
    return [...this.#practice.running];
  }

  dispose(): void {
    this.#disposables.dispose();
  }
}

/** The sample, or the path in the workspace. */
export function practiceOrigin({ file, isSample, isElsewhere }: PracticeIvr): string {
  const origin = isSample ? l10n.t('sample') : workspace.asRelativePath(file);
  return isElsewhere ? `${origin} · ${l10n.t('another window')}` : origin;
}
