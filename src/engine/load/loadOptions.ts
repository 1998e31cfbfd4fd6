import type { Reason } from '../../base/sentences.ts';
import type { LoadAbort, LoadCriteria, LoadStats } from '../../contract/loadTests.ts';
import type { Clock } from '../../base/clock.ts';
import type { LoadCourse } from '../../model/calls/loadCourse.ts';
import type { CallExample, CallPlan, LoadCaller, LoadScript } from './loadCaller.ts';

export interface LoadOptions extends Omit<CallPlan, 'script' | 'isExample'> {
  /** The test that the calls carry out, for each of its rows. Empty if the caller knows what they carry out. */
  readonly scripts?: readonly LoadScript[] | undefined;
  /** Calls that don't pass it are passed on as examples: the first five. */
  readonly keepsExamples?: boolean;
  /** Whether the calls take the rows in turn (default) or at random. */
  readonly rowOrder?: 'inOrder' | 'random' | undefined;
  /** From 0 up to, but not including, 1; default `Math.random`. */
  readonly random?: () => number;
  /** Places the calls, with an agent in this thread or in separate threads. The run doesn't close it. */
  readonly caller: LoadCaller;
  readonly clock?: Clock;
  /** Aborting hangs up every call within 2 s. */
  readonly signal: AbortSignal;
  /** Simultaneous calls. */
  readonly concurrency: number;
  /** The calls start evenly over this time. */
  readonly rampSeconds: number;
  /** How long they are held after the last one has been placed. */
  readonly holdSeconds: number;
  /**
   * What follows this ramp and hold. On the way down, the calls that were placed first are hung up, except those that
   * carry out a test: these end by themselves.
   */
  readonly stages?: LoadCourse['stages'];
  /** Calls are never placed faster than this; it extends the ramp if necessary. Default 50. */
  readonly callsPerSecond?: number | undefined;
  /** A call that ends before the end of the last hold is replaced by another, except above the current target. */
  readonly replace?: boolean | undefined;
  /**
   * The share of failed calls, after at least this many outcomes, and the p99 lateness of this machine's last 250 ticks
   * (5 s of one thread).
   */
  readonly abortWhen?: LoadAbort | undefined;
  /** Limits of the figures, for a verdict. */
  readonly criteria?: LoadCriteria | undefined;
  /** Seconds of calls from answer to end. Once they are used up, no call is placed and all are hung up. */
  readonly budgetSeconds?: number;
  /** T0 on `clock`, which several callers can share; default now. No call is placed earlier. */
  readonly startAt?: number;
}

export interface LoadProgress {
  readonly placed: number;
  readonly answered: number;
  /** Answered, and not yet ended. */
  readonly active: number;
  readonly failed: number;
}

export type LoadEvent =
  /** `t0` is on the clock of the options. */
  | { readonly type: 'started'; readonly t0: number }
  /** Once per second. */
  | ({ readonly type: 'progress'; readonly second: number } & LoadProgress)
  /** `call` counts from 1. */
  | ({ readonly type: 'example'; readonly call: number } & CallExample)
  /**
   * The last event. `aborted`: by the signal, a condition or the budget, as `reason` says. `failed`: the options aren't
   * valid, and no call was placed; or `fault` is an internal error.
   */
  | ({
      readonly type: 'ended';
      readonly status: 'completed' | 'aborted' | 'failed';
      readonly endedBy?: 'budget' | undefined;
      readonly fault?: unknown;
      readonly stats: LoadStats;
    } & Reason);
