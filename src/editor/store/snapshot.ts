import type { MappingJob, MappingRun } from '../../contract/mapping.ts';
import type { TreeNode, TreeResponse } from '../../contract/tree.ts';

/** What the editor knows of one job at one moment. Never changed: each reading makes a new one. */
export interface JobSnapshot {
  readonly job: MappingJob;
  /** Newest first; undefined until somebody asked for them. */
  readonly runs: readonly MappingRun[] | undefined;
  /** By run number; only those that somebody asked for. */
  readonly trees: ReadonlyMap<number, ReadTree>;
}

export interface ReadTree {
  readonly response: TreeResponse;
  /** When it was read, in milliseconds of the store's clock; the links to its audio age with it. */
  readonly readAt: number;
}

export const isRunning = ({ job }: JobSnapshot): boolean => job.status === 'running';

/** The number of the newest run, undefined before the first one. */
export const newestRun = ({ job, runs }: JobSnapshot): number | undefined => runs?.[0]?.runNumber ?? job.currentRun?.runNumber ?? job.runNumber;

/** The run of this number as far as it is known. */
export function runOf(snapshot: JobSnapshot, runNumber: number): MappingRun | undefined {
  return snapshot.runs?.find((run) => run.runNumber === runNumber)
    ?? (snapshot.job.currentRun?.runNumber === runNumber ? snapshot.job.currentRun : undefined);
}

/** The node of a step, with those above it from the root on. */
export function findStep(root: TreeNode | null | undefined, stepId: string): readonly TreeNode[] | undefined {
  if (!root) return undefined;
  const path: TreeNode[] = [];
  const search = (node: TreeNode): boolean => {
    path.push(node);
    if (node.stepId === stepId || (node.children ?? []).some(search)) return true;
    path.pop();
    return false;
  };
  return search(root) ? path : undefined;
}
