import { join, sentence, type Sentences } from '../../base/sentences.ts';
import type { LoadStats } from '../../contract/loadTests.ts';
import { RoundedValues } from '../../model/stats/roundedValues.ts';
import type { LoadCaller } from './loadCaller.ts';

/**
 * From here on the caller is a bottleneck. One frame: packets are sent when the next ones are due, this machine uses
 * half of the called side's jitter buffer (commonly 40–60 ms), and this much of every measured time and jitter can come
 * from this machine.
 */
const LIMIT_MS = 20;
/** Packets that were never sent count as loss at the called side. The E-model registers them from about here. */
const MISSED_SHARE = 0.005;
/** Five seconds of one thread's ticks. */
const RECENT = 250;
/** Fewer ticks give no meaningful p99. */
const ENOUGH = 100;

type CallerStats = NonNullable<LoadStats['caller']>;

/** Measures how late the caller's own tick is while calls are active on it. */
export class TickWatch {
  readonly #lateness = new RoundedValues(2);
  /** The last ones, in a ring. */
  readonly #recent: number[] = [];
  #missed = 0;
  readonly #stop: () => void;

  constructor(caller: LoadCaller) {
    this.#stop = caller.watchTicks((latenessMs, missed) => {
      const lateMs = Math.max(0, latenessMs);
      this.#recent[this.#lateness.size % RECENT] = lateMs;
      this.#lateness.add(lateMs);
      this.#missed += missed;
    });
  }

  close(): void {
    this.#stop();
  }

  /** Returns the p99 of the last 250 ticks, or undefined if there are too few. */
  recentP99(): number | undefined {
    if (this.#recent.length < ENOUGH) return undefined;
    const recent = new RoundedValues(2);
    for (const lateMs of this.#recent) recent.add(lateMs);
    return recent.percentiles()?.p99;
  }

  stats(): CallerStats | undefined {
    const late = this.#lateness.percentiles();
    if (!late) return undefined;
    return {
      tickLatenessMs: late,
      ticksMissed: this.#missed,
      limited: late.p99 >= LIMIT_MS || this.#missedShare() >= MISSED_SHARE,
    };
  }

  /** Returns why the caller was the bottleneck, or undefined if it wasn't. */
  warning(): Sentences | undefined {
    const stats = this.stats();
    if (!stats?.limited) return undefined;
    const late = stats.tickLatenessMs.p99.toFixed(0);
    const missed = (100 * this.#missedShare()).toFixed(1);
    return join(
      stats.ticksMissed === 0
        ? sentence`The calling machine was the bottleneck: its 20 ms timer was ${late} ms late at p99 (limit ${LIMIT_MS} ms).`
        : sentence`The calling machine was the bottleneck: its 20 ms timer was ${late} ms late at p99 (limit ${LIMIT_MS} ms) and skipped ${missed} % of the packets.`,
      sentence`It affected the measured times, jitter and MOS. Use fewer calls, a machine with free cores, or several machines.`,
    );
  }

  #missedShare(): number {
    return this.#missed / Math.max(1, this.#lateness.size + this.#missed);
  }
}
