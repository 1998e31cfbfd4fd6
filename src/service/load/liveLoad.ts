import { because, join, reasonOf, type Reason } from '../../base/sentences.ts';
import { HumanError } from '../../contract/errors.ts';
import { limits } from '../../contract/limits.ts';
import type { RunOutcome } from '../../contract/testRuns.ts';
import { peakCalls, type LoadCourse } from '../../model/calls/loadCourse.ts';
import { recognitionThreads } from '../../speech/recognitionThreads.ts';
import { reasonOfVerdict, type TestPlan } from '../store/storedPlan.ts';
import type { PlanEvent } from '../testing/testPlan.ts';

/** A script's prompts are known by their sound. A mission and a probe need the words of each call. */
export const isHeardLive = ({ type }: Pick<TestPlan, 'type'>): boolean => type !== 'script';

/**
 * Simultaneous calls that this machine recognises in time. For each recognition thread, these are as many as a mapping
 * has by default, which hears its calls in the same way.
 */
export const liveCallsAtMost = (): number => recognitionThreads() * limits.concurrency.default;

export const liveCallsText = (): string =>
  `A mission or a probe under load can have at most ${String(liveCallsAtMost())} simultaneous calls, because each call is heard live.`;

/** @throws HumanError 400 `invalid_request` if the calls are heard live, and are too many for that */
export function assertHearsAll(
  plans: readonly Pick<TestPlan, 'type'>[],
  load: Pick<LoadCourse, 'concurrency' | 'stages'>,
): void {
  if (plans.some(isHeardLive) && peakCalls(load) > liveCallsAtMost())
    throw new HumanError(`${liveCallsText()} Lower concurrency, also of the stages.`, {
      status: 400,
      code: 'invalid_request',
    });
}

/** Returns the verdict on a call, after all its events. */
export async function verdictOf(events: AsyncIterable<PlanEvent>): Promise<Reason & { readonly outcome: RunOutcome }> {
  for await (const event of events) {
    if (event.type !== 'ended') continue;
    const { outcome, mission, ...ended } = event.ended;
    const why = reasonOfVerdict(mission) ?? reasonOf(ended) ?? join();
    return { outcome, ...(outcome !== 'PASS' && why.parts.length > 0 && because(why)) };
  }
  throw new Error('the test ended without saying how');
}
