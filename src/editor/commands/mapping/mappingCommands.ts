import { nameSchema, tagsSchema } from '../../../contract/common.ts';
import { limits } from '../../../contract/limits.ts';
import { raisableLimit, type RaisableLimit } from '../../../contract/raisableLimit.ts';
import {
  mappingPlaceSchema,
  newMappingSchema,
  readArgument,
  selectedSchema,
  type MappingPlace,
} from '../../basics/commandArguments.ts';
import type { CommandId } from '../../basics/commandId.ts';
import type { L10n } from '../../basics/localise.ts';
import { isRunning, newestRun, runOf, type JobSnapshot } from '../../store/snapshot.ts';
import { findPrompts, maxFound, type FoundPrompt } from '../../trees/promptSearch.ts';
import { command, type EditorCommand } from '../command.ts';
import type { Editor, MappingTarget } from '../editor.ts';
import { tellOnlyDefault } from '../profileCommands.ts';

interface OnJob {
  readonly calls?: boolean;
  /** The jobs that the user can pick. */
  readonly wanted?: (snapshot: JobSnapshot) => boolean;
}

/** Makes a command on a job: the one of the row or argument, or one that the user picks. */
const onJob = (
  id: CommandId,
  work: (editor: Editor, snapshot: JobSnapshot) => unknown,
  { calls = false, wanted }: OnJob = {},
): EditorCommand =>
  command({
    id,
    calls,
    async run(editor, value) {
      const place = await placeOf(editor, value, wanted);
      return place && work(editor, await editor.store.loadRuns(place.jobId));
    },
  });

/** Returns the mapping that the argument names. Without one, the user picks a job. */
async function placeOf(editor: Editor, value: unknown, wanted?: OnJob['wanted']): Promise<MappingPlace | undefined> {
  return selectedSchema.safeParse(value).success
    ? editor.view.selectedJob
    : (readArgument(mappingPlaceSchema, value) ?? pickJob(editor, wanted));
}

export const mappingCommands = [
  command({
    id: 'dialtree.mapping.new',
    calls: true,
    args: newMappingSchema,
    async run(editor, args) {
      const { l10n } = editor;
      if (args) return openCreated(editor, editor.actions.create(args));
      const title = l10n.t('New Mapping');
      const picked = await editor.pickTarget({ title });
      const target = picked && (picked.name === undefined ? await named(editor, picked, title) : picked);
      const profile = target && (await editor.askHowToCall());
      return profile && openCreated(editor, editor.actions.createOrMapAgain({ ...target, ...profile }));
    },
  }),
  onJob('dialtree.mapping.start', ({ actions }, { job }) => actions.start(job), { calls: true, wanted: isIdle }),
  onJob('dialtree.mapping.raiseLimit', raiseLimit, {
    calls: true,
    wanted: (snapshot) => limitToRaise(snapshot) !== undefined,
  }),
  onJob('dialtree.mapping.cancel', ({ actions }, { job }) => actions.cancel(job.id), { wanted: isRunning }),
  onJob('dialtree.mapping.rename', async ({ actions, dialogs, l10n }, { job }) => {
    const name = await dialogs.ask({
      title: l10n.t('Rename Mapping'),
      prompt: l10n.t('The name of the mapping'),
      value: job.name,
      check: (text) => nameProblem(text, l10n),
    });
    if (name !== undefined) await actions.update(job.id, { name: name.trim() });
  }),
  onJob('dialtree.mapping.tag', async ({ actions, dialogs, l10n }, { job }) => {
    const typed = await dialogs.ask({
      title: l10n.t('Tag Mapping'),
      prompt: l10n.t('Tags, separated by spaces'),
      value: job.tags.join(' '),
      check: (text) => tagsSchema.safeParse(tagsIn(text)).error?.issues[0]?.message,
    });
    if (typed !== undefined) await actions.update(job.id, { tags: tagsIn(typed) });
  }),
  onJob('dialtree.mapping.chooseProfile', async (editor, { job }) => {
    const profile = await editor.askHowToCall();
    if (profile?.profileId !== undefined) await editor.actions.update(job.id, profile);
    else if (profile) await tellOnlyDefault(editor);
  }),
  onJob(
    'dialtree.mapping.delete',
    async ({ actions, dialogs, l10n }, { job }) => {
      if (
        await dialogs.confirm(
          l10n.t('Delete “{0}”?', job.name),
          l10n.t("This also deletes the mapping's runs, trees and recordings. You can't undo this."),
          l10n.t('Delete'),
        )
      )
        await actions.remove(job.id);
    },
    { wanted: isIdle },
  ),
  command({
    id: 'dialtree.mapping.openTree',
    async run(editor, value) {
      const place = await placeOf(editor, value);
      if (place) await editor.panels.open(place);
    },
  }),
  command({
    id: 'dialtree.mapping.openTranscript',
    async run(editor, value) {
      const place = await placeOf(editor, value);
      if (place) await editor.transcripts.open(place);
    },
  }),
  onJob('dialtree.mapping.copyNumber', ({ dialogs }, { job }) => dialogs.copy(job.phoneNumber)),
  onJob('dialtree.mapping.copyId', ({ dialogs }, { job }) => dialogs.copy(job.id)),
  command({ id: 'dialtree.mapping.refresh', run: ({ store }) => store.refresh() }),
  command({
    id: 'dialtree.mapping.searchPrompts',
    run: (editor, value) => searchPrompts(editor, typeof value === 'string' ? value : undefined),
  }),
];

/** The tree grows while it is open. Returns the job's id, or undefined if the user declined. */
export async function openCreated(editor: Editor, created: Promise<string | undefined>): Promise<string | undefined> {
  const jobId = await created;
  if (jobId !== undefined) await editor.panels.open({ jobId });
  return jobId;
}

function isIdle(snapshot: JobSnapshot): boolean {
  return !isRunning(snapshot);
}

function nameProblem(text: string, l10n: L10n): string | undefined {
  return nameSchema.safeParse(text).success ? undefined : l10n.t('Enter a name of 1 to 200 characters.');
}

async function named(
  { actions, dialogs, l10n }: Editor,
  { target }: MappingTarget,
  title: string,
): Promise<MappingTarget | undefined> {
  await actions.assertServed(target);
  const name = await dialogs.ask({
    title,
    prompt: l10n.t('A name for the mapping (optional)'),
    placeHolder: target,
    check: (text) => (text.trim() === '' ? undefined : nameProblem(text, l10n)),
  });
  return name === undefined ? undefined : { target, ...(name.trim() !== '' && { name: name.trim() }) };
}

async function raiseLimit({ actions, dialogs, l10n }: Editor, snapshot: JobSnapshot): Promise<unknown> {
  const { job } = snapshot;
  const member = limitToRaise(snapshot);
  if (!member) return dialogs.tell(l10n.t("The last run of this mapping didn't stop at a limit that you can raise."));
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
}

function limitToRaise(snapshot: JobSnapshot): RaisableLimit | undefined {
  const latest = newestRun(snapshot);
  return raisableLimit(snapshot.job, latest === undefined ? undefined : runOf(snapshot, latest));
}

/** A search reads trees from the service, so it waits until the user pauses. */
const typingPauseMs = 250;

async function searchPrompts({ store, panels, dialogs, l10n }: Editor, given: string | undefined): Promise<void> {
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
  { store, dialogs, l10n }: Editor,
  wanted: (snapshot: JobSnapshot) => boolean = () => true,
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
