import { count } from '../../base/count.ts';
import type { LoadTest } from '../../contract/loadTests.ts';
import type { MappingJob, MappingStats } from '../../contract/mapping.ts';
import type { MissionTestRun, RunResults, TestRun } from '../../contract/testRuns.ts';
import type { TreeResponse } from '../../contract/tree.ts';
import { HumanError } from '../../contract/errors.ts';
import type { Awaited, Progress } from './waits.ts';

/** What `waitFor` waits for, by what an operation returns. */
export const endOfJob = (read: () => Promise<MappingJob>): Awaited<MappingJob> => ({
  read,
  running: ({ id, currentRun }) => (currentRun?.status === 'running' ? [id] : []),
  progress: ({ stats, inFlightCount = 0 }) => mappingProgress(stats, inFlightCount),
});

export const endOfTree = (read: () => Promise<TreeResponse>): Awaited<TreeResponse> => ({
  read,
  running: (tree) => ('status' in tree && tree.status === 'running' ? [tree.jobId] : []),
  progress: (tree) => mappingProgress('stats' in tree ? tree.stats : undefined),
});

export const endOfRun = (read: () => Promise<RunResults>): Awaited<RunResults> => ({
  read,
  running: idsOfRunning,
  progress: ({ steps }) => ({ done: steps.length, message: `${count(steps.length, 'step')} so far` }),
});

export const endOfMission = (read: () => Promise<MissionTestRun>): Awaited<MissionTestRun> => ({
  read,
  running: idsOfRunning,
  progress: ({ transcript }) => ({ done: transcript.length, message: `${count(transcript.length, 'turn')} so far` }),
});

/** `read` gets the runs of a launch again. */
export const endOfRuns = (
  started: readonly TestRun[],
  read: (ids: readonly string[]) => Promise<TestRun[]>,
): Awaited<{ items: TestRun[] }> => ({
  launched: { items: [...started] },
  read: async () => ({ items: await read(started.map(({ id }) => id)) }),
  running: ({ items }) => items.flatMap(idsOfRunning),
  progress({ items }) {
    const done = items.length - items.flatMap(idsOfRunning).length;
    return { done, total: items.length, message: `${String(done)} of ${count(items.length, 'run')} ended` };
  },
});

export const endOfLoad = (read: () => Promise<LoadTest>, launched?: LoadTest): Awaited<LoadTest> => ({
  read,
  ...(launched && { launched }),
  running: idsOfRunning,
  progress({ progress: { placed = 0, active = 0, failed = 0 } = {} }) {
    const message = `${count(placed, 'call')} placed, ${String(active)} active, ${String(failed)} failed`;
    return { done: placed, message };
  },
});

const idsOfRunning = ({ id, status }: { readonly id: string; readonly status: string }): string[] =>
  status === 'running' ? [id] : [];

/** For what only an ended run allows. */
export const stillRunning = (next: string): HumanError =>
  new HumanError(`This run hasn't ended yet. Wait for it to end, then ${next}.`, {
    status: 409,
    code: 'still_running',
  });

function mappingProgress({ nodesDiscovered, callsPlaced }: Partial<MappingStats> = {}, inFlight?: number): Progress {
  const [steps = 0, calls = 0] = [nodesDiscovered, callsPlaced];
  // A tree doesn't say how many of its calls have ended.
  if (inFlight === undefined)
    return { done: steps + calls, message: `${count(steps, 'step')}, ${count(calls, 'call')} placed` };
  const ended = Math.max(0, calls - inFlight);
  return { done: steps + ended, message: `${count(steps, 'step')}, ${String(ended)} of ${count(calls, 'call')} ended` };
}
