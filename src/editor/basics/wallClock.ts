import { sleep, systemClock, type Clock } from '../../base/clock.ts';

/** Timers and the time of day, because people read when something happened. Tests use their own. */
export interface WallClock extends Clock {
  /** Milliseconds since 1970, UTC. A test can begin at another time. */
  now(): number;
}

export const systemWallClock: WallClock = { ...systemClock, now: () => Date.now() };

/** Calls `run` once after `milliseconds`, unless the returned function is called before. */
export function after(clock: Omit<WallClock, 'now'>, milliseconds: number, run: () => void): () => void {
  const timer = clock.setTimeout(run, milliseconds);
  return () => clock.clearTimeout(timer);
}

/** Resolves after `milliseconds`, or as soon as `signal` aborts. */
export const pause = (clock: WallClock, milliseconds: number, signal: AbortSignal): Promise<void> =>
  sleep(clock, milliseconds, signal).catch(() => undefined);
