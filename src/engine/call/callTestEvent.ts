import type { HangUp, RunOutcome, StepResult, Turn } from '../../contract/testRuns.ts';
import type { CallAudio } from './callAudio.ts';

/** What one call of a test tells as it goes on, and how it ended. */
export type CallTestEvent =
  | { readonly type: 'turn'; readonly turn: Turn }
  | { readonly type: 'step'; readonly index: number; readonly result: StepResult }
  /** Once, before the end, where a call was answered. */
  | { readonly type: 'audio'; readonly audio: CallAudio }
  | { readonly type: 'ended'; readonly ended: CallTestEnd };

export interface CallTestEnd {
  readonly outcome: RunOutcome;
  readonly reason?: string;
  /** We ended it, since its seconds were used up. */
  readonly endedBy?: 'budget';
  readonly steps: readonly StepResult[];
  readonly transcript: readonly Turn[];
  readonly postDialMs?: number;
  readonly callSeconds: number;
  readonly hangUp?: HangUp;
}
