import type { PanelSnapshot, PictureFormat } from '../../../contract/panel.ts';
import type { Basics } from '../../basics/createBasics.ts';
import { Throttle } from '../../basics/throttle.ts';
import { findStep } from '../../store/snapshot.ts';
import {
  FollowedPage,
  type FollowedPageParts,
  type PageHandlers,
  type PageSubject,
  type Shown,
} from '../webview/followedPage.ts';
import type { WebviewHost } from '../webview/webviewHost.ts';
import { TreePicture, type Picture } from './treePicture.ts';

export type TreePanelParts = FollowedPageParts & Pick<Basics, 'clock'>;

/** Up to five snapshots per second. */
const snapshotMs = 200;

/** A tree in a webview: of a mapping or a file. */
export abstract class TreePanel extends FollowedPage<'main', void> {
  readonly #clock: TreePanelParts['clock'];
  readonly #picture: TreePicture;
  #throttle: Throttle | undefined;
  #base: PanelSnapshot['base'];
  /** What the page has received. It doesn't change while the tree grows, so it is sent once. */
  #sentBase: PanelSnapshot['base'];
  #openCompared: (() => Promise<unknown>) | undefined;
  #pendingReveal: string | undefined;

  constructor(host: WebviewHost<'main'>, subject: PageSubject, parts: TreePanelParts) {
    super(host, subject, parts);
    this.#clock = parts.clock;
    this.#picture = new TreePicture(parts.clock, parts.l10n);
    this.held.add({ dispose: () => this.#picture.cancel() });
  }

  /** The mapping that it shows, or undefined if the tree comes from a file. */
  abstract readonly jobId: string | undefined;

  protected readonly ofEachTree: Pick<PageHandlers<'main'>, 'stopComparing' | 'openCompared' | 'picture'> = {
    stopComparing: () => {
      this.#base = undefined;
      return this.send();
    },
    openCompared: () => this.#openCompared?.(),
    picture: (message) => this.#picture.receive(message),
  };

  reveal(stepId: string | undefined): void {
    this.#pendingReveal = stepId;
    this.request();
  }

  /** @param openText shows both trees as text */
  compareWith(base: NonNullable<PanelSnapshot['base']>, openText: () => Promise<unknown>): void {
    this.#base = base;
    this.#openCompared = openText;
    this.request();
  }

  /** @throws HumanError if the page can't draw one */
  draw(format: PictureFormat): Promise<Picture> {
    // The last requested run may not have reached the page yet.
    return this.#picture.request(format, () => {
      void this.send().then((isRight) => {
        if (isRight) this.post({ type: 'draw', format });
        else this.#picture.cancel();
      });
    });
  }

  /** Reads the tree soon, but not more often than a page can draw. */
  protected request(): void {
    this.#throttle?.request();
  }

  /** Follows changes that cost something to follow. */
  protected watch(): { dispose(): unknown } | undefined {
    return undefined;
  }

  protected override async follow(onRead: () => void, signal: AbortSignal): Promise<void> {
    const watch = this.watch();
    const throttle = new Throttle(this.#clock, snapshotMs, onRead);
    this.#throttle = throttle;
    const isOver = Promise.withResolvers<unknown>();
    signal.addEventListener('abort', isOver.resolve);
    throttle.request();
    await isOver.promise;
    throttle.dispose();
    watch?.dispose();
  }

  protected override sent(read: PanelSnapshot): PanelSnapshot {
    // What this reading has: a base that was chosen after the reading goes to the page with the next one.
    const { base } = read;
    const keepsBase = this.isShown && base !== undefined && base === this.#sentBase;
    this.#sentBase = base;
    return keepsBase ? { ...read, base: undefined, keepsBase } : read;
  }

  /** Returns the current tree, or undefined if it said on the page what is wrong with it. */
  protected abstract read(): PanelSnapshot | undefined | Promise<PanelSnapshot>;

  protected override async show(): Promise<Shown<'main'> | undefined> {
    const read = await this.read();
    // The tab of a file has the name of the file.
    return read && { title: read.job && read.name, snapshot: { ...read, base: this.#base } };
  }

  protected override shown(isFirst: boolean): void {
    const { tree, job } = this.lastSnapshot ?? {};
    const stepId = this.#pendingReveal;
    const isFound = stepId !== undefined && findStep(tree?.tree, stepId) !== undefined;
    if (isFound) this.post({ type: 'reveal', stepId });
    if (isFound || job?.status !== 'running') this.#pendingReveal = undefined;
    if (isFirst) this.#picture.pageReady();
  }

  protected override fail(error: unknown): void {
    super.fail(error);
    if (!this.isShown) this.#picture.cancel();
  }
}
