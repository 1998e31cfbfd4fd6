import { limits } from '../../src/contract/limits.ts';
import type { LoadTest } from '../../src/contract/loadTests.ts';
import { loadRampSeconds } from '../../src/model/calls/loadRamp.ts';

type Asked = Pick<LoadTest, 'concurrency' | 'rampSeconds' | 'holdSeconds' | 'callsPerSecond'>;

/** All calls are hung up over the last second. */
const letGoSeconds = 1;

/** Returns the end of the ramp, in seconds from T0. */
export const rampEndOf = ({ callsPerSecond = limits.loadTest.callsPerSecond.max, ...asked }: Asked): number =>
  loadRampSeconds({ ...asked, callsPerSecond });

/** Returns the length of the test if nothing ends it early, in seconds. */
export const plannedSecondsOf = (asked: Asked): number =>
  Math.ceil(rampEndOf(asked) + asked.holdSeconds + letGoSeconds);

/** Returns its actual length, in seconds, or undefined while it runs. */
export const lengthOf = ({
  startedAt,
  completedAt,
}: Pick<LoadTest, 'startedAt' | 'completedAt'>): number | undefined =>
  completedAt === undefined ? undefined : Math.max(0, (Date.parse(completedAt) - Date.parse(startedAt)) / 1000);
