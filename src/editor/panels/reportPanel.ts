import type { FromReport, ReportSnapshot, ToReport } from '../../contract/reportPanel.ts';
import { fromReportSchema } from '../../contract/reportPanel.ts';
import type { RunResults } from '../../contract/testRuns.ts';
import { isStatus, messageOf } from '../errors.ts';
import type { ServiceClient } from '../host/serviceClient.ts';
import { DisposableStore } from '../lifetime.ts';
import type { L10n } from '../localise.ts';
import type { Logger } from '../logger.ts';
import { describeCause } from '../logger.ts';
import { followRun } from '../testing/followRun.ts';
import type { FollowParts } from '../testing/followRun.ts';
import type { TestNames } from '../testing/testNames.ts';
import { listenToPage } from './webviewHost.ts';
import type { PageHandlers, WebviewHost } from './webviewHost.ts';

export interface ReportPanelParts extends FollowParts {
  readonly client: Pick<ServiceClient, 'call' | 'fetchAudio'>;
  readonly names: TestNames;
  readonly log: Logger;
  readonly l10n: L10n;
  readonly cancel: (runId: string) => Promise<unknown>;
  readonly copy: (text: string) => Promise<void>;
  /** Whether a file of the workspace is known to hold the test. */
  readonly hasFile: (configId: string) => Promise<boolean>;
  readonly openFile: (configId: string, step: { readonly name: string; readonly index: number } | undefined) => Promise<unknown>;
}

/** One run's report in a webview. While the run goes on and the panel is seen, whole snapshots follow it. */
export class ReportPanel {
  readonly runId: string;
  readonly #host: WebviewHost<ToReport>;
  readonly #parts: ReportPanelParts;
  readonly #held = new DisposableStore();
  #ready = false;
  #following: AbortController | undefined;
  #last: ReportSnapshot | undefined;
  #hasFile: Promise<boolean> | undefined;
  /** Grows with every reading that is sent, so that an older one that took longer is not. */
  #readings = 0;

  constructor(host: WebviewHost<ToReport>, runId: string, parts: ReportPanelParts) {
    this.runId = runId;
    this.#host = host;
    this.#parts = parts;
    this.#held.add(listenToPage(host, fromReportSchema, this.#handlers, { log: parts.log, fail: (error) => { this.#fail(error); } }));
    this.#held.add(host.onDidChangeVisibility(() => { if (!host.visible) this.#stop(); }));
    this.#held.add({ dispose: () => { this.#stop(); } });
  }

  /** What the webview was sent last. */
  get lastSnapshot(): ReportSnapshot | undefined { return this.#last; }

  dispose(): void {
    this.#held.dispose();
  }

  readonly #handlers: PageHandlers<FromReport> = {
    ready: () => {
      this.#ready = true;
      return this.#follow();
    },
    requestAudio: () => this.#sendAudio(),
    cancel: () => this.#parts.cancel(this.runId),
    refresh: () => this.#follow(),
    copyAddress: () => {
      const address = this.#last?.run.awaitsCallAt;
      return address === undefined ? undefined : this.#parts.copy(address);
    },
    openFile: ({ step }) => {
      const configId = this.#last?.run.configId;
      const named = step === undefined ? undefined : this.#last?.run.steps[step];
      return configId === undefined ? undefined : this.#parts.openFile(configId, step === undefined || !named ? undefined : { name: named.name, index: step });
    },
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
      await followRun(this.#parts, this.runId, (run) => { void this.#send(run, following.signal).catch((error: unknown) => { this.#fail(error); }); }, following.signal);
    } catch (error) {
      if (!following.signal.aborted) throw error;
    }
  }

  async #send(run: RunResults, signal: AbortSignal): Promise<void> {
    this.#readings += 1;
    const reading = this.#readings;
    const { client, names } = this.#parts;
    this.#hasFile ??= run.configId === undefined ? Promise.resolve(false) : this.#parts.hasFile(run.configId);
    const [mission, hasFile] = await Promise.all([run.runType === 'mission' ? client.call('getMissionTestRun', { runId: run.id }) : undefined, this.#hasFile, names.learn([run])]);
    if (signal.aborted || !this.#ready || reading !== this.#readings) return;
    const name = names.of(run);
    this.#host.title = name;
    this.#last = { type: 'snapshot', name, run, ...(mission && { mission }), hasFile };
    this.#host.post(this.#last);
  }

  /** The link in the snapshot may have aged: a fresh one is read. */
  async #sendAudio(): Promise<void> {
    const { client, log, l10n } = this.#parts;
    const send = (answer: { wav: Uint8Array<ArrayBuffer> } | { error: string }): void => { if (this.#ready) this.#host.post({ type: 'audio', ...answer }); };
    try {
      const { audioUrl } = await client.call('getRunResults', { runId: this.runId });
      send(audioUrl === undefined ? { error: l10n.t('There is no recording of this call.') } : { wav: await client.fetchAudio(audioUrl) });
    } catch (error) {
      log.warn(`A recording was not read: ${describeCause(error)}`);
      send({ error: messageOf(error) ?? l10n.t('Internal error, see the log.') });
    }
  }

  #fail(error: unknown): void {
    const { log, l10n } = this.#parts;
    log.error(describeCause(error));
    const message = isStatus(error, 404) ? l10n.t('This run no longer exists.') : messageOf(error) ?? l10n.t('Internal error, see the log.');
    if (this.#ready) this.#host.post({ type: 'notice', message });
  }
}
