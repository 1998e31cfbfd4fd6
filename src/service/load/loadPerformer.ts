import { availableParallelism } from 'node:os';
import type { CallerThreads } from '../../engine/load/callerThreads.ts';
import { runLoad } from '../../engine/load/runLoad.ts';
import { peakCalls } from '../../model/calls/loadCourse.ts';
import type { PerformLoad } from './loadRuns.ts';

/** As many as one thread sends comfortably within its tick. */
const callsOfThread = 500;
/** One core is left for the rest of this process and of the machine. */
const mostThreads = (): number => Math.max(1, availableParallelism() - 1);
const threadsFor = (calls: number): number => Math.max(1, Math.min(Math.ceil(calls / callsOfThread), mostThreads()));

/** Calls of load tests that a process on this machine places well at a time. */
export const callsOfMachine = (): number => callsOfThread * mostThreads();

/** Starts threads for this many calls. */
export type StartCallers = (calls: number) => Promise<CallerThreads>;

/** Calls are placed in separate threads, so that they don't wait for other work of this process. */
export const createCallers =
  (workerUrl: URL, host: string): StartCallers =>
  async (calls) => {
    const { startCallerThreads } = await import('../../engine/load/callerThreads.ts');
    return await startCallerThreads({ workerUrl, threads: threadsFor(calls), agent: { host } });
  };

export const createLoadPerformer = (startCallers: StartCallers): PerformLoad =>
  async function* (options, distribute) {
    const calls = peakCalls(options);
    const local = await startCallers(calls);
    try {
      const caller = (await distribute?.(local, calls)) ?? local;
      try {
        yield* runLoad({ ...options, caller });
      } finally {
        await caller.close();
      }
    } finally {
      await local.close();
    }
  };
