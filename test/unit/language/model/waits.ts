import type { Clock } from '../../../../src/base/clock.ts';

/** A clock whose waits between retries pass immediately, each recorded, and whose deadlines never come. */
export function waitingClock(deadlineMs: number): Clock & { readonly waits: readonly number[] } {
  const waits: number[] = [];
  return {
    waits,
    now: () => waits.reduce((sum, ms) => sum + ms, 0),
    setTimeout(callback, delayMs) {
      if (delayMs >= deadlineMs) return 0;
      waits.push(delayMs);
      return setImmediate(callback);
    },
    clearTimeout(handle) {
      if (typeof handle === 'object') clearImmediate(handle as NodeJS.Immediate);
    },
  };
}
