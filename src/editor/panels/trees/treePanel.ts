import type { FromWebview, PanelSnapshot, PictureFormat, ToWebview } from '../../../contract/panel.ts';
import { fromWebviewSchema } from '../../../contract/panel.ts';
import type { Clock } from '../../basics/clock.ts';
import { isStatus, shownMessage } from '../../basics/errors.ts';
import { DisposableStore, type Disposable } from '../../basics/lifetime.ts';
import type { L10n } from '../../basics/localise.ts';
import { describeCause, type Logger } from '../../basics/log/logger.ts';
import { Throttle } from '../../basics/throttle.ts';
import type { CancelRequests } from '../../host/connection.ts';
import type { ServiceClient } from '../../host/serviceClient.ts';
import type { MappingStore } from '../../store/mappingStore.ts';
import { findStep, isRunning, newestRun, type JobSnapshot } from '../../store/snapshot.ts';
import { listenToPage, type PageHandlers, type WebviewHost } from '../webview/webviewHost.ts';
import { SentBase } from './sentBase.ts';
import { TreePicture, type Picture } from './treePicture.ts';

export interface TreePanelParts {
  readonly store: MappingStore;
  readonly client: Pick<ServiceClient, 'fetchAudio'>;
  readonly connection: CancelRequests;
  readonly clock: Clock;
  readonly log: Logger;
  readonly l10n: L10n;
  /** Returns false if it wasn't started. */
  readonly start: (jobId: string) => Promise<boolean>;
  /** Asks for a higher limit, then starts a run. */
  readonly raiseLimit: (jobId: string) => Promise<unknown>;
  readonly cancel: (jobId: string) => Promise<unknown>;
  readonly openTranscript: (place: { jobId: string; runNumber?: number; stepId?: string }) => Promise<unknown>;
  readonly callPath: (place: { jobId: string; runNumber: number; stepId: string }) => Promise<unknown>;
}

/** Up to five snapshots per second. */
const snapshotMs = 200;
/** Audio links are valid for an hour; older ones than this are replaced. */
const audioLinkMs = 45 * 60_000;

/** A job's tree in a webview. It sends whole snapshots whenever something has changed; few messages come back. */
export class TreePanel {
  readonly jobId: string;
  readonly #host: WebviewHost<ToWebview>;
  readonly #parts: TreePanelParts;
  readonly #disposables = new DisposableStore();
  readonly #throttle: Throttle;
  readonly #picture: TreePicture;
  #base: PanelSnapshot['base'];
  readonly #sentBase = new SentBase();
  /** The selected run; undefined follows the newest. */
  #version: number | undefined;
  #ready = false;
  #watch: Disposable | undefined;
  #shownTree: { readonly version: number; readonly hold: Disposable } | undefined;
  #pendingReveal: string | undefined;
  #lastSnapshot: PanelSnapshot | undefined;

