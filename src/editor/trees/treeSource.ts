import * as z from 'zod';
import type { CalltreeFile } from '../../contract/calltreeFile.ts';
import { HumanError } from '../../contract/errors.ts';
import { stateOf, type CutShort } from '../../contract/runState.ts';
import { readCalltree } from '../../model/tree/calltree.ts';
import { problemText } from '../../model/files/fileProblem.ts';
import type { Basics } from '../basics/createBasics.ts';
import { mappingPlaceSchema, readArgument, type MappingPlace } from '../basics/commandArguments.ts';
import type { Choice, DialogOptions } from '../basics/dialogs/dialogs.ts';
import { countWords, mappingStateWord } from '../basics/words/mappingWords.ts';
import type { MappingStore } from '../store/mappingStore.ts';
import { hasTree, newestRun, runOf, type JobSnapshot } from '../store/snapshot.ts';
import type { FileArgument, TreeFiles } from './treeFiles.ts';

export interface TreeSource extends Pick<CalltreeFile, 'name' | 'phoneNumber' | 'tree'> {
  /** The run, or undefined if the tree comes from a file. */
  readonly run?: { readonly jobId: string; readonly runNumber: number };
  readonly cutShort?: CutShort | undefined;
  readonly uri?: string;
  /** Only the branch below this step is meant. */
  readonly stepId?: string;
}

export interface TreeSourceParts extends Pick<Basics, 'dialogs' | 'l10n' | 'formats'> {
  readonly store: Pick<MappingStore, 'listed' | 'refresh' | 'jobs' | 'loadRuns' | 'loadTree'>;
  readonly files: Pick<TreeFiles, 'find' | 'label' | 'source' | 'uriOf'>;
  /** Returns the tree whose page the user is in. */
  readonly active?: () => TreePlace | undefined;
}

const fileSchema: z.ZodType<FileArgument> = z.union([
  z.object({ file: z.string().min(1) }),
  z.object({ scheme: z.string(), authority: z.string(), path: z.string() }),
]);
const argumentSchema = z.union([
  mappingPlaceSchema,
  z.object({ uri: z.string().min(1), stepId: z.string().optional() }),
  fileSchema,
]);

/** The location of a tree. The default is the newest run. */
export type TreePlace = MappingPlace | { readonly uri: string; readonly stepId?: string | undefined };

/**
 * Returns the tree that the argument names, a row of the mappings view or a file; otherwise the one whose page the user is
 * in, or one that the user picks. Returns undefined if the user cancels, or there is none.
 */
export async function readTreeSource(
  value: unknown,
  title: string,
  parts: TreeSourceParts,
): Promise<TreeSource | undefined> {
  const place =
    placeOfArgument(value, parts) ??
    parts.active?.() ??
    (await pickTree({ title, placeHolder: parts.l10n.t('Which tree?') }, parts));
  return place && readTreePlace(place, parts);
}

/** Parses the argument of a command: a row, or a file from the editor's menus. */
export function placeOfArgument(value: unknown, { files }: Pick<TreeSourceParts, 'files'>): TreePlace | undefined {
  const parsed = readArgument(argumentSchema, value);
  // The title of a page passes the page.
  if (parsed && 'scheme' in parsed && parsed.scheme === 'webview-panel') return undefined;
  return parsed === undefined || 'jobId' in parsed || 'uri' in parsed ? parsed : { uri: files.uriOf(parsed) };
}

export const readTreePlace = (place: TreePlace, parts: Omit<TreeSourceParts, 'dialogs'>): Promise<TreeSource> =>
  'jobId' in place ? readRun(place, parts) : readFile(place, parts);

/** @throws HumanError `no_tree` */
export async function loadTree(
  { jobId, runNumber }: MappingPlace,
  { store, l10n }: Pick<TreeSourceParts, 'l10n'> & { readonly store: Pick<MappingStore, 'loadRuns' | 'loadTree'> },
) {
  // A run that starts in the meantime isn't meant.
  const version = runNumber ?? newestRun(await store.loadRuns(jobId));
  const snapshot = await store.loadTree(jobId, version);
  const response = version === undefined ? undefined : snapshot.trees.get(version)?.response;
  if (version === undefined || !response?.tree)
    throw new HumanError(response?.message ?? l10n.t('This mapping has no tree yet. Start the mapping first.'), {
      status: 404,
      code: 'no_tree',
    });
  return { job: snapshot.job, run: runOf(snapshot, version), version, tree: response.tree };
}

