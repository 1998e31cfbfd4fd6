import type { CalltreeFile } from '../../contract/calltreeFile.ts';
import { HumanError } from '../../contract/errors.ts';
import { ivrSlug } from '../../contract/ivrFile.ts';
import { calltreeOf, calltreeSuffix, calltreeText } from '../../model/tree/calltree.ts';
import { diffTrees } from '../../model/tree/diff/treeDiff.ts';
import { mappingPlaceSchema, readArgument, type MappingPlace } from '../basics/commandArguments.ts';
import { loadTree, newestTrees, readTreePlace, type TreeSourceParts } from './treeSource.ts';
import type { TreeFiles } from './treeFiles.ts';

interface SaveTreeParts extends TreeSourceParts {
  readonly files: TreeSourceParts['files'] & Pick<TreeFiles, 'askNewFile' | 'write'>;
  readonly open: (uri: string) => Promise<unknown>;
}

export async function saveTree(value: unknown, parts: SaveTreeParts): Promise<void> {
  const { files, dialogs, l10n, open } = parts;
  const title = l10n.t('Save Tree as Baseline');
  const shown = readArgument(mappingPlaceSchema, value) ?? parts.active?.();
  const place = shown && 'jobId' in shown ? shown : await pickRun(title, parts);
  if (!place) return;
  const { job, run, version, tree } = await loadTree(place, parts);
  if (run?.status === 'running')
    throw new HumanError(
      l10n.t('This run is still in progress, so parts of its tree are missing. Save the tree after the run ends.'),
      { status: 409, code: 'still_running' },
    );
  const calltree = calltreeOf(job, run, tree);
  const known = await knownPlace(calltree, title, parts);
  const uri = known === 'ask' ? await files.askNewFile(title, ivrSlug(job.name), calltreeSuffix) : known;
  if (uri === undefined) return;
  await files.write(uri, calltreeText(calltree));
  await dialogs.tell(l10n.t('Saved run {0} of {1} as {2}.', version, job.name, files.label(uri)), {
    title: l10n.t('Open'),
    run: () => open(uri),
  });
}

/** Returns the only baseline of this number. Before another tree is lost, asks; undefined if the user cancels. */
async function knownPlace(
  { phoneNumber, tree }: CalltreeFile,
  title: string,
  parts: SaveTreeParts,
): Promise<string | undefined> {
  const { files, dialogs, l10n } = parts;
  // A file that can't be read isn't replaced.
  const reading = (await files.find('calltree')).map((uri) => readTreePlace({ uri }, parts).catch(() => undefined));
  const [only, ...others] = (await Promise.all(reading)).filter((saved) => saved?.phoneNumber === phoneNumber);
  if (only?.uri === undefined || others.length > 0) return 'ask';
  if (diffTrees(only.tree, tree).changes.length === 0) return only.uri;
  const file = files.label(only.uri);
  return dialogs.pick(
    [
      { label: l10n.t('Save as another file…'), value: 'ask' },
      { label: l10n.t('Replace {0}', file), value: only.uri },
    ],
    { title, placeHolder: l10n.t('{0} contains another tree of this number', file) },
  );
}

async function pickRun(title: string, { store, dialogs, l10n }: SaveTreeParts): Promise<MappingPlace | undefined> {
  if (!store.listed) await store.refresh();
  const runs = (await newestTrees(store.jobs, { store, l10n })).map(({ group: _group, ...choice }) => choice);
  if (runs.length > 0) return dialogs.pick(runs, { title, placeHolder: l10n.t('Which mapping do you want to use?') });
  await dialogs.tell(l10n.t("This command doesn't apply to any of your mappings."));
  return undefined;
}
