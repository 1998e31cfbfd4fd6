import type { LoadStats } from '../../contract/loadTests.ts';
import { roundedPercentiles } from './figures.ts';
import type { LoadCaller } from './loadCaller.ts';

/**
 * From here on the caller is a bottleneck. One frame: packets leave when the next ones are due, the far side's jitter
 * buffer (commonly 40–60 ms) is half used up by us, and so much of every time and jitter measured may be our own.
 */
const LIMIT_MS = 20;
/** Packets that were never sent are loss to the far side; the E-model hears it from about here. */
const MISSED_SHARE = 0.005;
/** Five seconds of one thread's ticks. */
const RECENT = 250;
/** So few say nothing of a p99. */
const ENOUGH = 100;

type CallerStats = NonNullable<LoadStats['caller']>;

/** How late the caller's own tick is while calls are on it. */
export class TickWatch {
  readonly #lateness: number[] = [];
  #missed = 0;
  readonly #stop: () => void;

  constructor(caller: LoadCaller) {
    this.#stop = caller.watchTicks((latenessMs, missed) => {
      this.#lateness.push(Math.max(0, latenessMs));
      this.#missed += missed;
    });
  }

  close(): void {
    this.#stop();
  }

  /** p99 of the last 250 ticks; undefined while that would be of too few. */
  recentP99(): number | undefined {
    return this.#lateness.length < ENOUGH ? undefined : roundedPercentiles(this.#lateness.slice(-RECENT), 2)?.p99;
  }

  stats(): CallerStats | undefined {
    const late = roundedPercentiles(this.#lateness, 2);
    if (!late) return undefined;
    return {
      tickLatenessMs: late,
      ticksMissed: this.#missed,
      limited: late.p99 >= LIMIT_MS || this.#missedShare() >= MISSED_SHARE,
    };
  }

  /** Why the caller was the bottleneck; undefined where it was not. */
  warning(): string | undefined {
    const stats = this.stats();
    if (!stats?.limited) return undefined;
    const late = `its 20 ms timer was ${stats.tickLatenessMs.p99.toFixed(0)} ms late at p99 (limit ${String(LIMIT_MS)} ms)`;
    const missed =
      stats.ticksMissed === 0 ? '' : ` and skipped ${(100 * this.#missedShare()).toFixed(1)} % of the packets`;
    return `The calling machine was the bottleneck: ${late}${missed}. It affected the measured times, jitter and MOS. Use fewer calls, a machine with free cores, or several machines.`;
  }

  #missedShare(): number {
    return this.#missed / Math.max(1, this.#lateness.length + this.#missed);
  }
}
