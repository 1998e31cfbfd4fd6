import type { LoadAbort, LoadStats } from '../../contract/loadTests.ts';
import type { Clock } from '../../base/clock.ts';
import type { CallPlan, LoadCaller } from './loadCaller.ts';

export interface LoadOptions extends CallPlan {
  /** Places the calls: an agent of this thread, or threads of their own. The run does not close it. */
  readonly caller: LoadCaller;
  readonly clock?: Clock;
  /** Aborting hangs up every call within 2 s. */
  readonly signal: AbortSignal;
  /** Calls at once. */
  readonly concurrency: number;
  /** The calls start evenly over this time. */
  readonly rampSeconds: number;
  /** How long they are held once the last has been placed. */
  readonly holdSeconds: number;
  /** Calls are never placed faster than this; stretches the ramp where it must. Default 50. */
  readonly callsPerSecond?: number | undefined;
  /** A call that ends before the end of the hold is followed by another. */
  readonly replace?: boolean | undefined;
  /**
   * Share of failed calls over at least so many that came to an outcome; p99 lateness of our own last 250 ticks (5 s of
   * one thread).
   */
  readonly abortWhen?: LoadAbort | undefined;
  /**
   * Seconds of calls, each from its answer to its end. When they are used up, no more calls are placed and all calls
   * are hung up.
   */
  readonly budgetSeconds?: number;
  /** T0 on `clock`, that several callers can share; default now. Nothing is placed before. */
  readonly startAt?: number;
}

export interface LoadProgress {
  readonly placed: number;
  readonly answered: number;
  /** Answered and not yet ended. */
  readonly active: number;
  readonly failed: number;
}

export type LoadEvent =
  /** `t0` is on the clock of the options. */
  | { readonly type: 'started'; readonly t0: number }
  /** Each second. */
  | ({ readonly type: 'progress'; readonly second: number } & LoadProgress)
  /**
   * The last event. `aborted`: by the signal, a condition or the budget, as `reason` says; `failed`: the options make
   * no sense, and nothing was placed.
   */
  | {
      readonly type: 'ended';
      readonly status: 'completed' | 'aborted' | 'failed';
      readonly reason?: string;
      readonly endedBy?: 'budget';
      readonly stats: LoadStats;
    };
