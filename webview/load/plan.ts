import { limits } from '../../src/contract/limits.ts';
import type { LoadTest } from '../../src/contract/loadTests.ts';
import { courseSeconds, timedStages, type LoadCourse } from '../../src/model/calls/loadCourse.ts';

type PlannedStages = Pick<LoadTest, 'concurrency' | 'rampSeconds' | 'holdSeconds' | 'callsPerSecond' | 'stages'>;

/** All calls are hung up over the last second. */
const letGoSeconds = 1;

const courseOf = ({ callsPerSecond = limits.loadTest.callsPerSecond.max, ...asked }: PlannedStages): LoadCourse => ({
  ...asked,
  callsPerSecond,
});

/** Returns the stages with their times, in seconds from T0. */
export const stagesOf = (asked: PlannedStages): ReturnType<typeof timedStages> => timedStages(courseOf(asked));

/** Returns the length of the test if nothing ends it early, in seconds. */
export const plannedSecondsOf = (asked: PlannedStages): number =>
  Math.ceil(courseSeconds(courseOf(asked)) + letGoSeconds);

/** Returns its actual length, in seconds, or undefined while it runs. */
export const lengthOf = ({
  startedAt,
  completedAt,
}: Pick<LoadTest, 'startedAt' | 'completedAt'>): number | undefined =>
  completedAt === undefined ? undefined : Math.max(0, (Date.parse(completedAt) - Date.parse(startedAt)) / 1000);
