import * as z from 'zod';
import type { TreeChangeKind } from '../../contract/treeDiff.ts';
import type { L10n } from '../basics/localise.ts';
import { cutShortWord } from '../basics/words/outcomeWords.ts';
import type { TreePlace, TreeSource } from './treeSource.ts';

/** Two trees side by side, as text. */

const placeSchema: z.ZodType<TreePlace> = z.union([
  z.object({ jobId: z.uuid(), runNumber: z.int().min(1).optional() }).strict(),
  z.object({ uri: z.string().min(1) }).strict(),
]);
const documentSchema = z
  .object({ base: placeSchema, current: placeSchema, side: z.enum(['base', 'current']) })
  .strict();

/**
 * One side of a comparison. It contains everything that it is made from, so that the editor can restore it after a
 * restart.
 */
export type OutlineDocument = z.output<typeof documentSchema>;

export const outlineQuery = (document: OutlineDocument): string => JSON.stringify(document);

/** Returns undefined if the query isn't valid. */
export function readOutlineQuery(query: string): OutlineDocument | undefined {
  try {
    return documentSchema.safeParse(JSON.parse(query)).data;
  } catch {
    return undefined;
  }
}

export async function outlineText(
  { base, current, side }: OutlineDocument,
  read: (place: TreePlace) => Promise<TreeSource>,
): Promise<string> {
  const [before, after] = [await read(base), await read(current)];
  const { compareOutlines } = await import('../../model/tree/treeOutline.ts');
  return compareOutlines(before.tree, after.tree)[side];
}

export const comparedTitleOf = (
  { name, run, uri, cutShort }: TreeSource,
  label: (uri: string) => string,
  l10n: L10n,
): string => {
  if (uri !== undefined) return label(uri);
  const title = run ? l10n.t('{0}, run {1}', name, run.runNumber) : name;
  return cutShort === undefined ? title : `${title} (${cutShortWord(cutShort, l10n)})`;
};

export function changeCounts(counts: Readonly<Record<TreeChangeKind, number>>, l10n: L10n): string {
  const words: Readonly<Record<TreeChangeKind, (count: number) => string>> = {
    added: (count) => l10n.t('{0} added', count),
    removed: (count) => l10n.t('{0} removed', count),
    moved: (count) => l10n.t('{0} moved', count),
    reworded: (count) => l10n.t('{0} reworded', count),
    renumbered: (count) => l10n.t('{0} on another key', count),
    relinked: (count) => l10n.t('{0} leading elsewhere', count),
    slower: (count) => l10n.t('{0} slower', count),
  };
  return (Object.keys(words) as TreeChangeKind[])
    .filter((kind) => counts[kind] > 0)
    .map((kind) => words[kind](counts[kind]))
    .join(', ');
}
