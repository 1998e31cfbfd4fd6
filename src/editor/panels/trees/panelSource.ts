import type { FromWebview, PanelSnapshot, ToWebview } from '../../../contract/panel.ts';
import type { Disposable, DisposableStore } from '../../basics/lifetime.ts';
import type { PageHandlers } from '../webview/webviewHost.ts';

export interface TreePage {
  readonly lastSnapshot: PanelSnapshot | undefined;
  /** Reads the source soon, but not more often than a page can draw. */
  readonly request: () => void;
  /** Reads the source now. Returns false if it can't be read. */
  push(): Promise<boolean>;
  show(snapshot: PanelSnapshot): void;
  post(message: ToWebview): void;
  /** Ends with the panel. */
  readonly held: DisposableStore;
}

/** Where the tree of a panel comes from, with its runs and its audio, and what the page can do with it. */
export interface PanelSource {
  /** The mapping, or undefined if the tree comes from a file. */
  readonly jobId?: string;
  /** Shows the current tree on the page, or says there what is wrong with it. */
  read(): unknown;
  /** Follows changes that cost something to follow. Only a visible page does. */
  watch?(): Disposable;
  showRun?(runNumber: number): void;
  readonly handlers: Omit<PageHandlers<FromWebview>, 'ready' | 'stopComparing' | 'picture'>;
}
