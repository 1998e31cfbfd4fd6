import { availableParallelism } from 'node:os';
import { callingHosts } from '../../base/loopback.ts';
import { runLoad } from '../../engine/load/runLoad.ts';
import { peakCalls } from '../../model/calls/loadCourse.ts';
import type { PerformLoad } from './loadRuns.ts';

/** As many as one thread sends comfortably within its tick. */
const callsOfThread = 500;
/** One core is left for the rest of this process and of the machine. */
const mostThreads = (): number => Math.max(1, availableParallelism() - 1);
const threadsFor = (calls: number): number => Math.max(1, Math.min(Math.ceil(calls / callsOfThread), mostThreads()));

/** Calls are placed in separate threads, so that they don't wait for other work of this process. */
export const createLoadPerformer = (workerUrl: URL, leavesMachine: boolean): PerformLoad =>
  async function* ({ caller: given, ...options }) {
    if (given) {
      yield* runLoad({ ...options, caller: given });
      return;
    }
    const { startCallerThreads } = await import('../../engine/load/callerThreads.ts');
    const caller = await startCallerThreads({
      workerUrl,
      threads: threadsFor(peakCalls(options)),
      agent: callingHosts(leavesMachine),
    });
    try {
      yield* runLoad({ ...options, caller });
    } finally {
      await caller.close();
    }
  };
