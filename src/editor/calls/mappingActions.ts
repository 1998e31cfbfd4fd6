import { l10n, ProgressLocation, window } from 'vscode';
import type { MappingJob } from '../../contract/mapping.ts';
import type { OperationInput } from '../../contract/operations.ts';
import { mappingState } from '../../contract/runState.ts';
import { raisableLimit } from '../../contract/raisableLimit.ts';
import type { NewMapping } from '../basics/commandArguments.ts';
import type { ErrorReporter } from '../basics/reportError.ts';
import type { MappingDefaults } from '../basics/settings.ts';
import { countWords, limitWord } from '../basics/words/mappingWords.ts';
import type { CancelRequests } from '../host/connection.ts';
import { isCalledAt, type PracticeIvr } from '../host/practiceNotes.ts';
import type { ServiceClient } from '../host/serviceClient.ts';
import type { MappingStore } from '../store/mappingStore.ts';
import { hasTree, isRunning } from '../store/snapshot.ts';
import { assertServed } from './assertServed.ts';
import type { Consent } from './consent.ts';

interface MappingActionsParts {
  readonly client: Pick<ServiceClient, 'call'> & CancelRequests;
  readonly store: MappingStore;
  readonly practice: { readonly running: readonly PracticeIvr[] };
  readonly consent: Consent;
  readonly defaults: () => MappingDefaults;
  readonly isRemote: () => boolean;
  readonly report: ErrorReporter;
  readonly raiseLimit: (place: { jobId: string }) => unknown;
  readonly openTree: (place: { jobId: string; runNumber?: number }) => unknown;
}

export class MappingActions {
  readonly #parts: MappingActionsParts;

  constructor(parts: MappingActionsParts) {
    this.#parts = parts;
  }

  /** @throws HumanError `no_route` if no line leads to the target */
  assertServed(target: string): Promise<void> {
    return assertServed(this.#parts.client, target, this.#parts.isRemote(), l10n);
  }

  /** Creates a job and starts its first run. Returns the job's id, or undefined if the user declined. */
  async create({ target, name, tags, profileId, config }: NewMapping): Promise<string | undefined> {
    const { client, store, defaults } = this.#parts;
    await this.assertServed(target);
    const job = await client.call('createMapping', {
      phoneNumber: target,
      ...(name !== undefined && { name }),
      ...(tags !== undefined && { tags }),
      ...(profileId !== undefined && { profileId }),
      config: { ...defaults(), ...config },
    });
    store.accept(job);
    return (await this.start(job)) ? job.id : undefined;
  }

  /** Starts a run of the newest mapping of this practice IVR, or creates one. Returns as `create`. */
  async createOrMapAgain(wanted: Pick<NewMapping, 'target' | 'name' | 'profileId'>): Promise<string | undefined> {
    const { client, practice } = this.#parts;
    const ivr = practice.running.find((one) => isCalledAt(one, wanted.target));
    for (const phoneNumber of new Set(ivr ? [ivr.uri, ...(ivr.addresses ?? [])] : [])) {
      const profile = wanted.profileId !== undefined && { profileId: wanted.profileId };
      const { items } = await client.call('listMappings', { phoneNumber, ...profile, limit: 1 });
      const [job] = items;
      if (job) return job.status === 'running' || (await this.start(job)) ? job.id : undefined;
    }
    return this.create(wanted);
  }

  /** Starts a run and shows its progress. Returns false if the user declined. */
  async start({ id }: Pick<MappingJob, 'id'>): Promise<boolean> {
    const { client, store, consent, report } = this.#parts;
    const plan = await consent.planWords({ mappingId: id });
    const job = await consent.agreed({ mappingId: id }, () => client.call('startMapping', { id }));
    if (!job) return false;
    store.accept(job);
    void this.#showProgress(job, plan).catch(report);
    return true;
  }

  async cancel(id: string): Promise<void> {
    this.#parts.store.accept(await this.#parts.client.call('cancelMapping', { id }));
  }

  async update(id: string, change: Omit<OperationInput<'updateMapping'>, 'id'>): Promise<void> {
    this.#parts.store.accept(await this.#parts.client.call('updateMapping', { id, ...change }));
  }

  async remove(id: string): Promise<void> {
    await this.#parts.client.call('deleteMapping', { id });
    this.#parts.store.remove(id);
  }

  /** `plan`: what its calls can use, shown beside the usage so far. */
  async #showProgress({ id, name }: MappingJob, plan: string | undefined): Promise<void> {
    const { client, store } = this.#parts;
    const cancelled = await window.withProgress(
      { location: ProgressLocation.Notification, title: l10n.t('Mapping {0}', name), cancellable: true },
      (progress, token) =>
        new Promise<boolean>((resolve) => {
          token.onCancellationRequested(() => void this.cancel(id).catch(this.#parts.report));
          const watch = store.watch();
          const look = (): void => {
            const snapshot = store.job(id);
            const isCancelling = client.isCancelling(id);
            // Its button would stay. The view and the page show that the calls are being hung up.
            if (snapshot && isRunning(snapshot) && !isCancelling) {
              const { stats } = snapshot.job;
              const parts = [...(stats ? countWords(stats, l10n) : []), ...(plan === undefined ? [] : [plan])];
              if (parts.length > 0) progress.report({ message: parts.join(' · ') });
              return;
            }
            for (const held of [listening, cancelling, watch]) held.dispose();
            resolve(isCancelling);
          };
          const listening = store.onDidChange(look);
          const cancelling = client.onDidCancel(look);
          look();
        }),
    );
    const job = store.job(id)?.job;
    if (job && !cancelled) await this.#tellEnd(job);
  }

  async #tellEnd(job: MappingJob): Promise<void> {
    const run = job.currentRun;
    const state = run && mappingState(run);
    // The user knows.
    if (!run || state === 'cancelled') return;
    const openTree = l10n.t('Open Tree');
    const raise = l10n.t('Raise Limit…');
    const counts = countWords(run.stats, l10n).join(', ');
    const answer =
      state === 'failed'
        ? await window.showErrorMessage(
            l10n.t("Couldn't map {0}. {1}", job.name, run.reason ?? ''),
            ...(hasTree(run) ? [openTree] : []),
          )
        : run.status === 'limited'
          ? await window.showWarningMessage(
              run.limitReason
                ? l10n.t('Mapped part of {0}: {1}. {2}.', job.name, limitWord(run.limitReason, l10n), counts)
                : l10n.t('Mapped {0}, but the tree may be wrong: {1}. {2}', job.name, counts, run.reason ?? ''),
              ...(raisableLimit(job, run) ? [raise] : []),
              openTree,
            )
          : await window.showInformationMessage(
              state === 'interrupted'
                ? l10n.t('The mapping of {0} was interrupted. Results so far are kept: {1}.', job.name, counts)
                : l10n.t('Mapped {0}: {1}.', job.name, counts),
              openTree,
            );
    if (answer === raise) this.#parts.raiseLimit({ jobId: job.id });
    if (answer === openTree) this.#parts.openTree({ jobId: job.id, runNumber: run.runNumber });
  }
}