async function readRun(place: MappingPlace, parts: Pick<TreeSourceParts, 'store' | 'l10n'>): Promise<TreeSource> {
  const { job, run, version, tree } = await loadTree(place, parts);
  const { jobId, stepId } = place;
  const state = run && stateOf(run.status, run.endedBy);
  return {
    name: job.name,
    phoneNumber: job.phoneNumber,
    tree,
    run: { jobId, runNumber: version },
    ...((state === 'cancelled' || state === 'interrupted') && { cutShort: state }),
    ...(stepId !== undefined && { stepId }),
  };
}

async function readFile(
  { uri, stepId }: Extract<TreePlace, { uri: string }>,
  { files, l10n }: Pick<TreeSourceParts, 'files' | 'l10n'>,
): Promise<TreeSource> {
  const read = readCalltree(await files.source(uri).read(), files.label(uri));
  if ('value' in read) return { ...read.value, uri, ...(stepId !== undefined && { stepId }) };
  throw new HumanError(l10n.t("This file doesn't contain a tree. {0}", read.problems.map(problemText).join(' ')), {
    status: 400,
    code: 'calltree_invalid',
  });
}

const isTreeFile = (uri: string, parts: Pick<TreeSourceParts, 'files' | 'l10n'>): Promise<boolean> =>
  readFile({ uri }, parts).then(
    () => true,
    () => false,
  );

/** Returns the newest run with a tree of each mapping, for the user to pick one. */
export async function newestTrees(
  jobs: readonly JobSnapshot[],
  { store, l10n }: Pick<TreeSourceParts, 'store' | 'l10n'>,
): Promise<(Choice<MappingPlace> & { group: string })[]> {
  const found = await Promise.all(
    jobs.map(async (snapshot) => {
      const { currentRun, id: jobId, name: label } = snapshot.job;
      if (!currentRun) return [];
      const { runs = [] } = hasTree(currentRun) ? { runs: [currentRun] } : await store.loadRuns(jobId);
      const runNumber = runs.find(hasTree)?.runNumber;
      if (runNumber === undefined) return [];
      const description = l10n.t('Run {0}', runNumber);
      return [{ label, description, group: l10n.t('Mappings'), value: { jobId, runNumber } }];
    }),
  );
  return found.flat();
}

/**
 * Lets the user pick a run of the same mapping, the newest run of another mapping, or a workspace file, except the tree
 * that is already chosen.
 */
export async function pickTree(
  asking: DialogOptions,
  { store, files, dialogs, l10n, formats }: TreeSourceParts,
  but?: TreePlace,
): Promise<TreePlace | undefined> {
  if (!store.listed) await store.refresh();
  const job = but && 'jobId' in but ? await store.loadRuns(but.jobId) : undefined;
  const excludedRun = job && but && 'jobId' in but ? (but.runNumber ?? newestRun(job)) : undefined;
  const own = (job?.runs ?? [])
    .filter((run) => run.runNumber !== excludedRun && hasTree(run))
    .map((run): Choice<TreePlace> => ({
      label: l10n.t('Run {0}', run.runNumber),
      description: [mappingStateWord(run, l10n), ...countWords(run.stats, l10n)].join(' · '),
      ...(run.startedAt !== undefined && { detail: formats.moment(run.startedAt) }),
      group: job?.job.name ?? '',
      value: { jobId: job?.job.id ?? '', runNumber: run.runNumber },
    }));
  const others = store.jobs.filter((snapshot) => snapshot.job.id !== job?.job.id);
  const uris: string[] = [];
  for (const uri of await files.find('calltree'))
    if (!(but && 'uri' in but && but.uri === uri) && (await isTreeFile(uri, { files, l10n }))) uris.push(uri);
  const choices = [
    ...own,
    ...(await newestTrees(others, { store, l10n })),
    ...uris.map((uri): Choice<TreePlace> => ({ label: files.label(uri), group: l10n.t('Files'), value: { uri } })),
  ];
  if (choices.length > 0) return dialogs.pick(choices, asking);
  await dialogs.tell(
    but
      ? l10n.t('There is no other tree to compare with. Map the number again, or save a tree as a baseline.')
      : l10n.t('There are no trees yet. Start a mapping, or open a folder that contains a .calltree.json file.'),
  );
  return undefined;
}
