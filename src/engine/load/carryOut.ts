import type { StepResult } from '../../contract/testRuns.ts';
import { endOfTest } from '../call/endOfTest.ts';
import type { TestCallOptions } from '../call/testCall.ts';
import { runScript } from '../script/script.ts';
import { isReached } from '../script/stepEnd.ts';
import type { CallExample, LoadScript, LoadTestResult } from './loadCaller.ts';

interface LoadTestCall extends Pick<TestCallOptions, 'target' | 'dialer' | 'clock' | 'signal'> {
  /** Returns the call as an example of a failed step, which begins at `stepMs`. */
  readonly exampleFrom: (stepMs: number) => CallExample | undefined;
  /** Returns true if the call heard a prompt from this time of its audio on that the reference doesn't have. */
  readonly heardOther: (fromMs: number) => boolean;
}

/** Carries out the test of a call of a load test. */
export async function carryOut(
  { reference: _reference, ...script }: LoadScript,
  { exampleFrom, heardOther, ...call }: LoadTestCall,
): Promise<LoadTestResult> {
  const { steps } = script;
  const ended = await endOfTest(runScript({ ...call, ...script, hasAnswered: true }));
  const failedStep = ended.steps.findIndex(
    (step) => step.outcome !== 'PASS' && step.optional !== true && isReached(step),
  );
  const failed = ended.steps[failedStep];
  // A step can also fail by its time. Then the test continues, and the other prompt was heard later.
  const isOtherPrompt =
    failed?.outcome === 'FAIL' &&
    (failed.similarity ?? 0) < (steps[failedStep]?.passThreshold ?? 1) &&
    ended.steps.slice(failedStep + 1).every((step) => !isReached(step)) &&
    heardOther(ended.steps.slice(0, failedStep).findLast(({ endMs }) => endMs !== undefined)?.endMs ?? 0);
  // The called side can say a secret that it got or is to give.
  const isSecretKnown = steps.some(
    ({ secret, action }, index) =>
      secret === true && (action.type === 'collect' || isReached(ended.steps[index] ?? {})),
  );
  const unfinished = call.signal.aborted;
  const canBeExample = !isSecretKnown && !unfinished && failedStep >= 0;
  const { outcome, reason, reasonParts } = ended;
  return {
    outcome,
    steps: ended.steps.map((step) => ({
      outcome: step.outcome,
      reached: isReached(step),
      latencyMs: step.latencyMs,
      optional: step.optional,
    })),
    unfinished,
    isOtherPrompt,
    ...(failedStep >= 0 && { failedStep }),
    ...(outcome !== 'PASS' && { reason, reasonParts }),
    ...(canBeExample && { example: exampleFrom(startOf(ended.steps, failedStep)) }),
  };
}

/** A step that ends with the call has no time, so the time of the step before it is used. */
const startOf = (steps: readonly StepResult[], index: number): number =>
  steps.slice(0, index + 1).findLast(({ startMs }) => startMs !== undefined)?.startMs ?? 0;
