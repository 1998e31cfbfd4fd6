import type { LoadStage } from '../../contract/loadTests.ts';

/** How many simultaneous calls a load test has, and when. Its own ramp and hold are the first stage. */
export interface LoadCourse extends LoadStage {
  readonly callsPerSecond: number;
  readonly stages?: readonly LoadStage[] | undefined;
}

/** A stage of the course. Times are seconds from T0. */
interface TimedStage extends LoadStage {
  /** Simultaneous calls before it. */
  readonly from: number;
  readonly startsAt: number;
  /** A ramp that would exceed `callsPerSecond` is extended. */
  readonly rampEndsAt: number;
  readonly endsAt: number;
}

export function timedStages({ callsPerSecond, stages = [], ...first }: LoadCourse): [TimedStage, ...TimedStage[]] {
  const timed = (stage: LoadStage, from: number, startsAt: number): TimedStage => {
    const { concurrency, rampSeconds, holdSeconds } = stage;
    const rampEndsAt = startsAt + Math.max(rampSeconds, (concurrency - from - 1) / callsPerSecond);
    return { concurrency, rampSeconds, holdSeconds, from, startsAt, rampEndsAt, endsAt: rampEndsAt + holdSeconds };
  };
  let last = timed(first, 0, 0);
  return [last, ...stages.map((stage) => (last = timed(stage, last.concurrency, last.endsAt)))];
}

export const peakCalls = ({ concurrency, stages = [] }: Pick<LoadCourse, 'concurrency' | 'stages'>): number =>
  Math.max(concurrency, ...stages.map((stage) => stage.concurrency));

/** Returns how many calls the course needs if none ends before it has to. */
export function fewestCalls({ concurrency, stages = [] }: Pick<LoadCourse, 'concurrency' | 'stages'>): number {
  let [calls, before] = [concurrency, concurrency];
  for (const stage of stages) {
    calls += Math.max(0, stage.concurrency - before);
    before = stage.concurrency;
  }
  return calls;
}

/** Returns the time from T0 to the end of the last hold, in seconds. */
export const courseSeconds = (course: LoadCourse): number =>
  Math.max(...timedStages(course).map(({ endsAt }) => endsAt));

/** Returns the least seconds of a call that isn't hung up on the way down: from the last ramp up to the end. */
export function secondsForEachCall(course: LoadCourse): number {
  const lastRise = timedStages(course).findLast(({ concurrency, from }) => concurrency > from);
  return lastRise ? courseSeconds(course) - lastRise.rampEndsAt : 0;
}
