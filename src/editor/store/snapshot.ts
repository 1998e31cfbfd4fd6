import type { MappingJob, MappingRun } from '../../contract/mapping.ts';
import type { TreeNode, TreeResponse } from '../../contract/tree.ts';

/** The editor's knowledge of one job at one time. Immutable: each reading creates a new one. */
export interface JobSnapshot {
  readonly job: MappingJob;
  /** Newest first; undefined until they are requested. */
  readonly runs: readonly MappingRun[] | undefined;
  /** By run number; only trees that were requested. */
  readonly trees: ReadonlyMap<number, ReadTree>;
}

export interface ReadTree {
  readonly response: TreeResponse;
  /** When it was read, in milliseconds of the store's clock. Its audio links expire with it. */
  readonly readAt: number;
}

export const isRunning = ({ job }: JobSnapshot): boolean => job.status === 'running';

/** Returns the number of the newest run, or undefined before the first one. */
export const newestRun = ({ job, runs }: JobSnapshot): number | undefined =>
  runs?.[0]?.runNumber ?? job.currentRun?.runNumber ?? job.runNumber;

/** Whether the run has heard anything. */
export const hasTree = ({ stats }: MappingRun): boolean => stats.nodesDiscovered > 0;

export function runOf(snapshot: JobSnapshot, runNumber: number): MappingRun | undefined {
  return (
    snapshot.runs?.find((run) => run.runNumber === runNumber) ??
    (snapshot.job.currentRun?.runNumber === runNumber ? snapshot.job.currentRun : undefined)
  );
}

interface PlacedStep {
  readonly node: TreeNode;
  readonly above: PlacedStep | undefined;
}

/** By root, because trees of snapshots don't change. */
const steps = new WeakMap<TreeNode, ReadonlyMap<string, PlacedStep>>();

function stepsOf(root: TreeNode): ReadonlyMap<string, PlacedStep> {
  const known = steps.get(root);
  if (known) return known;
  const found = new Map<string, PlacedStep>();
  const open: PlacedStep[] = [{ node: root, above: undefined }];
  for (let place = open.pop(); place; place = open.pop()) {
    const { stepId, children = [] } = place.node;
    if (stepId !== undefined && !found.has(stepId)) found.set(stepId, place);
    for (const node of children.toReversed()) open.push({ node, above: place });
  }
  steps.set(root, found);
  return found;
}

export function findStep(root: TreeNode | null | undefined, stepId: string): readonly TreeNode[] | undefined {
  const path: TreeNode[] = [];
  for (let place = root ? stepsOf(root).get(stepId) : undefined; place; place = place.above) path.unshift(place.node);
  return path.length === 0 ? undefined : path;
}

export const stepCount = (root: TreeNode): number => stepsOf(root).size;
