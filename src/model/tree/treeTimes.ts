import type { TreeNode } from '../../contract/tree.ts';

/** When the first sound of a step is heard, in seconds from the answer. */
export interface StepTime {
  /** For a caller who hears each prompt to its last word or, if that isn't known, to the end of the recorded step. */
  readonly patientSeconds: number;
  /** For a caller who knows the keys and can interrupt menus: only latencies. Undefined if one isn't known. */
  readonly quickSeconds: number | undefined;
}

/** For each step that was heard, without links, whose menu was heard elsewhere. */
export function stepTimes(root: TreeNode): ReadonlyMap<TreeNode, StepTime> {
  const times = new Map<TreeNode, StepTime>();
  const open: { readonly node: TreeNode; readonly heardSeconds: number; readonly quickSeconds: number | undefined }[] =
    [{ node: root, heardSeconds: 0, quickSeconds: 0 }];
  for (const { node, heardSeconds, quickSeconds: before } of open) {
    const { latencyMs, duration = 0, promptEndMs = duration * 1000, children = [], status = 'explored' } = node;
    if (status !== 'explored') continue;
    const quickSeconds = before === undefined || latencyMs === undefined ? undefined : before + latencyMs / 1000;
    times.set(node, { patientSeconds: heardSeconds + (latencyMs ?? 0) / 1000, quickSeconds });
    for (const child of children)
      open.push({ node: child, heardSeconds: heardSeconds + promptEndMs / 1000, quickSeconds });
  }
  return times;
}

/** Returns the first step with a person for a caller who hears each prompt to its end; undefined without one. */
export function soonestPerson(root: TreeNode): { readonly node: TreeNode; readonly time: StepTime } | undefined {
  let soonest: { readonly node: TreeNode; readonly time: StepTime } | undefined;
  for (const [node, time] of stepTimes(root))
    if (node.end === 'human' && time.patientSeconds < (soonest?.time.patientSeconds ?? Infinity))
      soonest = { node, time };
  return soonest;
}

/** Levels of the response time to a key: up to 1 s, 2 s, 4 s, and more. */
export const latencyBounds = [1000, 2000, 4000] as const;
export type LatencyLevel = 0 | 1 | 2 | 3;
export const latencyLevel = (latencyMs: number): LatencyLevel =>
  latencyBounds.filter((bound) => latencyMs > bound).length as LatencyLevel;
