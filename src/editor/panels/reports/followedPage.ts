import type * as z from 'zod';
import { DisposableStore } from '../../basics/lifetime.ts';
import type { Logger } from '../../basics/log/logger.ts';
import { listenToPage } from '../webview/webviewHost.ts';
import type { PageHandlers, WebviewHost } from '../webview/webviewHost.ts';

export interface FollowedPageParts<Resource, Snapshot, From extends { readonly type: string }> {
  readonly schema: z.ZodType<From>;
  /** All but `ready` and `refresh`, which read the resource. */
  readonly handlers: Omit<PageHandlers<From>, 'ready' | 'refresh'>;
  /** Reads the resource now, whenever it changes, and at its end. */
  readonly follow: (onRead: (resource: Resource) => void, signal: AbortSignal) => Promise<unknown>;
  /** What the page is shown of it, under which title. */
  readonly show: (resource: Resource) => Promise<{ readonly title: string; readonly snapshot: Snapshot }>;
  /** The page shows it. */
  readonly shown?: () => void;
  /** What went wrong, as the page shall say it. */
  readonly fail: (error: unknown) => void;
  readonly log: Logger;
}

/**
 * The editor's side of a page that shows one thing of the service: whole snapshots follow it while the page is seen. A
 * page that is hidden reads nothing, and says `ready` again when it comes back.
 */
export class FollowedPage<Resource, To, Snapshot extends To, From extends { readonly type: string }> {
  readonly #host: WebviewHost<To>;
  readonly #parts: FollowedPageParts<Resource, Snapshot, From>;
  readonly #held = new DisposableStore();
  #ready = false;
  #following: AbortController | undefined;
  #last: Snapshot | undefined;
  #isShown = false;
  /** Grows with every reading that is sent, so that an older one that took longer is not. */
  #readings = 0;

  constructor(host: WebviewHost<To>, parts: FollowedPageParts<Resource, Snapshot, From>) {
    this.#host = host;
    this.#parts = parts;
    const follow = (): Promise<void> => this.#follow();
    const ready = (): Promise<void> => {
      this.#ready = true;
      this.#isShown = false;
      return follow();
    };
    const handlers = { ...parts.handlers, ready, refresh: follow } as unknown as PageHandlers<From>;
    this.#held.add(listenToPage(host, parts.schema, handlers, parts));
    this.#held.add(
      host.onDidChangeVisibility(() => {
        if (!host.visible) this.#stop();
      }),
    );
    this.#held.add({
      dispose: () => {
        this.#stop();
      },
    });
  }

  /** What the page was sent last. */
  get last(): Snapshot | undefined {
    return this.#last;
  }
  /** Whether the page that is there now has been sent it. */
  get isShown(): boolean {
    return this.#isShown;
  }

  /** Shows the resource as it was read, with something else beside it. */
  change(values: Partial<Snapshot>): void {
    if (!this.#last) return;
    this.#last = { ...this.#last, ...values };
    this.post(this.#last);
  }

  /** Says something to the page, if there is one. */
  post(message: To): void {
    if (this.#ready) this.#host.post(message);
  }

  dispose(): void {
    this.#held.dispose();
  }

  #stop(): void {
    this.#ready = false;
    this.#isShown = false;
    this.#following?.abort();
    this.#following = undefined;
  }

  async #follow(): Promise<void> {
    this.#following?.abort();
    const following = new AbortController();
    this.#following = following;
    try {
      await this.#parts.follow((resource) => {
        void this.#send(resource, following.signal).catch(this.#parts.fail);
      }, following.signal);
    } catch (error) {
      if (!following.signal.aborted) throw error;
    }
  }

  async #send(resource: Resource, signal: AbortSignal): Promise<void> {
    // Who is told to end reads once more: that is no news, and takes nobody's place.
    if (signal.aborted) return;
    this.#readings += 1;
    const reading = this.#readings;
    const { title, snapshot } = await this.#parts.show(resource);
    if (signal.aborted || !this.#ready || reading !== this.#readings) return;
    this.#host.title = title;
    this.#last = snapshot;
    this.#host.post(snapshot);
    this.#isShown = true;
    this.#parts.shown?.();
  }
}
