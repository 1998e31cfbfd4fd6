import { nameSchema, tagsSchema } from '../../../contract/common.ts';
import { limits } from '../../../contract/limits.ts';
import { raisableLimit, type RaisableLimit } from '../../../contract/raisableLimit.ts';
import type { Basics } from '../../basics/createBasics.ts';
import type { MappingPlace } from '../../basics/commandArguments.ts';
import { mappingPlaceSchema, newMappingSchema, readArgument, selectedSchema } from '../../basics/commandArguments.ts';
import type { HandlersOf } from '../../basics/commandTable.ts';
import type { MappingActions } from '../../calls/mappingActions.ts';
import type { TranscriptDocuments } from '../../panels/documents/transcriptDocument.ts';
import type { TreePanels } from '../../panels/trees/treePanels.ts';
import type { MappingStore } from '../../store/mappingStore.ts';
import { isRunning, newestRun, runOf, type JobSnapshot } from '../../store/snapshot.ts';
import { findPrompts, maxFound, type FoundPrompt } from '../../trees/promptSearch.ts';
import type { Target, TargetQuestion } from '../targets/pickTarget.ts';

interface MappingCommandParts extends Pick<Basics, 'dialogs' | 'l10n'> {
  readonly store: Pick<MappingStore, 'listed' | 'jobs' | 'refresh' | 'loadRuns' | 'loadTree'>;
  readonly actions: Pick<MappingActions, 'assertServed' | 'create' | 'start' | 'cancel' | 'update' | 'remove'>;
  readonly panels: Pick<TreePanels, 'open'>;
  readonly transcripts: Pick<TranscriptDocuments, 'open'>;
  readonly pickTarget: (question: TargetQuestion) => Promise<Target | undefined>;
  /** See `askHowToCall`. */
  readonly askProfile: () => Promise<{ readonly profileId?: string } | undefined>;
  /** The job whose row is selected in the view, or undefined if the row is something else or none is selected. */
  readonly selectedJob: () => MappingPlace | undefined;
}

export function mappingCommands(parts: MappingCommandParts): HandlersOf<'mapping'> {
  const { store, actions, panels, transcripts, dialogs, pickTarget, askProfile, l10n, selectedJob } = parts;

  /** Returns the mapping that the argument names. Without one, the user picks a job. */
  const placeOf = async (
    value: unknown,
    wanted: (snapshot: JobSnapshot) => boolean = () => true,
  ): Promise<MappingPlace | undefined> =>
    selectedSchema.safeParse(value).success
      ? selectedJob()
      : (readArgument(mappingPlaceSchema, value) ?? pickJob(parts, wanted));

  const withJob = async (
    value: unknown,
    work: (snapshot: JobSnapshot) => Promise<unknown>,
    wanted?: (snapshot: JobSnapshot) => boolean,
  ): Promise<unknown> => {
    const place = await placeOf(value, wanted);
    return place && work(await store.loadRuns(place.jobId));
  };
  const named = async ({ target }: Target, title: string): Promise<Target | undefined> => {
    await actions.assertServed(target);
    const name = await dialogs.ask({
      title,
      prompt: l10n.t('A name for the mapping (optional)'),
      placeHolder: target,
      check: (text) => (text.trim() === '' ? undefined : nameProblem(text)),
    });
    return name === undefined ? undefined : { target, ...(name.trim() !== '' && { name: name.trim() }) };
  };
  const nameProblem = (text: string): string | undefined =>
    nameSchema.safeParse(text).success ? undefined : l10n.t('Enter a name of 1 to 200 characters.');
  const isIdle = (snapshot: JobSnapshot): boolean => !isRunning(snapshot);

  return {
    'dialtree.mapping.new': async (value) => {
      const parsed = readArgument(newMappingSchema, value);
      if (parsed) return actions.create(parsed);
      const title = l10n.t('New Mapping');
      const picked = await pickTarget({ title });
      const target = picked && (picked.name === undefined ? await named(picked, title) : picked);
      const profile = target && (await askProfile());
      return profile && actions.create({ ...target, ...profile });
    },
    'dialtree.mapping.start': (value) => withJob(value, ({ job }) => actions.start(job), isIdle),
    'dialtree.mapping.raiseLimit': (value) =>
      withJob(
        value,
        async (snapshot) => {
          const { job } = snapshot;
          const member = limitToRaise(snapshot);
          if (!member)
            return dialogs.tell(l10n.t("The last run of this mapping didn't stop at a limit that you can raise."));
          const { max } = limits[member];
          const typed = await dialogs.ask({
            title: l10n.t('Raise Limit and Map Again'),
            prompt:
              member === 'maxCalls'
                ? l10n.t('Maximum calls per run (currently {0})', job.config.maxCalls)
                : l10n.t('Maximum depth of the tree (currently {0})', job.config.maxDepth),
            value: String(Math.min(max, member === 'maxCalls' ? job.config.maxCalls * 2 : job.config.maxDepth + 1)),
            check: (text) =>
              /^\d{1,4}$/.test(text.trim()) && Number(text) > job.config[member] && Number(text) <= max
                ? undefined
                : l10n.t('Enter a whole number from {0} to {1}.', job.config[member] + 1, max),
          });
          if (typed === undefined) return undefined;
          await actions.update(job.id, { config: { [member]: Number(typed) } });
          return actions.start(job);
        },
        (snapshot) => limitToRaise(snapshot) !== undefined,
      ),
    'dialtree.mapping.cancel': (value) => withJob(value, ({ job }) => actions.cancel(job.id), isRunning),
    'dialtree.mapping.rename': (value) =>
      withJob(value, async ({ job }) => {
        const name = await dialogs.ask({
          title: l10n.t('Rename Mapping'),
          prompt: l10n.t('The name of the mapping'),
          value: job.name,
          check: nameProblem,
        });
        if (name !== undefined) await actions.update(job.id, { name: name.trim() });
      }),
    'dialtree.mapping.tag': (value) =>
      withJob(value, async ({ job }) => {
        const typed = await dialogs.ask({
          title: l10n.t('Tag Mapping'),
          prompt: l10n.t('Tags, separated by spaces'),
          value: job.tags.join(' '),
          check: (text) => tagsSchema.safeParse(tagsIn(text)).error?.issues[0]?.message,
        });
        if (typed !== undefined) await actions.update(job.id, { tags: tagsIn(typed) });
      }),
    'dialtree.mapping.chooseProfile': (value) =>
      withJob(value, async ({ job }) => {
        const profile = await askProfile();
        if (profile?.profileId !== undefined) await actions.update(job.id, profile);
        else if (profile)
          await dialogs.tell(
            l10n.t('You have only the default profile. To add another profile, run “Dialtree: Add Profile…”.'),
          );
      }),
    'dialtree.mapping.delete': (value) =>
      withJob(
        value,
        async ({ job }) => {
          if (
            await dialogs.confirm(
              l10n.t('Delete “{0}”?', job.name),
              l10n.t("This also deletes the mapping's runs, trees and recordings. You can't undo this."),
              l10n.t('Delete'),
            )
          )
            await actions.remove(job.id);
        },
        isIdle,
      ),
    'dialtree.mapping.openTree': async (value) => {
      const place = await placeOf(value);
      if (place) await panels.open(place);
    },
    'dialtree.mapping.openTranscript': async (value) => {
      const place = await placeOf(value);
      if (place) await transcripts.open(place);
    },
    'dialtree.mapping.copyNumber': (value) =>
      withJob(value, async ({ job }) => {
        await dialogs.copy(job.phoneNumber);
      }),
    'dialtree.mapping.copyId': (value) => withJob(value, ({ job }) => dialogs.copy(job.id)),
    'dialtree.mapping.refresh': () => store.refresh(),
    'dialtree.mapping.searchPrompts': (value) => searchPrompts(parts, typeof value === 'string' ? value : undefined),
  };
}