  constructor(host: WebviewHost<ToWebview>, jobId: string, parts: TreePanelParts) {
    this.jobId = jobId;
    this.#host = host;
    this.#parts = parts;
    this.#throttle = this.#disposables.add(
      new Throttle(parts.clock, snapshotMs, () => {
        void this.#push();
      }),
    );
    this.#picture = new TreePicture(parts.clock, parts.l10n);
    this.#disposables.add({
      dispose: () => {
        this.#picture.cancel();
      },
    });
    this.#disposables.add(
      listenToPage(host, fromWebviewSchema, this.#handlers, {
        log: parts.log,
        fail: (error) => {
          this.#fail(error);
        },
      }),
    );
    this.#disposables.add(
      host.onDidChangeVisibility(() => {
        this.#follow();
      }),
    );
    this.#disposables.add(
      parts.store.onDidChange((change) => {
        if (change === undefined || change.jobId === jobId) this.#throttle.request();
      }),
    );
    this.#disposables.add(
      parts.connection.onDidCancel(({ id, state }) => {
        // The job itself shows that its calls are over.
        if (id === jobId && state !== 'done' && this.#lastSnapshot)
          this.#show({ ...this.#lastSnapshot, isCancelling: state === 'begun' });
      }),
    );
    this.#disposables.add({ dispose: () => this.#watch?.dispose() });
    this.#disposables.add({ dispose: () => this.#shownTree?.hold.dispose() });
    this.#follow();
  }

  get lastSnapshot(): PanelSnapshot | undefined {
    return this.#lastSnapshot;
  }

  show(runNumber: number | undefined, stepId: string | undefined): void {
    if (runNumber !== undefined) this.#showRun(runNumber);
    this.#pendingReveal = stepId;
    this.#throttle.request();
  }

  compareWith(base: NonNullable<PanelSnapshot['base']>): void {
    this.#base = base;
    this.#throttle.request();
  }

  /** @throws HumanError if the page can't draw one */
  draw(format: PictureFormat): Promise<Picture> {
    // The last requested run may not have reached the page yet.
    return this.#picture.request(format, () => {
      void this.#push().then((isRight) => {
        if (isRight) this.#post({ type: 'draw', format });
        else this.#picture.cancel();
      });
    });
  }

  notice(message: string, severity: 'info' | 'error'): void {
    this.#post({ type: 'notice', message, severity });
  }

  dispose(): void {
    this.#disposables.dispose();
  }

  /** A hidden panel reads nothing. A page that becomes visible says `ready` again. */
  #follow(): void {
    if (this.#host.visible) {
      this.#watch ??= this.#parts.store.watch();
      this.#throttle.request();
    } else {
      this.#watch?.dispose();
      this.#watch = undefined;
      this.#ready = false;
    }
  }

  readonly #handlers: PageHandlers<FromWebview> = {
    ready: async () => {
      this.#ready = true;
      this.#sentBase.forget();
      await this.#push();
      this.#picture.pageReady();
    },
    requestAudio: ({ stepId }) => this.#sendAudio(stepId),
    openTranscript: ({ stepId }) => {
      const runNumber = this.#lastSnapshot?.version;
      return this.#parts.openTranscript({
        jobId: this.jobId,
        ...(runNumber !== undefined && { runNumber }),
        ...(stepId !== undefined && { stepId }),
      });
    },
    showRun: ({ version }) => {
      this.#showRun(version);
      return this.#push();
    },
    start: () => {
      this.#version = undefined;
      return this.#answer(this.#parts.start(this.jobId));
    },
    raiseLimit: () => this.#parts.raiseLimit(this.jobId),
    cancel: () => this.#answer(this.#parts.cancel(this.jobId).then(() => true)),
    refresh: () => this.#parts.store.refresh(),
    stopComparing: () => {
      this.#base = undefined;
      return this.#push();
    },
    callPath: ({ stepId }) => {
      const runNumber = this.#lastSnapshot?.version;
      return runNumber === undefined ? undefined : this.#parts.callPath({ jobId: this.jobId, runNumber, stepId });
    },
    // Only a saved tree has coverage and a text.
    hideCoverage: () => undefined,
    generateTests: () => undefined,
    openText: () => undefined,
    picture: (message) => {
      this.#picture.receive(message);
    },
  };

  /** The page's buttons wait for a snapshot, even if the request changed nothing. */
  async #answer(asked: Promise<boolean>): Promise<void> {
    let changes = false;
    try {
      changes = await asked;
    } finally {
      if (!changes) await this.#push();
    }
  }

  /** Follows the newest run, and the ones after it. */
  #showRun(version: number): void {
    const snapshot = this.#parts.store.job(this.jobId);
    this.#version = snapshot && newestRun(snapshot) === version ? undefined : version;
  }

  /** Returns false if the page doesn't show the current state. */
  async #push(): Promise<boolean> {
    if (!this.#ready || !this.#host.visible) return true;
    try {
      const snapshot = await this.#parts.store.loadTree(this.jobId, this.#version ?? this.#newest());
      this.#send(snapshot);
      return true;
    } catch (error) {
      this.#fail(error);
      return false;
    }
  }

  #newest(): number | undefined {
    const snapshot = this.#parts.store.job(this.jobId);
    return snapshot && newestRun(snapshot);
  }

  #send(snapshot: JobSnapshot): void {
    const { job, runs = [], trees } = snapshot;
    const version = this.#version ?? newestRun(snapshot);
    const tree = version === undefined ? undefined : trees.get(version)?.response;
    const message: PanelSnapshot = {
      type: 'snapshot',
      name: job.name,
      phoneNumber: job.phoneNumber,
      job,
      runs: [...runs],
      ...(version !== undefined && { version }),
      tree: tree ?? { jobId: job.id, tree: null, reason: 'no_runs' },
      ...(this.#base && { base: this.#base }),
      isCancelling: this.#parts.connection.isCancelling(job.id),
    };
    if (version !== undefined) this.#keep(version);
    this.#host.title = job.name;
    this.#show(message);
    const stepId = this.#pendingReveal;
    if (stepId !== undefined && findStep(tree?.tree, stepId)) {
      this.#pendingReveal = undefined;
      this.#post({ type: 'reveal', stepId });
    }
    if (!isRunning(snapshot)) this.#pendingReveal = undefined;
  }

  #show(snapshot: PanelSnapshot): void {
    this.#lastSnapshot = snapshot;
    this.#post(this.#sentBase.without(snapshot));
  }

  /** Keeps the shown run in memory. */
  #keep(version: number): void {
    if (this.#shownTree?.version === version) return;
    const before = this.#shownTree?.hold;
    this.#shownTree = { version, hold: this.#parts.store.showTree(this.jobId, version) };
    before?.dispose();
  }

  async #sendAudio(stepId: string): Promise<void> {
    try {
      const url = await this.#audioUrl(stepId);
      if (url === undefined) {
        this.#post({ type: 'audio', stepId, error: this.#parts.l10n.t('This step has no recording.') });
        return;
      }
      const wav = await this.#parts.client.fetchAudio(url);
      this.#post({ type: 'audio', stepId, wav });
    } catch (error) {
      this.#parts.log.warn(`A recording was not read: ${describeCause(error)}`);
      this.#post({
        type: 'audio',
        stepId,
        error: shownMessage(error, this.#parts.l10n),
      });
    }
  }

  async #audioUrl(stepId: string): Promise<string | undefined> {
    const { store, clock } = this.#parts;
    const version = this.#lastSnapshot?.version;
    const read = version === undefined ? undefined : store.job(this.jobId)?.trees.get(version);
    const fresh = read === undefined || clock.now() - read.readAt > audioLinkMs;
    const snapshot = await store.loadTree(this.jobId, version, { fresh });
    const tree = version === undefined ? undefined : snapshot.trees.get(version)?.response.tree;
    return findStep(tree, stepId)?.at(-1)?.audioUrl;
  }

  #fail(error: unknown): void {
    this.#parts.log.error(describeCause(error));
    const { l10n } = this.#parts;
    this.notice(
      isStatus(error, 404) ? l10n.t('This mapping or run no longer exists.') : shownMessage(error, l10n),
      'error',
    );
  }

  #post(message: ToWebview): void {
    if (this.#ready) this.#host.post(message);
  }
}
