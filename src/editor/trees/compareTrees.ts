import { comparedTitleOf, cutShortIn } from './comparedTrees.ts';
import {
  pickTree,
  placeOfArgument,
  readTreePlace,
  type TreePlace,
  type TreeSource,
  type TreeSourceParts,
} from './treeSource.ts';

export interface ComparedTrees {
  readonly base: TreeSource;
  readonly current: TreeSource;
  readonly baseTitle: string;
  readonly currentTitle: string;
}

interface CompareTreeParts extends TreeSourceParts {
  /** Shows the current tree as a drawing with the changes marked. `openText` shows both trees as text. */
  readonly showCompared: (compared: ComparedTrees, openText: () => Promise<unknown>) => Promise<unknown>;
  readonly showOutlines: (
    base: TreePlace,
    current: TreePlace,
    titles: Pick<ComparedTrees, 'baseTitle' | 'currentTitle'>,
  ) => Promise<unknown>;
}

export async function compareTrees(value: unknown, selected: unknown, parts: CompareTreeParts): Promise<void> {
  const { dialogs, files, l10n } = parts;
  const places = await choosePlaces(placeOfArgument(value, parts) ?? parts.active?.(), selected, parts);
  if (!places) return;
  const [base, current] = [await readTreePlace(places.base, parts), await readTreePlace(places.current, parts)];
  const title = (source: TreeSource): string => comparedTitleOf(source, (uri) => files.label(uri), l10n);
  const titles = { baseTitle: title(base), currentTitle: title(current) };
  const { diffTrees } = await import('../../model/tree/diff/treeDiff.ts');
  const { changes, unsure } = diffTrees(base.tree, current.tree, cutShortIn(base, current));
  if (changes.length > 0)
    return void (await parts.showCompared({ base, current, ...titles }, () =>
      parts.showOutlines(placeOf(base, places.base), placeOf(current, places.current), titles),
    ));
  const skipped = unsure > 0 ? ` ${l10n.t("Unsure steps that aren't compared: {0}.", unsure)}` : '';
  await dialogs.tell(l10n.t('Nothing changed between {0} and {1}.', titles.baseTitle, titles.currentTitle) + skipped);
}

/** The run itself, even if a newer one appears later. */
const placeOf = ({ run }: TreeSource, place: TreePlace): TreePlace => run ?? place;

interface Places {
  readonly base: TreePlace;
  readonly current: TreePlace;
}

async function choosePlaces(
  given: TreePlace | undefined,
  selected: unknown,
  parts: CompareTreeParts,
): Promise<Places | undefined> {
  const { l10n } = parts;
  const title = l10n.t('Compare Trees');
  const marked = (Array.isArray(selected) ? selected : [])
    .map((one) => placeOfArgument(one, parts))
    .filter((place) => place !== undefined);
  const [one, other] = marked;
  if (one && other && marked.length === 2) return inOrder(one, other);
  // A file is the earlier state, and a run the current one.
  const base = given && 'uri' in given ? given : undefined;
  const current = base
    ? await pickTree({ title, placeHolder: l10n.t('Which tree do you want to compare with this one?') }, parts, base)
    : (given ?? (await pickTree({ title, placeHolder: l10n.t('Which tree do you want to compare?') }, parts)));
  if (!current) return undefined;
  const chosen =
    base ??
    (await pickTree({ title, placeHolder: l10n.t('Which earlier tree do you want to compare with?') }, parts, current));
  return chosen && { base: chosen, current };
}

/** The earlier run comes first, and a file before a run. */
function inOrder(one: TreePlace, other: TreePlace): Places {
  const age = (place: TreePlace): number => ('uri' in place ? 0 : (place.runNumber ?? Infinity));
  return age(other) < age(one) ? { base: other, current: one } : { base: one, current: other };
}
