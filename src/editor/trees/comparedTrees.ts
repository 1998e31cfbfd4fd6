import * as z from 'zod';
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
  const { diffTrees } = await import('../../model/tree/diff/treeDiff.ts');
  const { compareOutlines } = await import('../../model/tree/treeOutline.ts');
  return compareOutlines(diffTrees(before.tree, after.tree, cutShortIn(before, after)))[side];
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

export const cutShortIn = (base: TreeSource, current: TreeSource): { base: boolean; current: boolean } => ({
  base: base.cutShort !== undefined,
  current: current.cutShort !== undefined,
});
