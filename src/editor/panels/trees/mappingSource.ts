import type { MappingPlace } from '../../basics/commandArguments.ts';
import type { Basics } from '../../basics/createBasics.ts';
import { shownMessage } from '../../basics/errors.ts';
import type { Disposable } from '../../basics/lifetime.ts';
import { describeCause } from '../../basics/log/logger.ts';
import type { CancelRequests } from '../../host/connection.ts';
import type { ServiceClient } from '../../host/serviceClient.ts';
import type { MappingStore } from '../../store/mappingStore.ts';
import { findStep, newestRun } from '../../store/snapshot.ts';
import type { PanelSource, TreePage } from './panelSource.ts';

export interface MappingSourceParts extends Pick<Basics, 'clock' | 'log' | 'l10n'> {
  readonly store: MappingStore;
  readonly client: Pick<ServiceClient, 'fetchAudio'>;
  readonly connection: CancelRequests;
  readonly practice: { readonly running: readonly { readonly uri: string }[] };
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

export function mappingSource(jobId: string, parts: MappingSourceParts, page: TreePage): PanelSource {
  const { store, client, connection, clock, log, l10n } = parts;
  /** The selected run; undefined follows the newest. */
  let chosen: number | undefined;
  let kept: { readonly version: number; readonly hold: Disposable } | undefined;
  page.held.add(
    store.onDidChange((change) => {
      if (change === undefined || change.jobId === jobId) page.request();
    }),
  );
  page.held.add(
    connection.onDidCancel(({ id, state }) => {
      // The job itself shows that its calls are over.
      if (id === jobId && state !== 'done' && page.lastSnapshot)
        page.show({ ...page.lastSnapshot, isCancelling: state === 'begun' });
    }),
  );
  page.held.add({ dispose: () => kept?.hold.dispose() });

  const newest = (): number | undefined => {
    const snapshot = store.job(jobId);
    return snapshot && newestRun(snapshot);
  };
  /** Follows the newest run, and the ones after it. */
  const showRun = (version: number): void => {
    chosen = newest() === version ? undefined : version;
  };
  /** Keeps the shown run in memory. */
  const keep = (version: number): void => {
    if (kept?.version === version) return;
    const before = kept?.hold;
    kept = { version, hold: store.showTree(jobId, version) };
    before?.dispose();
  };
  /** The page's buttons wait for a snapshot, even if the request changed nothing. */
  const answer = async (asked: Promise<boolean>): Promise<void> => {
    let changes = false;
    try {
      changes = await asked;
    } finally {
      if (!changes) await page.push();
    }
  };
  const audioUrl = async (stepId: string): Promise<string | undefined> => {
    const version = page.lastSnapshot?.version;
    const read = version === undefined ? undefined : store.job(jobId)?.trees.get(version);
    const fresh = read === undefined || clock.now() - read.readAt > audioLinkMs;
    const snapshot = await store.loadTree(jobId, version, { fresh });
    const tree = version === undefined ? undefined : snapshot.trees.get(version)?.response.tree;
    return findStep(tree, stepId)?.at(-1)?.audioUrl;
  };

  return {
    jobId,
    read: async () => {
      const snapshot = await store.loadTree(jobId, chosen ?? newest());
      const { job, runs = [], trees } = snapshot;
      const version = chosen ?? newestRun(snapshot);
      const tree = version === undefined ? undefined : trees.get(version)?.response;
      if (version !== undefined) keep(version);
      page.show({
        type: 'snapshot',
        name: job.name,
        phoneNumber: job.phoneNumber,
        job,
        runs: [...runs],
        ...(version !== undefined && { version }),
        tree: tree ?? { jobId, tree: null, reason: 'no_runs' },
        isCancelling: connection.isCancelling(jobId),
        isPractice: parts.practice.running.some(({ uri }) => uri === job.phoneNumber),
      });
    },
    watch: () => store.watch(),
    showRun,
    handlers: {
      requestAudio: async ({ stepId }) => {
        try {
          const url = await audioUrl(stepId);
          page.post({
            type: 'audio',
            stepId,
            ...(url === undefined
              ? { error: l10n.t('This step has no recording.') }
              : { wav: await client.fetchAudio(url) }),
          });
        } catch (error) {
          log.warn(`A recording was not read: ${describeCause(error)}`);
          page.post({ type: 'audio', stepId, error: shownMessage(error, l10n) });
        }
      },
      openTranscript: ({ stepId }) => {
        const runNumber = page.lastSnapshot?.version;
        return parts.openTranscript({
          jobId,
          ...(runNumber !== undefined && { runNumber }),
          ...(stepId !== undefined && { stepId }),
        });
      },
      showRun: ({ version }) => {
        showRun(version);
        return page.push();
      },
      start: () => {
        chosen = undefined;
        return answer(parts.start(jobId));
      },
      raiseLimit: () => parts.raiseLimit(jobId),
      cancel: () => answer(parts.cancel(jobId).then(() => true)),
      refresh: () => store.refresh(),
      callPath: ({ stepId }) => {
        const runNumber = page.lastSnapshot?.version;
        return runNumber === undefined ? undefined : parts.callPath({ jobId, runNumber, stepId });
      },
      generateTests: ({ stepId }) => parts.generateTests({ jobId, runNumber: page.lastSnapshot?.version, stepId }),
      // Only a saved tree has coverage and a text.
      hideCoverage: () => undefined,
      openText: () => undefined,
    },
  };
}
