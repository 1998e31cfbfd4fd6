import { TimeoutError } from '../../../client/errors.ts';
import type { ReportSnapshot, SecondJudgement } from '../../../contract/reportPanel.ts';
import type { CatalogueEntry } from '../../../contract/compliance.ts';
import { ownIdIn, testIdIn } from '../../../contract/probeFile.ts';
import type { RunResults } from '../../../contract/testRuns.ts';
import { describeCheck } from '../../../model/checks/describeCheck.ts';
import { maskMission } from '../../../model/secrets/missionSecrets.ts';
import { isStatus, shownMessage, unlessGone } from '../../basics/errors.ts';
import type { Formats } from '../../basics/formats.ts';
import { describeCause } from '../../basics/log/logger.ts';
import { translated, type ServiceClient } from '../../host/serviceClient.ts';
import { followedRun } from '../../../client/follow.ts';
import type { WorkspaceFeed } from '../../store/workspaceFeed.ts';
import { FollowedPage, type FollowedPageParts, type PageHandlers, type Shown } from '../webview/followedPage.ts';
import { SoundStream } from '../webview/soundStream.ts';
import type { WebviewHost } from '../webview/webviewHost.ts';
import type { HandPanelParts } from '../hand/handPanel.ts';
import { nameReader } from './nameReader.ts';
import { RecordingReader } from './recordingReader.ts';
import { shareRun, type ShareParts } from './shareRun.ts';

export interface ReportPanelParts extends ShareParts, FollowedPageParts, Pick<HandPanelParts, 'callAgain' | 'save'> {
  readonly feed: Pick<WorkspaceFeed, 'follow'>;
  readonly client: Pick<ServiceClient, 'call' | 'fetchAudioPart' | 'sound'>;
  readonly formats: Pick<Formats, 'moment' | 'time' | 'number'>;
  readonly openReport: (runId: string) => void;
  /** Runs what a run was of, and shows that report instead, or the rows of its test that failed. */
  readonly runAgain: (run: RunResults, what: 'all' | 'failed') => Promise<unknown>;
  readonly cancel: (runId: string) => Promise<unknown>;
  /** Returns true if a workspace file is known to contain the test. */
  readonly hasFile: (configId: string) => Promise<boolean>;
  /** Returns the steps whose words in the file can be replaced by what was heard. */
  readonly acceptable: (run: RunResults) => Promise<number[]>;
  /** Resolves when the user has accepted or refused. */
  readonly acceptHeard: (runId: string, step: number) => Promise<unknown>;
  readonly chooseModel: () => Promise<unknown>;
  readonly openFile: (
    configId: string,
    step: { readonly name: string; readonly index: number } | undefined,
  ) => Promise<unknown>;
}

/** As many dots as fit into a narrow page. */
const shownRuns = 20;
/** A language model on the user's own machine can be slow. */
const judgeTimeoutMs = 180_000;

export class ReportPanel extends FollowedPage<'report', RunResults> {
  readonly #runId: string;
  readonly #parts: ReportPanelParts;
  readonly #recording: RecordingReader;
  readonly #sound: SoundStream;
  readonly #nameOf: ReturnType<typeof nameReader>;
  #entry: Promise<CatalogueEntry | undefined> | undefined;
  #hasFile: Promise<boolean> | undefined;
  #plan: Promise<ReportSnapshot['plan']> | undefined;
  #again: SecondJudgement | undefined;
  #editsCriterion = false;
  #sharesSoon = false;
  #isRunningAgain = false;
  #history: { readonly status: RunResults['status']; readonly runs: Promise<ReportSnapshot['history']> } | undefined;

  constructor(host: WebviewHost<'report'>, runId: string, parts: ReportPanelParts) {
    super(host, { id: runId, gone: parts.l10n.t('This run no longer exists.') }, parts);
    this.#runId = runId;
    this.#parts = parts;
    this.#nameOf = nameReader(parts.client, runId);
    this.#recording = this.#newReader();
    this.#sound = new SoundStream(runId, (message) => this.post(message), parts);
  }

