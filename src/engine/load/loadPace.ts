import { limits } from '../../contract/limits.ts';
import { timedStages, type LoadCourse } from '../../model/calls/loadCourse.ts';

/** A call can be this early if the one before was late: timers are coarse, and the average rate must be right. */
const CATCH_UP_MS = 20;
/** The lowest rate that a load test can have. */
const longestGapMs = 1000 / limits.loadTest.callsPerSecond.min;

interface LoadPaceOptions extends Omit<LoadCourse, 'holdSeconds'> {
  /** The hold of the first stage; default 0. */
  readonly holdSeconds?: number;
  /** Calls above the target aren't hung up: they end by themselves. */
  readonly finishesCalls?: boolean;
}

/** The target rises or drops by one call at a time, first at the start, then every `stepMs`. */
interface Ramp {
  readonly startsAt: number;
  readonly stepMs: number;
  readonly rises: number;
  readonly drops: number;
  /** In all ramps before it. */
  readonly risesBefore: number;
  readonly dropsBefore: number;
}

/**
 * Decides when calls are due, and when there are too many. The target is how many simultaneous calls the course has at
 * that time. All times are milliseconds on one clock.
 */
export class LoadPace {
  #gapMs: number;
  readonly #t0: number;
  readonly #ramps: readonly Ramp[];
  readonly #rises: number;
  readonly #finishesCalls: boolean;
  /** When the last of the first calls is due, or the end of the first ramp, whichever is later. */
  readonly rampEnd: number;
  /** The end of the last hold. */
  readonly end: number;
  /** Rises and drops of the target that have been carried out. */
  #risen = 0;
  #dropped = 0;
  /** Calls below the target: to be replaced, or not. */
  #owed = 0;
  #missing = 0;
  /** Calls above the target. */
  #surplus = 0;
  #earliest: number;

  constructor({ finishesCalls = false, holdSeconds = 0, ...course }: LoadPaceOptions, t0: number) {
    const stages = timedStages({ ...course, holdSeconds });
    let [risesBefore, dropsBefore] = [0, 0];
    this.#ramps = stages.map(({ from, concurrency, rampSeconds, startsAt }) => {
      const rises = Math.max(0, concurrency - from);
      const drops = Math.max(0, from - concurrency);
      const stepMs = (rampSeconds * 1000) / Math.max(1, rises + drops);
      const ramp = { startsAt: t0 + 1000 * startsAt, stepMs, rises, drops, risesBefore, dropsBefore };
      risesBefore += rises;
      dropsBefore += drops;
      return ramp;
    });
    this.#rises = risesBefore;
    this.#finishesCalls = finishesCalls;
    this.#gapMs = 1000 / course.callsPerSecond;
    this.#t0 = t0;
    this.#earliest = t0;
    this.rampEnd = t0 + 1000 * stages[0].rampEndsAt;
    this.end = t0 + 1000 * Math.max(...stages.map(({ endsAt }) => endsAt));
  }

  /** No stage needs another call, and all calls that ended have been replaced. */
  get satisfied(): boolean {
    return this.#risen >= this.#rises && this.#owed === 0;
  }

  /** One more call replaces one that ended, unless there were too many. */
  owe(): void {
    if (this.#surplus > 0) this.#surplus -= 1;
    else this.#owed += 1;
  }

  /** A call has ended and isn't replaced. */
  lose(): void {
    if (this.#surplus > 0) this.#surplus -= 1;
    else this.#missing += 1;
  }

  /** Returns when the next call is due, or undefined if none is. */
  next(): number | undefined {
    const scheduled = this.#nextRise();
    if (scheduled !== undefined) return Math.max(this.#owed > 0 ? this.#t0 : scheduled, this.#earliest);
    return this.#owed > 0 ? this.#earliest : undefined;
  }

  /** Places calls half as often from now on. Returns the new rate, in calls per second. */
  halve(): number {
    this.#gapMs = Math.min(longestGapMs, this.#gapMs * 2);
    return 1000 / this.#gapMs;
  }

  /** Takes the call that is due. Returns false if a call that is above the target takes its place. */
  take(now: number): boolean {
    const rise = this.#nextRise();
    // The ramp comes first: a call that ended is replaced only if no other call is due.
    if (rise !== undefined && now >= rise) {
      this.#risen += 1;
      if (this.#surplus > 0) {
        this.#surplus -= 1;
        return false;
      }
    } else this.#owed -= 1;
    this.#earliest = Math.max(this.#earliest + this.#gapMs, now + this.#gapMs - CATCH_UP_MS);
    return true;
  }

  /** Returns when the target drops next, or undefined if it doesn't. */
  nextDrop(): number | undefined {
    const ramp = this.#nextDropRamp();
    return ramp && ramp.startsAt + (this.#dropped - ramp.dropsBefore) * ramp.stepMs;
  }

  /** Lowers the target to its value at this time. Returns how many calls are to be hung up. */
  drop(now: number): number {
    for (let ramp = this.#nextDropRamp(); ramp && (this.nextDrop() ?? now) <= now; ramp = this.#nextDropRamp()) {
      this.#dropped += 1;
      // A call that hasn't been placed yet, or has ended, is the first to go.
      if (this.#risen < ramp.risesBefore) this.#risen += 1;
      else if (this.#owed > 0) this.#owed -= 1;
      else if (this.#missing > 0) this.#missing -= 1;
      else this.#surplus += 1;
    }
    if (this.#finishesCalls) return 0;
    const surplus = this.#surplus;
    this.#surplus = 0;
    return surplus;
  }

  #nextRise(): number | undefined {
    const ramp = this.#ramps.find(({ risesBefore, rises }) => this.#risen < risesBefore + rises);
    return ramp && ramp.startsAt + (this.#risen - ramp.risesBefore) * ramp.stepMs;
  }

  #nextDropRamp(): Ramp | undefined {
    return this.#ramps.find(({ dropsBefore, drops }) => this.#dropped < dropsBefore + drops);
  }
}
