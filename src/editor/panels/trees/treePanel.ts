import type { FromWebview, PanelSnapshot, PictureFormat, ToWebview } from '../../../contract/panel.ts';
import { fromWebviewSchema } from '../../../contract/panel.ts';
import type { Basics } from '../../basics/createBasics.ts';
import { isStatus, shownMessage } from '../../basics/errors.ts';
import { DisposableStore, type Disposable } from '../../basics/lifetime.ts';
import { describeCause } from '../../basics/log/logger.ts';
import { Throttle } from '../../basics/throttle.ts';
import { findStep } from '../../store/snapshot.ts';
import { listenToPage, type PageHandlers, type WebviewHost } from '../webview/webviewHost.ts';
import type { PanelSource, TreePage } from './panelSource.ts';
import { TreePicture, type Picture } from './treePicture.ts';

type TreePanelParts = Pick<Basics, 'clock' | 'log' | 'l10n'>;

/** Up to five snapshots per second. */
const snapshotMs = 200;

/** A tree in a webview. It sends whole snapshots whenever something has changed; few messages come back. */
export class TreePanel implements TreePage {
  readonly #host: WebviewHost<ToWebview>;
  readonly #source: PanelSource;
  readonly #parts: TreePanelParts;
  readonly held = new DisposableStore();
  readonly #throttle: Throttle;
  readonly #picture: TreePicture;
  #base: PanelSnapshot['base'];
  /** What the page has received. It doesn't change while the tree grows, so it is sent once. */
  #sentBase: PanelSnapshot['base'];
  #ready = false;
  #watch: Disposable | undefined;
  #pendingReveal: string | undefined;
  #lastSnapshot: PanelSnapshot | undefined;

  constructor(host: WebviewHost<ToWebview>, open: (page: TreePage) => PanelSource, parts: TreePanelParts) {
    this.#host = host;
    this.#parts = parts;
    this.#throttle = this.held.add(
      new Throttle(parts.clock, snapshotMs, () => {
        void this.push();
      }),
    );
    this.#picture = new TreePicture(parts.clock, parts.l10n);
    this.held.add({
      dispose: () => {
        this.#picture.cancel();
        this.#watch?.dispose();
      },
    });
    this.#source = open(this);
    const handlers: PageHandlers<FromWebview> = {
      ...this.#source.handlers,
      ready: async () => {
        this.#ready = true;
        this.#sentBase = undefined;
        await this.push();
        this.#picture.pageReady();
      },
      stopComparing: () => {
        this.#base = undefined;
        return this.push();
      },
      picture: (message) => this.#picture.receive(message),
    };
    this.held.add(
      listenToPage(host, fromWebviewSchema, handlers, { log: parts.log, fail: (error) => this.#fail(error) }),
    );
    this.held.add(host.onDidChangeVisibility(() => this.#follow()));
    this.#follow();
  }

  /** The mapping that it shows, or undefined if the tree comes from a file. */
  get jobId(): string | undefined {
    return this.#source.jobId;
  }

  get lastSnapshot(): PanelSnapshot | undefined {
    return this.#lastSnapshot;
  }

  /** Does what the page's button for it does. */
  act(message: Extract<FromWebview, { type: 'callPath' | 'openTranscript' }>): unknown {
    const { callPath, openTranscript } = this.#source.handlers;
    return message.type === 'callPath' ? callPath(message) : openTranscript(message);
  }

  reveal(runNumber: number | undefined, stepId: string | undefined): void {
    if (runNumber !== undefined) this.#source.showRun?.(runNumber);
    this.#pendingReveal = stepId;
    this.request();
  }

  compareWith(base: NonNullable<PanelSnapshot['base']>): void {
    this.#base = base;
    this.request();
  }

  /** @throws HumanError if the page can't draw one */
  draw(format: PictureFormat): Promise<Picture> {
    // The last requested run may not have reached the page yet.
    return this.#picture.request(format, () => {
      void this.push().then((isRight) => {
        if (isRight) this.post({ type: 'draw', format });
        else this.#picture.cancel();
      });
    });
  }

  readonly request = (): void => {
    this.#throttle.request();
  };

  async push(): Promise<boolean> {
    if (!this.#ready || !this.#host.visible) return true;
    try {
      await this.#source.read();
      return true;
    } catch (error) {
      this.#fail(error);
      return false;
    }
  }

  show(read: PanelSnapshot): void {
    const base = this.#base;
    const snapshot = { ...read, base };
    this.#lastSnapshot = snapshot;
    // The tab of a file has the name of the file.
    if (snapshot.job) this.#host.title = snapshot.name;
    const keepsBase = base !== undefined && base === this.#sentBase;
    this.#sentBase = base;
    this.post(keepsBase ? { ...read, base: undefined, keepsBase } : snapshot);
    const stepId = this.#pendingReveal;
    if (stepId !== undefined && findStep(snapshot.tree.tree, stepId)) {
      this.#pendingReveal = undefined;
      this.post({ type: 'reveal', stepId });
    }
    if (snapshot.job?.status !== 'running') this.#pendingReveal = undefined;
  }

  post(message: ToWebview): void {
    if (this.#ready) this.#host.post(message);
  }

  dispose(): void {
    this.held.dispose();
  }

  /** A hidden panel reads nothing. A page that becomes visible says `ready` again. */
  #follow(): void {
    if (this.#host.visible) {
      this.#watch ??= this.#source.watch?.();
      this.request();
    } else {
      this.#watch?.dispose();
      this.#watch = undefined;
      this.#ready = false;
    }
  }

  #fail(error: unknown): void {
    this.#parts.log.error(describeCause(error));
    const { l10n } = this.#parts;
    const isGone = this.jobId !== undefined && isStatus(error, 404);
    const message = isGone ? l10n.t('This mapping or run no longer exists.') : shownMessage(error, l10n);
    this.post({ type: 'notice', message, severity: 'error' });
  }
}
