import type { Basics } from '../../basics/createBasics.ts';
import { isStatus, shownMessage } from '../../basics/errors.ts';
import { DisposableStore } from '../../basics/lifetime.ts';
import { describeCause } from '../../basics/log/logger.ts';
import type { CancelRequests } from '../../host/connection.ts';
import { receivedSchemas, type PageName, type ReceivedFrom, type SentTo, type SnapshotOf } from './sentMessages.ts';
import type { WebviewHost } from './webviewHost.ts';

export interface FollowedPageParts extends Pick<Basics, 'log' | 'l10n'> {
  readonly connection: CancelRequests;
}

/** A handler for every message that a page can send, except those that read the resource. */
export type PageHandlers<Name extends PageName> = {
  readonly [Type in Exclude<ReceivedFrom<Name>['type'], 'ready' | 'refresh'>]: (
    message: Extract<ReceivedFrom<Name>, { type: Type }>,
  ) => unknown;
};

/** What a page shows of a resource, and the title of its tab if that changes. */
export interface Shown<Name extends PageName> {
  readonly title?: string | undefined;
  readonly snapshot: SnapshotOf<Name>;
}

export interface PageSubject {
  readonly id: string;
  /** Says that it doesn't exist any more. Absent if it isn't in the service. */
  readonly gone?: string;
}

/**
 * The editor's side of a page that shows one resource of the service: it sends whole snapshots while the page is
 * visible. A hidden page reads nothing, and says `ready` again when it becomes visible.
 */
export abstract class FollowedPage<Name extends PageName, Resource> {
  /** Ends with the panel. */
  readonly held = new DisposableStore();
  readonly #host: WebviewHost<Name>;
  readonly #subject: PageSubject;
  readonly #parts: FollowedPageParts;
  #ready = false;
  #following: AbortController | undefined;
  #page = new AbortController();
  #last: SnapshotOf<Name> | undefined;
  #isShown = false;
  /** Grows with every reading, so that an older, slower reading isn't sent. */
  #readings = 0;

  constructor(host: WebviewHost<Name>, subject: PageSubject, parts: FollowedPageParts) {
    this.#host = host;
    this.#subject = subject;
    this.#parts = parts;
    this.held.add(
      host.onMessage((data) => {
        const message = receivedSchemas[host.page].safeParse(data).data as ReceivedFrom<Name> | undefined;
        if (!message) parts.log.warn('A webview sent a message that is none.');
        else
          void (async () => {
            await this.act(message);
          })().catch((error: unknown) => this.fail(error));
      }),
    );
    this.held.add(
      parts.connection.onDidCancel(({ id, state }) => {
        // The resource itself shows that its calls are over.
        if (id === subject.id && state !== 'done')
          this.change({ isCancelling: state === 'begun' } as Partial<SnapshotOf<Name>>);
      }),
    );
    this.held.add(
      host.onDidChangeVisibility(() => {
        if (!host.visible) this.#stop();
      }),
    );
    this.held.add({ dispose: () => this.#stop() });
  }

  protected abstract readonly handlers: PageHandlers<Name>;
  /** Reads the resource now, whenever it changes, and at its end. */
  protected abstract follow(onRead: (resource: Resource) => void, signal: AbortSignal): Promise<unknown>;
  /** Returns the page's content and title for a resource, or undefined to leave the page as it is. */
  protected abstract show(resource: Resource): Shown<Name> | undefined | Promise<Shown<Name> | undefined>;
  /** The page has received a snapshot. `isFirst`: since it was loaded. */
  protected shown(_isFirst: boolean): void {}
  protected refresh(): Promise<unknown> {
    return this.#follow();
  }
  /** Replaces a snapshot on its way to the page. */
  protected sent(snapshot: SnapshotOf<Name>): SnapshotOf<Name> {
    return snapshot;
  }

  get lastSnapshot(): SnapshotOf<Name> | undefined {
    return this.#last;
  }
  /** Whether the current page has received it. */
  get isShown(): boolean {
    return this.#isShown;
  }

  /** Aborts when the page is hidden, closed or loaded again. */
  protected get pageSignal(): AbortSignal {
    return this.#page.signal;
  }

  /** Does what a message of the page asks for. */
  act(message: ReceivedFrom<Name>): unknown {
    if (message.type === 'refresh') return this.refresh();
    if (message.type !== 'ready')
      return (this.handlers as Readonly<Record<string, (message: unknown) => unknown>>)[message.type]?.(message);
    this.#stop();
    this.#ready = true;
    return this.#follow();
  }

  /** Sends a message to the page, if there is one. */
  post(message: SentTo<Name>): void {
    if (this.#ready) this.#host.post(message);
  }

  dispose(): void {
    this.held.dispose();
  }

  /** Sends the last snapshot with some values replaced. */
  protected change(values: Partial<SnapshotOf<Name>>): void {
    if (!this.#last) return;
    this.#last = { ...this.#last, ...values };
    this.post(this.sent(this.#last));
  }

  /** Shows on the page what went wrong. */
  protected fail(error: unknown): void {
    const { log, l10n } = this.#parts;
    log.error(`The page "${this.#host.page}" wasn't read or didn't do what it was asked for: ${describeCause(error)}`);
    const message = (isStatus(error, 404) ? this.#subject.gone : undefined) ?? shownMessage(error, l10n);
    this.post({ type: 'notice', message, severity: 'error' } as SentTo<Name>);
  }

  /** Sends a reading to the page. Returns false if its content can't be read. */
  protected async send(resource: Resource): Promise<boolean> {
    const signal = this.#following?.signal;
    if (!this.#ready || !signal) return true;
    this.#readings += 1;
    const reading = this.#readings;
    try {
      const read = await this.show(resource);
      if (!read || signal.aborted || reading !== this.#readings) return true;
      if (read.title !== undefined) this.#host.title = read.title;
      this.#last = { ...read.snapshot, isCancelling: this.#parts.connection.isCancelling(this.#subject.id) };
      this.#host.post(this.sent(this.#last));
      const isFirst = !this.#isShown;
      this.#isShown = true;
      this.shown(isFirst);
      return true;
    } catch (error) {
      this.fail(error);
      return false;
    }
  }

  #stop(): void {
    this.#ready = false;
    this.#isShown = false;
    this.#following?.abort();
    this.#following = undefined;
    this.#page.abort();
    this.#page = new AbortController();
  }

  async #follow(): Promise<void> {
    this.#following?.abort();
    const following = new AbortController();
    this.#following = following;
    try {
      // The last reading after an abort is not news and isn't sent.
      await this.follow((resource) => {
        if (!following.signal.aborted) void this.send(resource);
      }, following.signal);
    } catch (error) {
      if (!following.signal.aborted) throw error;
    }
  }
}
