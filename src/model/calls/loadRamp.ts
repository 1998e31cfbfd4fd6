/**
 * Returns how long the calls of a load test take to start, in seconds. A ramp that would exceed `callsPerSecond` is
 * extended.
 */
export const loadRampSeconds = ({
  concurrency,
  rampSeconds,
  callsPerSecond,
}: {
  readonly concurrency: number;
  readonly rampSeconds: number;
  readonly callsPerSecond: number;
}): number => Math.max(rampSeconds, (concurrency - 1) / callsPerSecond);
