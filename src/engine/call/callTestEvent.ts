import type { Reason } from '../../base/sentences.ts';
import type { HangUp, RunOutcome, StepResult, Turn } from '../../contract/testRuns.ts';
import type { CallAudio } from './callAudio.ts';

export type CallTestEvent =
  | { readonly type: 'turn'; readonly turn: Turn }
  | { readonly type: 'step'; readonly index: number; readonly result: StepResult }
  /** The words so far of an utterance that isn't over, or none. A turn with all its words follows. */
  | { readonly type: 'hearing'; readonly text: string }
  /** Once, before the end, if the call was answered, or something was said before it was refused. */
  | { readonly type: 'audio'; readonly audio: CallAudio }
  | { readonly type: 'ended'; readonly ended: CallTestEnd };

export interface CallTestEnd extends Reason {
  readonly outcome: RunOutcome;
  /** Dialtree ended it because its seconds were used up. */
  readonly endedBy?: 'budget';
  readonly steps: readonly StepResult[];
  readonly transcript: readonly Turn[];
  readonly postDialMs?: number | undefined;
  readonly callSeconds: number;
  readonly hangUp?: HangUp | undefined;
}
