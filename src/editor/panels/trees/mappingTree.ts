import type { PanelSnapshot } from '../../../contract/panel.ts';
import type { MappingPlace } from '../../basics/commandArguments.ts';
import { shownMessage } from '../../basics/errors.ts';
import type { Disposable } from '../../basics/lifetime.ts';
import { describeCause } from '../../basics/log/logger.ts';
import { isCalledAt, type PracticeIvr } from '../../host/practiceNotes.ts';
import type { ServiceClient } from '../../host/serviceClient.ts';
import type { MappingStore } from '../../store/mappingStore.ts';
import { findStep, newestRun } from '../../store/snapshot.ts';
import type { PageHandlers } from '../webview/followedPage.ts';
import type { WebviewHost } from '../webview/webviewHost.ts';
import { TreePanel, type TreePanelParts } from './treePanel.ts';

export interface MappingTreeParts extends TreePanelParts {
  readonly store: MappingStore;
  readonly client: Pick<ServiceClient, 'fetchAudio'>;
  readonly practice: { readonly running: readonly PracticeIvr[] };
  /** Returns false if it wasn't started. */
  readonly start: (jobId: string) => Promise<boolean>;
  /** Asks for a higher limit, then starts a run. */
  readonly raiseLimit: (jobId: string) => Promise<unknown>;
  readonly cancel: (jobId: string) => Promise<unknown>;
  readonly openTranscript: (place: { jobId: string; runNumber?: number; stepId?: string }) => Promise<unknown>;
  readonly generateTests: (place: MappingPlace) => unknown;
  readonly callPath: (place: { jobId: string; runNumber: number; stepId: string }) => Promise<unknown>;
}

/** Audio links are valid for an hour; older ones than this are replaced. */
const audioLinkMs = 45 * 60_000;

/** The tree of a mapping, with its runs and its audio. */
export class MappingTree extends TreePanel {
  override readonly jobId: string;
  readonly #parts: MappingTreeParts;
  /** The selected run; undefined follows the newest. */
  #chosen: number | undefined;
  #kept: { readonly version: number; readonly hold: Disposable } | undefined;

  constructor(host: WebviewHost<'main'>, jobId: string, parts: MappingTreeParts) {
    super(host, { id: jobId, gone: parts.l10n.t('This mapping or run no longer exists.') }, parts);
    this.jobId = jobId;
    this.#parts = parts;
    this.held.add(
      parts.store.onDidChange((change) => {
        if (change === undefined || change.jobId === jobId) this.request();
      }),
    );
    this.held.add({ dispose: () => this.#kept?.hold.dispose() });
  }

  protected override readonly handlers: PageHandlers<'main'> = {
    ...this.ofEachTree,
    requestAudio: async ({ stepId }) => {
      const { client, log, l10n } = this.#parts;
      try {
        const url = await this.#audioUrl(stepId);
        this.post({
          type: 'audio',
          stepId,
          ...(url === undefined
            ? { error: l10n.t('This step has no recording.') }
            : { wav: await client.fetchAudio(url) }),
        });
      } catch (error) {
        log.warn(`A recording was not read: ${describeCause(error)}`);
        this.post({ type: 'audio', stepId, error: shownMessage(error, l10n) });
      }
    },
    openTranscript: ({ stepId }) => {
      const runNumber = this.lastSnapshot?.version;
      return this.#parts.openTranscript({
        jobId: this.jobId,
        ...(runNumber !== undefined && { runNumber }),
        ...(stepId !== undefined && { stepId }),
      });
    },
    showRun: ({ version }) => {
      this.choose(version);
      return this.send();
    },
    start: () => {
      this.#chosen = undefined;
      return this.#answer(this.#parts.start(this.jobId));
    },
    raiseLimit: () => this.#parts.raiseLimit(this.jobId),
    cancel: () => this.#answer(this.#parts.cancel(this.jobId).then(() => true)),
    callPath: ({ stepId }) => {
      const runNumber = this.lastSnapshot?.version;
      return runNumber === undefined ? undefined : this.#parts.callPath({ jobId: this.jobId, runNumber, stepId });
    },
    generateTests: ({ stepId }) =>
      this.#parts.generateTests({ jobId: this.jobId, runNumber: this.lastSnapshot?.version, stepId }),
    // Only a saved tree has coverage and a text.
    hideCoverage: () => undefined,
    openText: () => undefined,
  };

  /** Follows the newest run, and the ones after it, or stays with an older one. */
  choose(version: number): void {
    this.#chosen = this.#newest === version ? undefined : version;
    this.request();
  }

  protected override watch(): Disposable {
    return this.#parts.store.watch();
  }

  protected override refresh(): Promise<unknown> {
    return this.#parts.store.refresh();
  }

  protected override async read(): Promise<PanelSnapshot> {
    const { jobId } = this;
    const { store, practice } = this.#parts;
    const snapshot = await store.loadTree(jobId, this.#chosen ?? this.#newest);
    const { job, runs = [], trees } = snapshot;
    const version = this.#chosen ?? newestRun(snapshot);
    const tree = version === undefined ? undefined : trees.get(version)?.response;
    if (version !== undefined) this.#keep(version);
    return {
      type: 'snapshot',
      name: job.name,
      phoneNumber: job.phoneNumber,
      job,
      runs: [...runs],
      ...(version !== undefined && { version }),
      tree: tree ?? { jobId, tree: null, reason: 'no_runs' },
      isPractice: practice.running.some((ivr) => isCalledAt(ivr, job.phoneNumber)),
    };
  }

  get #newest(): number | undefined {
    const snapshot = this.#parts.store.job(this.jobId);
    return snapshot && newestRun(snapshot);
  }

  /** Keeps the shown run in memory. */
  #keep(version: number): void {
    if (this.#kept?.version === version) return;
    const before = this.#kept?.hold;
    this.#kept = { version, hold: this.#parts.store.showTree(this.jobId, version) };
    before?.dispose();
  }

  /** The page's buttons wait for a snapshot, even if the request changed nothing. */
  async #answer(asked: Promise<boolean>): Promise<void> {
    let changes = false;
    try {
      changes = await asked;
    } finally {
      if (!changes) await this.send();
    }
  }

  async #audioUrl(stepId: string): Promise<string | undefined> {
    const { store, clock } = this.#parts;
    const version = this.lastSnapshot?.version;
    const read = version === undefined ? undefined : store.job(this.jobId)?.trees.get(version);
    const fresh = read === undefined || clock.now() - read.readAt > audioLinkMs;
    const snapshot = await store.loadTree(this.jobId, version, { fresh });
    const tree = version === undefined ? undefined : snapshot.trees.get(version)?.response.tree;
    return findStep(tree, stepId)?.at(-1)?.audioUrl;
  }
}
