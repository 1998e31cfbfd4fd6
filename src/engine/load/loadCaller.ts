import type { Manner } from '../call/talk.ts';
import type { CallEnd, CallerAccount, OutgoingCallOptions, RtpStats } from '../../telephony/call.ts';

/** Keys that a call presses: `digits` as in `CallLeg.sendDigits`, so long after its answer. */
export interface LoadKeys {
  readonly afterSeconds: number;
  readonly digits: string;
}

/** What every call of a load test does. Plain data. */
export interface CallPlan {
  /** SIP URI. */
  readonly target: string;
  readonly keys?: readonly LoadKeys[] | undefined;
  /** How long the tones of keys and the silences after them are. */
  readonly keyTiming?: Manner['keys'];
  /**
   * A call is hung up so long after its answer; default at the end of the hold. With `replace` this makes a steady rate
   * of new calls.
   */
  readonly callSeconds?: number | undefined;
  readonly call?: CallerAccount & Pick<OutgoingCallOptions, 'answerTimeoutMs'>;
}

/** What one call was like; times in milliseconds on the clock of the run. Plain data. */
export interface LoadCallRecord {
  readonly placedAt: number;
  readonly ringAt?: number;
  readonly answeredAt?: number;
  /** The first audio above the noise of the line. */
  readonly promptAt?: number;
  readonly endedAt: number;
  readonly end: CallEnd;
  /** We had begun to hang up before it ended. */
  readonly letGo: boolean;
  readonly rtp: RtpStats;
}

export interface LoadCallListener {
  readonly onAnswered: () => void;
  /** Once, after everything else. */
  readonly onEnded: (record: LoadCallRecord) => void;
}

/** Where the calls of a load test are made. */
export interface LoadCaller {
  /**
   * The listener hears nothing before `place` has returned. `hangUp` ends the call within 2 s, whatever the far side
   * does.
   */
  place(plan: CallPlan, listener: LoadCallListener): { readonly hangUp: () => void };
  /** As `Pacer.watch`, of every tick that sends for these calls. */
  watchTicks(watcher: (latenessMs: number, missed: number) => void): () => void;
}
