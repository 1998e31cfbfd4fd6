import { calltreeFileSchema } from '../../../contract/calltreeFile.ts';
import type { FromWebview, PanelSnapshot, PictureFormat, ToWebview } from '../../../contract/panel.ts';
import { fromWebviewSchema } from '../../../contract/panel.ts';
import type { OpenText } from '../../../contract/pageNotice.ts';
import { readJsonFile } from '../../../model/files/jsonFile.ts';
import type { Clock } from '../../basics/clock.ts';
import { DisposableStore, type Disposable } from '../../basics/lifetime.ts';
import type { L10n } from '../../basics/localise.ts';
import { describeCause, type Logger } from '../../basics/log/logger.ts';
import { Throttle } from '../../basics/throttle.ts';
import type { DrawnCoverage } from '../../testing/coverage/drawnCoverage.ts';
import { listenToPage, type PageHandlers, type WebviewHost } from '../webview/webviewHost.ts';
import { SentBase } from './sentBase.ts';
import { TreePicture, type Picture } from './treePicture.ts';

interface TreeText {
  /** The name in messages. */
  readonly file: string;
  read(): string;
  onDidChange(listener: () => void): Disposable;
  /** Generates tests for the part of the tree that the workspace's tests don't cover. */
  generateTests(): unknown;
  openText(place: Pick<OpenText, 'line' | 'column'>): unknown;
}

export interface CalltreePanelParts {
  readonly clock: Clock;
  readonly log: Logger;
  readonly l10n: L10n;
  readonly covered: Pick<DrawnCoverage, 'onDidChange' | 'of' | 'hide'>;
}

/** Waits for this pause in typing. */
const typingMs = 300;

/**
 * The page of a tree that is saved as a file. It follows changes of the text. If the text isn't a tree, the last tree
 * stays, with a notice above it.
 */
export class CalltreePanel {
  readonly #host: WebviewHost<ToWebview>;
  readonly #text: TreeText;
  readonly #parts: CalltreePanelParts;
  readonly #disposables = new DisposableStore();
  readonly #picture: TreePicture;
  readonly #throttle: Throttle;
  #ready = false;
  #base: PanelSnapshot['base'];
  /** For this text; it isn't computed again when a page becomes visible. */
  #coverage: { readonly text: string; readonly shown: PanelSnapshot['coverage'] } | undefined;
  readonly #sentBase = new SentBase();
  #lastSnapshot: PanelSnapshot | undefined;

  constructor(host: WebviewHost<ToWebview>, text: TreeText, parts: CalltreePanelParts) {
    this.#host = host;
    this.#text = text;
    this.#parts = parts;
    this.#picture = new TreePicture(parts.clock, parts.l10n);
    this.#throttle = this.#disposables.add(
      new Throttle(parts.clock, typingMs, () => {
        this.#push();
      }),
    );
    this.#disposables.add({
      dispose: () => {
        this.#picture.cancel();
      },
    });
    this.#disposables.add(
      parts.covered.onDidChange(() => {
        this.#coverage = undefined;
        this.#throttle.request();
      }),
    );
    this.#disposables.add(
      text.onDidChange(() => {
        this.#throttle.request();
      }),
    );
    this.#disposables.add(
      host.onDidChangeVisibility(() => {
        if (host.visible) this.#throttle.request();
        else this.#ready = false;
      }),
    );
    this.#disposables.add(
      listenToPage(host, fromWebviewSchema, this.#handlers, {
        log: parts.log,
        fail: (error) => {
          this.#post({ type: 'notice', message: describeCause(error), severity: 'error' });
        },
      }),
    );
  }

  get lastSnapshot(): PanelSnapshot | undefined {
    return this.#lastSnapshot;
  }

  compareWith(base: NonNullable<PanelSnapshot['base']>): void {
    this.#base = base;
    this.#throttle.request();
  }

  /** @throws HumanError if the page can't draw one */
  draw(format: PictureFormat): Promise<Picture> {
    return this.#picture.request(format, () => {
      this.#post({ type: 'draw', format });
    });
  }

  dispose(): void {
    this.#disposables.dispose();
  }

  readonly #handlers: PageHandlers<FromWebview> = {
    ready: () => {
      this.#ready = true;
      this.#sentBase.forget();
      this.#push();
      this.#picture.pageReady();
    },
    refresh: () => {
      this.#push();
    },
    stopComparing: () => {
      this.#base = undefined;
      this.#push();
    },
    hideCoverage: () => {
      this.#parts.covered.hide(this.#text.file);
    },
    generateTests: () => this.#text.generateTests(),
    openText: (place) => this.#text.openText(place),
    picture: (message) => {
      this.#picture.receive(message);
    },
    // A saved tree has no runs or recordings, so its page doesn't offer these.
    requestAudio: () => undefined,
    openTranscript: () => undefined,
    showRun: () => undefined,
    start: () => undefined,
    raiseLimit: () => undefined,
    cancel: () => undefined,
    callPath: () => undefined,
  };

  #push(): void {
    if (!this.#ready || !this.#host.visible) return;
    const { file } = this.#text;
    const text = this.#text.read();
    const read = readJsonFile(text, file, calltreeFileSchema);
    if ('problems' in read) {
      const [first] = read.problems;
      if (first) {
        const { line, column, message } = first;
        this.#post({ type: 'notice', message, severity: 'error', place: { line, column } });
      }
      return;
    }
    const { name, phoneNumber, tree } = read.value;
    if (this.#coverage?.text !== text) this.#coverage = { text, shown: this.#parts.covered.of(file, read.value) };
    const { shown } = this.#coverage;
    const snapshot: PanelSnapshot = {
      type: 'snapshot',
      name,
      ...(phoneNumber !== undefined && { phoneNumber }),
      runs: [],
      tree: { jobId: file, tree },
      ...(this.#base && { base: this.#base }),
      ...(shown && { coverage: shown }),
    };
    this.#lastSnapshot = snapshot;
    this.#post(this.#sentBase.without(snapshot));
  }

  #post(message: ToWebview): void {
    if (this.#ready) this.#host.post(message);
  }
}
