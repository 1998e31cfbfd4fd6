import type { CallerOptions } from '../call/talk.ts';
import type { CallEnd, CallerAccount, OutgoingCallOptions, RtpStats } from '../../telephony/call.ts';

/** Keys that a call presses this long after its answer; `digits` as in `CallLeg.sendDigits`. */
export interface LoadKeys {
  readonly afterSeconds: number;
  readonly digits: string;
}

/** The actions of every call of a load test. Plain data. */
export interface CallPlan {
  /** SIP URI. */
  readonly target: string;
  readonly keys?: readonly LoadKeys[] | undefined;
  /** The length of tones and of the gaps after them. */
  readonly keyTiming?: CallerOptions['keys'];
  /**
   * A call is hung up this long after its answer; default at the end of the hold. With `replace`, this makes a steady
   * rate of new calls.
   */
  readonly callSeconds?: number | undefined;
  readonly call?: CallerAccount & Pick<OutgoingCallOptions, 'answerTimeoutMs'>;
}

/** The measurements of one call; times in milliseconds on the clock of the run. Plain data. */
export interface LoadCallRecord {
  readonly placedAt: number;
  readonly ringAt?: number;
  readonly answeredAt?: number;
  /** The first audio above the noise of the line. */
  readonly promptAt?: number;
  readonly endedAt: number;
  readonly end: CallEnd;
  /** Dialtree had begun to hang up before it ended. */
  readonly letGo: boolean;
  readonly rtp: RtpStats;
}

export interface LoadCallListener {
  readonly onAnswered: () => void;
  /** Called once, after everything else. */
  readonly onEnded: (record: LoadCallRecord) => void;
}

/** Where a load test's calls are placed. */
export interface LoadCaller {
  /**
   * The listener isn't called before `place` has returned. `hangUp` ends the call within 2 s, even if the called side
   * doesn't respond.
   */
  place(plan: CallPlan, listener: LoadCallListener): { readonly hangUp: () => void };
  /** Like `Pacer.watch`, for every tick that sends for these calls. */
  watchTicks(watcher: (latenessMs: number, missed: number) => void): () => void;
}
