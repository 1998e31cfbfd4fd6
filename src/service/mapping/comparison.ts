import { HumanError } from '../../contract/errors.ts';
import type { OperationArguments } from '../../contract/operations.ts';
import type { TreeNode } from '../../contract/tree.ts';
import type { TreeComparison } from '../../contract/treeDiff.ts';
import { countChanges, diffTreesSliced } from '../../model/tree/diff/treeDiff.ts';
import { inTurns } from '../basics/inTurns.ts';
import type { Store } from '../store/store.ts';
import { readTree } from './tree.ts';

/** Returns what changed from one run to another, of the same job or of two jobs, ignoring recordings. */
export async function compareRuns(
  store: Store,
  workspaceId: string,
  { id, baseId = id, base, version }: OperationArguments<'compareMappingRuns'>,
): Promise<TreeComparison> {
  const read = async (job: string, run?: number): Promise<{ readonly run: number; readonly tree: TreeNode }> => {
    const { tree, message, runNumber } = await readTree(store, workspaceId, { id: job, format: 'tree', version: run });
    if (tree && runNumber !== undefined) return { run: runNumber, tree };
    throw new HumanError(
      `There is nothing to compare ${runNumber === undefined ? 'yet' : `in run ${String(runNumber)}`}. ${message ?? 'This run has no tree.'} List the runs to find one with a tree.`,
      { status: 409, code: 'no_tree' },
    );
  };
  const before = await read(baseId, base);
  const after = await read(id, version);
  const { changes, unsure } = await inTurns(diffTreesSliced(before.tree, after.tree));
  return {
    jobId: id,
    ...(baseId !== id && { baseId }),
    base: before.run,
    version: after.run,
    changes: [...changes],
    counts: countChanges(changes),
    unsure,
  };
}