  protected override readonly handlers: PageHandlers<'report'> = {
    requestAudio: async ({ from }) => this.post({ type: 'audio', ...(await this.#recording.read('call', from)) }),
    listen: ({ on }) => this.#sound.listen(on, this.pageSignal),
    judge: ({ acceptance }) => this.#judge(acceptance),
    runAgain: ({ what }) => this.#runAgain(what),
    cancel: () => this.#parts.cancel(this.#runId),
    share: () => this.share(),
    openRun: ({ runId }) => this.#parts.openReport(runId),
    copyAddress: () => {
      const address = this.lastSnapshot?.run.awaitsCallAt;
      return address === undefined ? undefined : this.#parts.copy(address);
    },
    acceptHeard: async ({ step }) => {
      await this.#parts.acceptHeard(this.#runId, step);
      const run = this.lastSnapshot?.run;
      if (run) this.change({ acceptable: await this.#parts.acceptable(run) });
    },
    openFile: ({ step }) => this.#openFile(step),
    chooseModel: () => this.#parts.chooseModel(),
    callAgain: () => this.lastSnapshot && this.#parts.callAgain(this.lastSnapshot.run.phoneNumber),
    // Only the page of the call knew its secret keys.
    save: ({ as }) => this.lastSnapshot && this.#parts.save(as, { run: this.lastSnapshot.run, secrets: [] }),
  };

  protected override follow(onRead: (run: RunResults) => void, signal: AbortSignal): Promise<unknown> {
    return this.#parts.feed.follow(followedRun(this.#parts.client, this.#runId), onRead, signal);
  }

  protected override shown(): void {
    if (this.#editsCriterion) this.editCriterion();
    if (this.#sharesSoon) void this.share().catch((error: unknown) => this.fail(error));
  }

  /** Opens the criterion of a mission for editing, as soon as the page is ready. */
  editCriterion(): void {
    this.#editsCriterion = !this.isShown;
    if (this.isShown) this.post({ type: 'editCriterion' });
  }

  /** Asks how to share the run, as soon as the page is ready. */
  async share(): Promise<void> {
    this.#sharesSoon = !this.isShown;
    if (!this.lastSnapshot || !this.isShown) return;
    // Not the page's own reader, which can be in the middle of the same recording.
    const recording = this.#newReader();
    await shareRun(this.lastSnapshot, (from) => recording.read('call', from), this.#parts);
  }

  #newReader(): RecordingReader {
    const [{ client }, runId] = [this.#parts, this.#runId];
    return new RecordingReader(this.#parts, async () => (await client.call('getRunResults', { runId })).audioUrl);
  }

  /** Reads the newest runs of the same test, or of the same probe and number, when the run begins and when it ends. */
  #runsLike({ configId, catalogueTestId, phoneNumber, status }: RunResults): Promise<ReportSnapshot['history']> {
    if (configId === undefined && catalogueTestId === undefined) return Promise.resolve([]);
    if (this.#history?.status !== status) {
      const of = configId === undefined ? { catalogueTestId, phoneNumber } : { configId };
      const runs = this.#parts.client
        .call('listTestRuns', { ...of, limit: shownRuns })
        .then(({ items }) =>
          items.map(({ id, outcome, endedBy, guided, startedAt }) => ({ id, outcome, endedBy, guided, startedAt })),
        )
        // A report without its history is better than none.
        .catch(() => []);
      this.#history = { status, runs };
    }
    return this.#history.runs;
  }

  async #runAgain(what: 'all' | 'failed'): Promise<void> {
    const run = this.lastSnapshot?.run;
    if (!run || this.#isRunningAgain) return;
    this.#isRunningAgain = true;
    await this.#parts.runAgain(run, what).finally(() => {
      this.#isRunningAgain = false;
    });
  }

  #openFile(step: number | undefined): unknown {
    const run = this.lastSnapshot?.run;
    const named = step === undefined ? undefined : run?.steps[step];
    const testId = run && testIdIn(run);
    return testId === undefined
      ? undefined
      : this.#parts.openFile(testId, step === undefined || !named ? undefined : { name: named.name, index: step });
  }

  protected override async show(run: RunResults): Promise<Shown<'report'>> {
    const { client, formats } = this.#parts;
    // If it fails, the next display asks again.
    const testId = testIdIn(run);
    this.#hasFile ??= (testId === undefined ? Promise.resolve(false) : this.#parts.hasFile(testId)).catch(
      (error: unknown) => {
        this.#hasFile = undefined;
        throw error;
      },
    );
    const isMission = run.runType === 'mission';
    const [mission, plan, saved, hasFile, acceptable, history, name, entry] = await Promise.all([
      isMission ? client.call('getMissionTestRun', { runId: run.id }) : undefined,
      run.status === 'running' || run.runType === 'mission' ? (this.#plan ??= this.#planOf(run)) : undefined,
      isMission && run.configId !== undefined && run.status === 'completed'
        ? unlessGone(client.call('getMissionTestConfig', { id: run.configId }))
        : undefined,
      this.#hasFile,
      run.outcome === 'FAIL' ? this.#parts.acceptable(run).catch(() => []) : [],
      this.#runsLike(run),
      this.#nameOf(run),
      (this.#entry ??= this.#entryOf(run)),
    ]);
    return {
      // Several runs of one test can be open.
      title: `${name} · ${formats.time(run.startedAt, 'seconds')}`,
      snapshot: {
        type: 'snapshot',
        name,
        ...(entry?.rule !== undefined && { rule: entry.rule }),
        run,
        ...(mission && { mission }),
        ...(plan && { plan }),
        // A remote service uses the model of its operator.
        choosesModel: !this.#parts.isRemote(),
        ...(saved && { acceptance: saved.acceptance }),
        ...(this.#again && { again: this.#again }),
        hasFile,
        acceptable,
        history,
      },
    };
  }

  /** Returns the probe of the catalogue, with the rule that it observes. */
  async #entryOf({ catalogueTestId: id }: RunResults): Promise<CatalogueEntry | undefined> {
    if (id === undefined || ownIdIn(id) !== undefined) return undefined;
    // A report without the rule is better than none.
    const catalogue = await this.#parts.client.call('listComplianceCatalogue', {}).catch(() => undefined);
    return catalogue?.items.find((entry) => entry.id === id);
  }

  /** Returns what a run has been asked to do. A test that was changed later says nothing about it. */
  async #planOf(run: RunResults): Promise<ReportSnapshot['plan']> {
    const { client } = this.#parts;
    const { configId: id, runType, startedAt } = run;
    const isPlan = (saved: { readonly updatedAt: string }): boolean =>
      Date.parse(saved.updatedAt) <= Date.parse(startedAt);
    try {
      if (runType === 'compliance') {
        const entry = await (this.#entry ??= this.#entryOf(run));
        return entry && { names: [], goal: entry.description };
      }
      if (id === undefined) return undefined;
      if (runType !== 'mission') {
        const test = await client.call('getTestConfig', { id });
        return isPlan(test) ? { names: test.steps.map(({ name }) => name) } : undefined;
      }
      const saved = await client.call('getMissionTestConfig', { id });
      if (!isPlan(saved)) return undefined;
      const masked = (text: string): string => maskMission(saved.mission, text);
      return {
        names: (saved.checks ?? []).map((check) => {
          const said = { check: '', checkParts: describeCheck(check).parts };
          return masked(check.name ?? translated(said, this.#parts).check);
        }),
        goal: masked(saved.mission),
        ...(saved.acceptance !== '' && { acceptance: masked(saved.acceptance) }),
      };
    } catch {
      // The call matters more.
      return undefined;
    }
  }

  /** The service doesn't store the verdict, so it exists only in this panel. */
  async #judge(acceptance: string): Promise<void> {
    if (this.#again && !this.#again.run && this.#again.error === undefined) return;
    const tell = (told: Partial<SecondJudgement>): void => {
      this.#again = { acceptance, ...told };
      this.change({ again: this.#again });
    };
    tell({});
    try {
      tell({
        run: await this.#parts.client.call(
          'rejudgeRun',
          // The service judges by the checks of the saved mission together with its criterion.
          { runId: this.#runId, ...(acceptance !== this.lastSnapshot?.acceptance && { acceptance }) },
          { timeoutMs: judgeTimeoutMs },
        ),
      });
    } catch (error) {
      const { log, l10n } = this.#parts;
      log.warn(`A run was not judged again: ${describeCause(error)}`);
      const message = isStatus(error, 404)
        ? l10n.t('This run no longer exists.')
        : error instanceof TimeoutError
          ? l10n.t('The judge took too long. Try again, or choose a faster language model.')
          : shownMessage(error, l10n);
      tell({ error: message });
    }
  }
}
