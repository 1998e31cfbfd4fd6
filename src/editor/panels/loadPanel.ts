import { fromLoadSchema } from '../../contract/loadPanel.ts';
import type { FromLoad, LoadSnapshot, ToLoad } from '../../contract/loadPanel.ts';
import type { LoadTest } from '../../contract/loadTests.ts';
import { isStatus, messageOf } from '../errors.ts';
import { DisposableStore } from '../lifetime.ts';
import type { L10n } from '../localise.ts';
import type { Logger } from '../logger.ts';
import { describeCause } from '../logger.ts';
import { followLoad } from '../testing/followRun.ts';
import type { FollowParts } from '../testing/followRun.ts';
import type { TestNames } from '../testing/testNames.ts';
import { listenToPage } from './webviewHost.ts';
import type { PageHandlers, WebviewHost } from './webviewHost.ts';

export interface LoadPanelParts extends FollowParts {
  readonly names: TestNames;
  readonly log: Logger;
  readonly l10n: L10n;
  readonly cancel: (loadTestId: string) => Promise<unknown>;
  /** Places the same calls again, and shows the new test. */
  readonly runAgain: (test: LoadTest) => Promise<unknown>;
  readonly copy: (text: string) => Promise<void>;
}

/** One load test's report in a webview. While the test goes on and the panel is seen, whole snapshots follow it. */
export class LoadPanel {
  readonly loadTestId: string;
  readonly #host: WebviewHost<ToLoad>;
  readonly #parts: LoadPanelParts;
  readonly #held = new DisposableStore();
  #ready = false;
  #following: AbortController | undefined;
  #last: LoadSnapshot | undefined;
  /** Grows with every reading that is sent, so that an older one that took longer is not. */
  #readings = 0;

  constructor(host: WebviewHost<ToLoad>, loadTestId: string, parts: LoadPanelParts) {
    this.loadTestId = loadTestId;
    this.#host = host;
    this.#parts = parts;
    this.#held.add(listenToPage(host, fromLoadSchema, this.#handlers, { log: parts.log, fail: (error) => { this.#fail(error); } }));
    this.#held.add(host.onDidChangeVisibility(() => { if (!host.visible) this.#stop(); }));
    this.#held.add({ dispose: () => { this.#stop(); } });
  }

  /** What the webview was sent last. */
  get lastSnapshot(): LoadSnapshot | undefined { return this.#last; }

  dispose(): void {
    this.#held.dispose();
  }

  readonly #handlers: PageHandlers<FromLoad> = {
    ready: () => {
      this.#ready = true;
      return this.#follow();
    },
    refresh: () => this.#follow(),
    cancel: () => this.#parts.cancel(this.loadTestId),
    runAgain: () => this.#last && this.#parts.runAgain(this.#last.test),
    copy: ({ text }) => this.#parts.copy(text),
  };

  /** A hidden panel reads nothing; a page that comes back says `ready` again. */
  #stop(): void {
    this.#ready = false;
    this.#following?.abort();
    this.#following = undefined;
  }

  async #follow(): Promise<void> {
    this.#following?.abort();
    const following = new AbortController();
    this.#following = following;
    try {
      await followLoad(this.#parts, this.loadTestId, (test) => { void this.#send(test, following.signal).catch((error: unknown) => { this.#fail(error); }); }, following.signal);
    } catch (error) {
      if (!following.signal.aborted) throw error;
    }
  }

  async #send(test: LoadTest, signal: AbortSignal): Promise<void> {
    this.#readings += 1;
    const reading = this.#readings;
    const { names } = this.#parts;
    await names.learn([test]);
    if (signal.aborted || !this.#ready || reading !== this.#readings) return;
    const name = names.of(test);
    const going = test.status === 'running';
    this.#host.title = this.#parts.l10n.t('Load: {0}', name);
    this.#last = { type: 'snapshot', name, test, canCancel: going, canRunAgain: !going };
    this.#host.post(this.#last);
  }

  #fail(error: unknown): void {
    const { log, l10n } = this.#parts;
    log.error(describeCause(error));
    const message = isStatus(error, 404) ? l10n.t('This load test no longer exists.') : messageOf(error) ?? l10n.t('Internal error, see the log.');
    if (this.#ready) this.#host.post({ type: 'notice', message, severity: 'error' });
  }
}
