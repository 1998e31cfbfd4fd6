import type * as z from 'zod';
import { DisposableStore } from '../../basics/lifetime.ts';
import type { Logger } from '../../basics/log/logger.ts';
import type { CancelRequests } from '../../host/connection.ts';
import { listenToPage, type PageHandlers, type WebviewHost } from '../webview/webviewHost.ts';

interface FollowedPageParts<Resource, Snapshot, From extends { readonly type: string }> {
  readonly schema: z.ZodType<From>;
  readonly id: string;
  readonly cancels: CancelRequests;
  /** All messages except `ready` and `refresh`, which read the resource. */
  readonly handlers: Omit<PageHandlers<From>, 'ready' | 'refresh'>;
  /** Reads the resource now, whenever it changes, and at its end. */
  readonly follow: (onRead: (resource: Resource) => void, signal: AbortSignal) => Promise<unknown>;
  /** Returns the page's content and title for a resource. */
  readonly show: (resource: Resource) => Promise<{ readonly title: string; readonly snapshot: Snapshot }>;
  readonly shown?: () => void;
  readonly fail: (error: unknown) => void;
  readonly log: Logger;
}

/**
 * The editor's side of a page that shows one resource of the service: it sends whole snapshots while the page is
 * visible. A hidden page reads nothing, and says `ready` again when it becomes visible.
 */
export class FollowedPage<
  Resource,
  To,
  Snapshot extends To & { readonly isCancelling?: boolean | undefined },
  From extends { readonly type: string },
> {
  readonly #host: WebviewHost<To>;
  readonly #parts: FollowedPageParts<Resource, Snapshot, From>;
  readonly #disposables = new DisposableStore();
  #ready = false;
  #following: AbortController | undefined;
  #last: Snapshot | undefined;
  #isShown = false;
  /** Grows with every reading, so that an older, slower reading isn't sent. */
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
    this.#disposables.add(listenToPage(host, parts.schema, handlers, parts));
    this.#disposables.add(
      parts.cancels.onDidCancel(({ id, state }) => {
        // The resource itself shows that its calls are over.
        if (id === parts.id && state !== 'done') this.change({ isCancelling: state === 'begun' } as Partial<Snapshot>);
      }),
    );
    this.#disposables.add(
      host.onDidChangeVisibility(() => {
        if (!host.visible) this.#stop();
      }),
    );
    this.#disposables.add({
      dispose: () => this.#stop(),
    });
  }

  get last(): Snapshot | undefined {
    return this.#last;
  }
  /** Whether the current page has received it. */
  get isShown(): boolean {
    return this.#isShown;
  }

  /** Sends the last snapshot with some values replaced. */
  change(values: Partial<Snapshot>): void {
    if (!this.#last) return;
    this.#last = { ...this.#last, ...values };
    this.post(this.#last);
  }

  /** Sends a message to the page, if there is one. */
  post(message: To): void {
    if (this.#ready) this.#host.post(message);
  }

  dispose(): void {
    this.#disposables.dispose();
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
    // The last reading after an abort is not news and isn't sent.
    if (signal.aborted) return;
    this.#readings += 1;
    const reading = this.#readings;
    const { title, snapshot } = await this.#parts.show(resource);
    if (signal.aborted || !this.#ready || reading !== this.#readings) return;
    this.#host.title = title;
    this.#last = { ...snapshot, isCancelling: this.#parts.cancels.isCancelling(this.#parts.id) };
    this.#host.post(this.#last);
    this.#isShown = true;
    this.#parts.shown?.();
  }
}