function limitToRaise(snapshot: JobSnapshot): RaisableLimit | undefined {
  const latest = newestRun(snapshot);
  return raisableLimit(snapshot.job, latest === undefined ? undefined : runOf(snapshot, latest));
}

/** A search reads trees from the service, so it waits until the user pauses. */
const typingPauseMs = 250;

async function searchPrompts(
  { store, panels, dialogs, l10n }: MappingCommandParts,
  given: string | undefined,
): Promise<void> {
  const chosen = await dialogs.search(
    async (query, signal) => {
      if (query.trim() === '') return [];
      if (!store.listed) await store.refresh();
      const found: FoundPrompt[] = [];
      // One tree after the other, because all of them together exceed what is kept in memory.
      for (const { job } of store.jobs)
        if (!signal.aborted && found.length < maxFound)
          found.push(...findPrompts([await store.loadTree(job.id, undefined)], query));
      const group =
        found.length < maxFound
          ? l10n.t('Prompts found: {0}', found.length)
          : l10n.t('Showing the first {0} prompts. Add words to narrow the search.', maxFound);
      return found.length === 0
        ? [{ label: l10n.t('No prompt in the mapped trees contains these words.'), value: undefined }]
        : found.slice(0, maxFound).map((value) => ({
            label: value.label === '' ? l10n.t('Main menu') : value.label,
            description: [value.jobName, value.path].filter((part) => part !== '').join(' · '),
            detail: value.passage,
            group,
            value,
          }));
    },
    {
      title: l10n.t('Search All Prompts'),
      placeHolder: l10n.t('Words to find in prompts, in any order'),
      value: given,
      pauseMs: typingPauseMs,
    },
  );
  if (chosen) await panels.open({ jobId: chosen.jobId, runNumber: chosen.runNumber, stepId: chosen.stepId });
}

const tagsIn = (text: string): string[] => [...new Set(text.split(/[\s,]+/).filter((tag) => tag !== ''))];

async function pickJob(
  { store, dialogs, l10n }: MappingCommandParts,
  wanted: (snapshot: JobSnapshot) => boolean,
): Promise<MappingPlace | undefined> {
  if (!store.listed) await store.refresh();
  const found = store.jobs.filter(wanted);
  if (found.length === 0) {
    await dialogs.tell(l10n.t("This command doesn't apply to any of your mappings."));
    return undefined;
  }
  return dialogs.pick(
    found.map(({ job }) => ({
      label: job.name,
      ...(job.name !== job.phoneNumber && { description: job.phoneNumber }),
      value: { jobId: job.id },
    })),
    { title: l10n.t('Mappings'), placeHolder: l10n.t('Which mapping do you want to use?') },
  );
}
