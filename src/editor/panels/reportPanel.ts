import type { FromReport, ReportSnapshot, ToReport } from '../../contract/reportPanel.ts';
import { fromReportSchema } from '../../contract/reportPanel.ts';
import type { RunResults } from '../../contract/testRuns.ts';
import { isStatus, messageOf } from '../errors.ts';
import type { ServiceClient } from '../host/serviceClient.ts';
import type { L10n } from '../localise.ts';
import type { Logger } from '../logger.ts';
import { describeCause } from '../logger.ts';
import { followRun } from '../testing/followRun.ts';
import type { FollowParts } from '../testing/followRun.ts';
import type { TestNames } from '../testing/testNames.ts';
import { FollowedPage } from './followedPage.ts';
import type { WebviewHost } from './webviewHost.ts';

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

/** One run's report in a webview. */
export class ReportPanel {
  readonly #runId: string;
  readonly #parts: ReportPanelParts;
  readonly #page: FollowedPage<RunResults, ToReport, ReportSnapshot, FromReport>;
  #hasFile: Promise<boolean> | undefined;

  constructor(host: WebviewHost<ToReport>, runId: string, parts: ReportPanelParts) {
    this.#runId = runId;
    this.#parts = parts;
    const { log, l10n } = parts;
    this.#page = new FollowedPage(host, {
      schema: fromReportSchema, log,
      handlers: {
        requestAudio: () => this.#sendAudio(),
        cancel: () => parts.cancel(runId),
        copyAddress: () => {
          const address = this.#page.last?.run.awaitsCallAt;
          return address === undefined ? undefined : parts.copy(address);
        },
        openFile: ({ step }) => this.#openFile(step),
      },
      follow: (onRead, signal) => followRun(parts, runId, onRead, signal),
      show: (run) => this.#show(run),
      fail: (error) => {
        log.error(`A run's report was not read: ${describeCause(error)}`);
        const message = isStatus(error, 404) ? l10n.t('This run no longer exists.') : messageOf(error) ?? l10n.t('Internal error, see the log.');
        this.#page.post({ type: 'notice', message });
      },
    });
  }

  /** What the webview was sent last. */
  get lastSnapshot(): ReportSnapshot | undefined { return this.#page.last; }

  dispose(): void {
    this.#page.dispose();
  }

  #openFile(step: number | undefined): unknown {
    const run = this.#page.last?.run;
    const named = step === undefined ? undefined : run?.steps[step];
    return run?.configId === undefined ? undefined : this.#parts.openFile(run.configId, step === undefined || !named ? undefined : { name: named.name, index: step });
  }

  async #show(run: RunResults): Promise<{ title: string; snapshot: ReportSnapshot }> {
    const { client, names } = this.#parts;
    this.#hasFile ??= run.configId === undefined ? Promise.resolve(false) : this.#parts.hasFile(run.configId);
    const [mission, hasFile] = await Promise.all([run.runType === 'mission' ? client.call('getMissionTestRun', { runId: run.id }) : undefined, this.#hasFile, names.learn([run])]);
    const name = names.of(run);
    return { title: name, snapshot: { type: 'snapshot', name, run, ...(mission && { mission }), hasFile } };
  }

  /** The link in the snapshot may have aged: a fresh one is read. */
  async #sendAudio(): Promise<void> {
    const { client, log, l10n } = this.#parts;
    const send = (answer: { wav: Uint8Array<ArrayBuffer> } | { error: string }): void => { this.#page.post({ type: 'audio', ...answer }); };
    try {
      const { audioUrl } = await client.call('getRunResults', { runId: this.#runId });
      send(audioUrl === undefined ? { error: l10n.t('There is no recording of this call.') } : { wav: await client.fetchAudio(audioUrl) });
    } catch (error) {
      log.warn(`A recording was not read: ${describeCause(error)}`);
      send({ error: messageOf(error) ?? l10n.t('Internal error, see the log.') });
    }
  }
}
