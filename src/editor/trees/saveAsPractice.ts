import { phoneNumberSchema } from '../../contract/common.ts';
import { ivrSlug } from '../../contract/ivrFile.ts';
import type { TreeNode } from '../../contract/tree.ts';
import { flattenTree } from '../../model/tree/treeBuild.ts';
import { describeCause, type Logger } from '../basics/log/logger.ts';
import type { ServiceClient } from '../host/serviceClient.ts';
import type { TreeFiles } from './treeFiles.ts';
import { readTreeSource, type TreeSource, type TreeSourceParts } from './treeSource.ts';

interface SaveAsPracticeParts extends TreeSourceParts {
  readonly client: Pick<ServiceClient, 'fetchAudio'>;
  readonly files: TreeFiles;
  readonly log: Logger;
  /** Starts the practice IVR of a file, or maps it. */
  readonly run: (command: 'dialtree.practice.start' | 'dialtree.practice.map', uri: string) => Promise<unknown>;
}

/** Recordings that are fetched at the same time. */
const maxAtOnce = 4;

export async function saveAsPractice(value: unknown, parts: SaveAsPracticeParts): Promise<void> {
  const { dialogs, files, l10n, run } = parts;
  const title = l10n.t('Save as Practice IVR');
  const source = await readTreeSource(value, title, parts);
  if (!source) return;
  const uri = await files.askNewFile(title, ivrSlug(source.name), '.ivr.json');
  if (uri === undefined) return;
  const recordings = await dialogs.wait(l10n.t('Fetching the recordings of {0}…', source.name), async (signal) => {
    const fetched = await fetchRecordings(source, parts, signal);
    return signal.aborted ? undefined : fetched;
  });
  if (!recordings) return;
  const folder = files.folderOf(uri);
  const promptFolder = `${uri.slice(uri.lastIndexOf('/') + 1).replace(/\.ivr\.json$/, '')}.prompts`;
  const wavs = new Map<string, Uint8Array>();
  const { cassetteOf } = await import('../../model/tree/export/cassette.ts');
  const cassette = cassetteOf(source.tree, {
    name: source.name,
    number: phoneNumberSchema.safeParse(source.phoneNumber).data,
    recordingOf: (node, state) => {
      const wav = recordings.get(node.stepId ?? '');
      if (!wav) return undefined;
      const path = `${decodeURIComponent(promptFolder)}/${state}.wav`;
      wavs.set(path, wav);
      return path;
    },
  });
  for (const [path, wav] of wavs) await files.write(files.beside(folder, path), wav);
  await files.write(uri, `${JSON.stringify(cassette, undefined, 2)}\n`);
  const states = Object.keys(cassette.states).length;
  const message =
    states === 1
      ? l10n.t('{0} has 1 state. Prompts that use recordings: {1}.', files.label(uri), wavs.size)
      : l10n.t('{0} has {1} states. Prompts that use recordings: {2}.', files.label(uri), states, wavs.size);
  await dialogs.tell(
    message,
    { title: l10n.t('Start Practice IVR'), run: () => run('dialtree.practice.start', uri) },
    { title: l10n.t('Map Practice IVR'), run: () => run('dialtree.practice.map', uri) },
  );
}

/**
 * Fetches the recordings of a run's prompts by step, cut to the prompt. A file's tree has none, and neither has a run
 * from before prompt positions were stored.
 */
async function fetchRecordings(
  { run }: TreeSource,
  { client, store, log }: SaveAsPracticeParts,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, Uint8Array>> {
  const recordings = new Map<string, Uint8Array>();
  if (!run) return recordings;
  const { trees } = await store.loadTree(run.jobId, run.runNumber, { fresh: true });
  const tree = trees.get(run.runNumber)?.response.tree;
  const { promptRecording } = await import('../../model/tree/export/cassette.ts');
  const queue = tree ? flattenTree(tree).filter(isRecorded) : [];
  const work = async (): Promise<void> => {
    for (let node = queue.shift(); node && !signal.aborted; node = queue.shift()) {
      try {
        const wav = promptRecording(node, await client.fetchAudio(node.audioUrl));
        if (wav) recordings.set(node.stepId, wav);
      } catch (error) {
        // Its words are synthesised instead.
        log.warn(`A recording was not read: ${describeCause(error)}`);
      }
    }
  };
  await Promise.all(Array.from({ length: maxAtOnce }, work));
  return recordings;
}

type Recorded = TreeNode & { readonly stepId: string; readonly audioUrl: string };
const isRecorded = (node: TreeNode): node is Recorded =>
  node.stepId !== undefined &&
  node.audioUrl !== undefined &&
  node.promptStartMs !== undefined &&
  node.promptEndMs !== undefined;
