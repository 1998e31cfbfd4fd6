import type { StepResult } from '../../contract/testRuns.ts';
import type { CallTestEnd, CallTestEvent } from './callTestEvent.ts';

/** Returns how a test ended, after all its events. */
export async function endOfTest(
  events: AsyncIterable<CallTestEvent>,
  onStep: (result: StepResult) => void = () => undefined,
): Promise<CallTestEnd> {
  for await (const event of events) {
    if (event.type === 'step') onStep(event.result);
    if (event.type === 'ended') return event.ended;
  }
  throw new Error('The test ended without a result.');
}
