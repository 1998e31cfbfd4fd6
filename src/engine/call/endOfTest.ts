import type { StepResult } from '../../contract/testRuns.ts';
import type { CallAudio } from './callAudio.ts';
import type { CallTestEnd, CallTestEvent } from './callTestEvent.ts';

interface TestListener {
  readonly onStep?: ((result: StepResult) => void) | undefined;
  /** Receives both sides of the call, without what is secret. */
  readonly onAudio?: ((audio: CallAudio) => void) | undefined;
}

/** Returns how a test ended, after all its events. */
export async function endOfTest(
  events: AsyncIterable<CallTestEvent>,
  { onStep, onAudio }: TestListener = {},
): Promise<CallTestEnd> {
  for await (const event of events) {
    if (event.type === 'step') onStep?.(event.result);
    if (event.type === 'audio') onAudio?.(event.audio);
    if (event.type === 'ended') return event.ended;
  }
  throw new Error('The test ended without a result.');
}
