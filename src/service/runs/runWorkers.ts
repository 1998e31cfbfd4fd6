import type { Lane } from '../store/schema.ts';

interface LaneSize {
  /** Simultaneous runs in this process. */
  readonly workers: number;
  /** How many of them one workspace can have. */
  readonly perWorkspace: number;
}
const lanes: Readonly<Record<Lane, LaneSize>> = {
  mapping: { workers: 8, perWorkspace: 4 },
  tests: { workers: 8, perWorkspace: 4 },
  load: { workers: 4, perWorkspace: 1 },
  wait: { workers: 100, perWorkspace: 10 },
};

/**
 * The workers of this process. Each lane has its own, so that no kind of run waits for another kind. The second half of
 * a lane is kept for workspaces without a run in it, so that a few workspaces with long runs don't stop the others.
 */
export class RunWorkers {
  readonly #busy = new Map<Lane, Map<string, number>>();

  mayTake(lane: Lane, workspaceId: string): boolean {
    const { workers, perWorkspace } = lanes[lane];
    const busy = this.#busy.get(lane);
    const own = busy?.get(workspaceId) ?? 0;
    let all = 0;
    for (const count of busy?.values() ?? []) all += count;
    return own < perWorkspace && all < (own === 0 ? workers : workers / 2);
  }

  /** Returns a function that frees the worker. */
  take(lane: Lane, workspaceId: string): () => void {
    const busy = this.#busy.get(lane) ?? new Map<string, number>();
    this.#busy.set(lane, busy);
    busy.set(workspaceId, (busy.get(workspaceId) ?? 0) + 1);
    return () => {
      const left = (busy.get(workspaceId) ?? 0) - 1;
      if (left > 0) busy.set(workspaceId, left);
      else busy.delete(workspaceId);
    };
  }
}
