import { because, sentencesOf, type Reason } from '../../base/sentences.ts';
import type { TestStep } from '../../contract/testConfigs.ts';
import type { RunOutcome, StepResult } from '../../contract/testRuns.ts';
import type { LoadReference } from './reference.ts';
import type { CallerOptions } from '../call/activeCall.ts';
import type { CallEnd, CallerAccount, OutgoingCallOptions, RtpStats } from '../../telephony/call.ts';

/** Keys that a call presses this long after its answer; `digits` as in `CallLeg.sendDigits`. */
export interface LoadKeys {
  readonly afterSeconds: number;
  readonly digits: string;
}

/** A scripted test that each call carries out. Plain data. The last two are as in `TestCallOptions`. */
export interface LoadScript {
  readonly steps: readonly TestStep[];
  /** Values for `{column}`. */
  readonly row?: Readonly<Record<string, string>> | undefined;
  readonly reference: LoadReference;
  readonly forbiddenKeys?: string | undefined;
  readonly patienceMs?: number | undefined;
}

/** The end of a call that didn't pass: both sides in µ-law at 8 kHz, of the same length. */
export interface CallExample {
  readonly us: Uint8Array;
  readonly them: Uint8Array;
  /** Where the failed step begins. */
  readonly stepMs: number;
}

export interface LoadTestResult extends Reason {
  readonly outcome: RunOutcome;
  readonly steps: readonly (Pick<StepResult, 'outcome' | 'latencyMs' | 'optional'> & { readonly reached: boolean })[];
  /** Index of the first step that didn't pass, if it wasn't optional. */
  readonly failedStep?: number;
  /** The failed step heard another prompt than the reference. */
  readonly isOtherPrompt?: boolean | undefined;
  /** The share of the call's packets that were lost or late. */
  readonly lossShare?: number;
  /** To listen to, from a call without secrets. */
  readonly example?: CallExample | undefined;
  /** The load test ended before this call's test did, so it proves nothing. */
  readonly unfinished: boolean;
}

/** Why a call ends that is still carrying out its test. */
export const holdOver = 'The load test ended before this call had finished its test.';
export const brokenTest = (error: unknown): LoadTestResult => ({
  outcome: 'ERROR',
  ...because(sentencesOf(error)),
  steps: [],
  unfinished: false,
});

/** The figures of a call without audio. */
export const noRtp: RtpStats = {
  sent: 0,
  received: 0,
  lost: 0,
  late: 0,
  concealed: 0,
  jitterMs: 0,
  tickLatenessMs: 0,
};

/** The actions of every call of a load test. Plain data. */
export interface CallPlan {
  /** SIP URI. */
  readonly target: string;
  readonly keys?: readonly LoadKeys[] | undefined;
  /** The length of tones and of the gaps after them. */
  readonly keyTiming?: CallerOptions['keys'] | undefined;
  /** Hangs up this long after the answer; default at the end of the hold. With `replace`, for a steady rate. */
  readonly callSeconds?: number | undefined;
  /** The call ends when its test does. */
  readonly script?: LoadScript | undefined;
  /** If its test doesn't pass, the end of the call is passed on as an example, unless it contains a secret. */
  readonly isExample?: boolean;
  readonly call?: (CallerAccount & Pick<OutgoingCallOptions, 'answerTimeoutMs'>) | undefined;
}

/** The measurements of one call; times in milliseconds on the clock of the run. Plain data. */
export interface LoadCallRecord {
  readonly placedAt: number;
  readonly ringAt?: number | undefined;
  readonly answeredAt?: number | undefined;
  /** The first audio above the noise of the line. */
  readonly promptAt?: number | undefined;
  readonly endedAt: number;
  readonly end: CallEnd;
  /** Dialtree had begun to hang up before it ended. */
  readonly letGo: boolean;
  readonly rtp: RtpStats;
  /** Only for a call that carries out a test. */
  readonly test?: LoadTestResult | undefined;
}

export interface LoadCallListener {
  readonly onAnswered: () => void;
  /** Called once, after everything else. */
  readonly onEnded: (record: LoadCallRecord) => void;
}

/** Where a load test's calls are placed. */
export interface LoadCaller {
  /** Never calls the listener before `place` has returned. `hangUp` ends the call within 2 s in any case. */
  place(plan: CallPlan, listener: LoadCallListener): { readonly hangUp: () => void };
  /** Like `Pacer.watch`, for every tick that sends for these calls. */
  watchTicks(watcher: (latenessMs: number, missed: number) => void): () => void;
}
