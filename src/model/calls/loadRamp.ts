/**
 * How long the calls of a load test take to start, in seconds: a ramp that would place more than `callsPerSecond` is
 * stretched.
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
