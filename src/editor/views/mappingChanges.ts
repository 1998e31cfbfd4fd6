import type { TreeNode, TreeResponse } from '../../contract/tree.ts';
import type { L10n } from '../basics/localise.ts';
import type { JobSnapshot } from '../store/snapshot.ts';
import { mappingRowOf } from './mappingRows.ts';
import type { RowModel } from './rowModel.ts';
import type { TreeElement } from './treeElement.ts';

/** Rows to draw again, each with everything below it. */
interface MappingChanges {
  readonly now: readonly TreeElement[];
  /** Rows in which only figures differ. They can be batched. */
  readonly later: readonly TreeElement[];
}

/** Returns the changed rows of a job. Rows that weren't requested before aren't drawn yet. */
export function changesBetween(before: JobSnapshot, after: JobSnapshot, l10n: L10n): MappingChanges {
  const jobId = after.job.id;
  const job: TreeElement = { kind: 'job', jobId };
  const [numbersBefore, numbers] = [before, after].map(({ runs }) => runs?.map(({ runNumber }) => runNumber));
  const ofJob = changeOf(mappingRowOf(before, job, l10n), mappingRowOf(after, job, l10n));
  if (ofJob === 'look' || (numbersBefore && String(numbersBefore) !== String(numbers)))
    return { now: [job], later: [] };
  const now: TreeElement[] = [];
  const later: TreeElement[] = ofJob === 'figures' ? [job] : [];
  for (const runNumber of numbersBefore ?? []) {
    const run: TreeElement = { kind: 'run', jobId, runNumber };
    const ofRun = changeOf(mappingRowOf(before, run, l10n), mappingRowOf(after, run, l10n));
    const [response, next] = [before, after].map(({ trees }) => trees.get(runNumber)?.response);
    if (ofRun === 'look' || (response && hasOtherRoot(response, next))) {
      now.push(run);
      continue;
    }
    if (ofRun === 'figures') later.push(run);
    if (response?.tree && next?.tree && response !== next)
      for (const stepId of menusBetween(response.tree, next.tree)) now.push({ kind: 'menu', jobId, runNumber, stepId });
  }
  return { now, later };
}

const hasOtherRoot = (before: TreeResponse, after: TreeResponse | undefined): boolean =>
  before.tree?.stepId !== after?.tree?.stepId || (!before.tree && before.message !== after?.message);

function changeOf(before: RowModel | undefined, after: RowModel | undefined): 'none' | 'figures' | 'look' {
  const look = (row: RowModel | undefined): string => JSON.stringify([row?.label, row?.icon, row?.contextValue]);
  if (look(before) !== look(after)) return 'look';
  return before?.description === after?.description && before?.tooltip === after?.tooltip ? 'none' : 'figures';
}

/** Returns the steps nearest to the root that look different or have different steps below. */
function menusBetween(before: TreeNode, after: TreeNode): string[] {
  const found: string[] = [];
  const open: (readonly [TreeNode, TreeNode])[] = [[before, after]];
  for (let pair = open.pop(); pair; pair = open.pop()) {
    const [old, node] = pair;
    const [oldChildren, children] = [old.children ?? [], node.children ?? []];
    if (
      node.stepId !== undefined &&
      !(
        looksSame(old, node) &&
        oldChildren.length === children.length &&
        oldChildren.every(({ stepId }, at) => stepId === children[at]?.stepId)
      )
    ) {
      found.push(node.stepId);
      continue;
    }
    for (const [at, child] of children.entries()) {
      const oldChild = oldChildren[at];
      if (oldChild) open.push([oldChild, child]);
    }
  }
  return found;
}

const drawn = [
  'digit',
  'label',
  'menuLabel',
  'spokenResponse',
  'status',
  'end',
  'hidden',
  'unsure',
  'linksTo',
  'reason',
  'transcript',
] as const satisfies readonly (keyof TreeNode)[];

/** A recording's address changes with each reading. */
const looksSame = (one: TreeNode, other: TreeNode): boolean =>
  drawn.every((name) => one[name] === other[name]) &&
  (one.audioUrl === undefined) === (other.audioUrl === undefined) &&
  String(one.phrases ?? '') === String(other.phrases ?? '') &&
  (one.options ?? []).length === (other.options ?? []).length &&
  (one.options ?? []).every(
    ({ key, label }, at) => other.options?.[at]?.key === key && other.options[at].label === label,
  );
