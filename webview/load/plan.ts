import { limits } from '../../src/contract/limits.ts';
import type { LoadTest } from '../../src/contract/loadTests.ts';
import { loadRampSeconds } from '../../src/model/calls/loadRamp.ts';

type Asked = Pick<LoadTest, 'concurrency' | 'rampSeconds' | 'holdSeconds' | 'callsPerSecond'>;

/** All calls are let go over the last second. */
const letGoSeconds = 1;

/** When the ramp is over, in seconds from T0. */
export const rampEndOf = ({ callsPerSecond = limits.loadTest.callsPerSecond.max, ...asked }: Asked): number =>
  loadRampSeconds({ ...asked, callsPerSecond });

/** How long the test takes if nothing ends it early, in seconds. */
export const plannedSecondsOf = (asked: Asked): number =>
  Math.ceil(rampEndOf(asked) + asked.holdSeconds + letGoSeconds);

/** How long it took, in seconds; undefined while it runs. */
export const lengthOf = ({
  startedAt,
  completedAt,
}: Pick<LoadTest, 'startedAt' | 'completedAt'>): number | undefined =>
  completedAt === undefined ? undefined : Math.max(0, (Date.parse(completedAt) - Date.parse(startedAt)) / 1000);
