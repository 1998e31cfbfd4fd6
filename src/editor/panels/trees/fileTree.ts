import { calltreeFileSchema } from '../../../contract/calltreeFile.ts';
import type { PanelSnapshot } from '../../../contract/panel.ts';
import { readJsonFile } from '../../../model/files/jsonFile.ts';
import type { Disposable } from '../../basics/lifetime.ts';
import type { DrawnCoverage } from '../../testing/coverage/drawnCoverage.ts';
import type { PageHandlers } from '../webview/followedPage.ts';
import type { WebviewHost } from '../webview/webviewHost.ts';
import { TreePanel, type TreePanelParts } from './treePanel.ts';

export interface TreeText extends Pick<PageHandlers<'main'>, 'generateTests' | 'openText'> {
  /** The name in messages. */
  readonly file: string;
  read(): string;
  onDidChange(listener: () => void): Disposable;
}

export interface FileTreeParts extends TreePanelParts {
  readonly covered: Pick<DrawnCoverage, 'onDidChange' | 'of' | 'hide'>;
}

/**
 * The tree of a file. It follows changes of the text. If the text isn't a tree, the last tree stays, with a notice above
 * it.
 */
export class FileTree extends TreePanel {
  override readonly jobId = undefined;
  readonly #text: TreeText;
  readonly #covered: FileTreeParts['covered'];
  /** For this text; it isn't computed again when a page becomes visible. */
  #coverage: { readonly text: string; readonly shown: PanelSnapshot['coverage'] } | undefined;

  constructor(host: WebviewHost<'main'>, text: TreeText, parts: FileTreeParts) {
    super(host, { id: text.file }, parts);
    this.#text = text;
    this.#covered = parts.covered;
    this.held.add(
      parts.covered.onDidChange(() => {
        this.#coverage = undefined;
        this.request();
      }),
    );
    this.held.add(text.onDidChange(() => this.request()));
  }

  protected override readonly handlers: PageHandlers<'main'> = {
    ...this.ofEachTree,
    hideCoverage: () => this.#covered.hide(this.#text.file),
    generateTests: (message) => this.#text.generateTests(message),
    openText: (message) => this.#text.openText(message),
    // A saved tree has no runs or recordings, so its page doesn't offer these.
    requestAudio: () => undefined,
    openTranscript: () => undefined,
    showRun: () => undefined,
    start: () => undefined,
    raiseLimit: () => undefined,
    cancel: () => undefined,
    callPath: () => undefined,
  };

  protected override read(): PanelSnapshot | undefined {
    const { file } = this.#text;
    const text = this.#text.read();
    const read = readJsonFile(text, file, calltreeFileSchema);
    if ('problems' in read) {
      const [first] = read.problems;
      if (first) {
        const { line, column, message } = first;
        this.post({ type: 'notice', message, severity: 'error', place: { line, column } });
      }
      return undefined;
    }
    const { name, phoneNumber, tree } = read.value;
    if (this.#coverage?.text !== text) this.#coverage = { text, shown: this.#covered.of(file, read.value) };
    const { shown } = this.#coverage;
    return {
      type: 'snapshot',
      name,
      ...(phoneNumber !== undefined && { phoneNumber }),
      runs: [],
      tree: { jobId: file, tree },
      ...(shown && { coverage: shown }),
    };
  }
}
