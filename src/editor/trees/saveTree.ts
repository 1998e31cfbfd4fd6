import { HumanError } from '../../contract/errors.ts';
import { ivrSlug } from '../../contract/ivrFile.ts';
import { calltreeOf, calltreeSuffix, calltreeText } from '../../model/tree/calltree.ts';
import { mappingPlaceSchema, readArgument, type MappingPlace } from '../basics/commandArguments.ts';
import type { Handlers } from '../basics/commandTable.ts';
import type { Dialogs } from '../basics/dialogs/dialogs.ts';
import type { L10n } from '../basics/localise.ts';
import type { MappingStore } from '../store/mappingStore.ts';
import { loadTree, newestTrees } from './treeSource.ts';
import type { TreeFiles } from './treeFiles.ts';

interface SaveTreeParts {
  readonly store: Pick<MappingStore, 'listed' | 'refresh' | 'jobs' | 'loadRuns' | 'loadTree'>;
  readonly files: Pick<TreeFiles, 'askNewFile' | 'write' | 'label'>;
  readonly dialogs: Pick<Dialogs, 'pick' | 'tell'>;
  readonly l10n: L10n;
  readonly open: (uri: string) => Promise<unknown>;
}

export function saveTreeCommand(parts: SaveTreeParts): Pick<Handlers, 'dialtree.tree.save'> {
  return { 'dialtree.tree.save': (value) => saveTree(value, parts) };
}

async function saveTree(value: unknown, parts: SaveTreeParts): Promise<void> {
  const { files, dialogs, l10n, open } = parts;
  const title = l10n.t('Save Tree as Baseline');
  const place = readArgument(mappingPlaceSchema, value) ?? (await pickRun(title, parts));
  if (!place) return;
  const { job, run, version, tree } = await loadTree(place, parts);
  if (run?.status === 'running')
    throw new HumanError(
      l10n.t('This run is still in progress, so parts of its tree are missing. Save the tree after the run ends.'),
      { status: 409, code: 'still_running' },
    );
  const uri = await files.askNewFile(title, ivrSlug(job.name), calltreeSuffix);
  if (uri === undefined) return;
  await files.write(uri, calltreeText(calltreeOf(job, run, tree)));
  await dialogs.tell(l10n.t('Saved run {0} of {1} as {2}.', version, job.name, files.label(uri)), {
    title: l10n.t('Open'),
    run: () => open(uri),
  });
}

async function pickRun(title: string, { store, dialogs, l10n }: SaveTreeParts): Promise<MappingPlace | undefined> {
  if (!store.listed) await store.refresh();
  const runs = (await newestTrees(store.jobs, { store, l10n })).map(({ group: _group, ...choice }) => choice);
  if (runs.length > 0) return dialogs.pick(runs, { title, placeHolder: l10n.t('Which mapping do you want to use?') });
  await dialogs.tell(l10n.t("This command doesn't apply to any of your mappings."));
  return undefined;
}
