import { because, sentence } from '../../base/sentences.ts';
import type { StepResult } from '../../contract/testRuns.ts';
import type { CallTestEnd } from '../call/callTestEvent.ts';
import { endOfTest } from '../call/endOfTest.ts';
import type { HeardBySound } from '../call/heardBySound.ts';
import type { TestCallOptions } from '../call/testCall.ts';
import { runProbe } from '../probe/probe.ts';
import { runScript } from '../script/script.ts';
import { isReached } from '../script/stepEnd.ts';
import type { CallExample, LoadProbe, LoadScript, LoadTask, LoadTestResult } from './loadCaller.ts';
import type { UnknownAudio } from './unknownAudio.ts';

interface TaskCall extends Pick<TestCallOptions, 'target' | 'dialer' | 'clock' | 'signal'> {
  readonly bySound: HeardBySound;
  /** Returns the call as an example of this failed step, which begins at `stepMs`, unless there are enough. */
  readonly exampleOf: (step: number, stepMs: number) => CallExample | undefined;
}

/** Returns the names of what is judged: the steps of a script, or the checks of a probe. */
export const stepNamesOf = ({ steps, probe }: LoadTask): string[] =>
  steps?.map(({ name }) => name) ?? probe?.dialogue.checks.map(({ name }) => name) ?? [];

/** Carries out what a call of a load test is for. `unknown` collects what the reference doesn't have. */
export function carryOut(task: LoadTask, call: TaskCall, unknown: UnknownAudio): Promise<LoadTestResult> {
  const ofLoad = { ...call, hasAnswered: true };
  return task.probe ? carryOutProbe(task, ofLoad, unknown) : carryOutScript(task, ofLoad, unknown);
}

async function carryOutScript(
  { steps, row, keepsSecrets, forbiddenKeys, patienceMs, guarded, purpose }: LoadScript,
  call: TaskCall,
  unknown: UnknownAudio,
): Promise<LoadTestResult> {
  const ended = await endOfTest(runScript({ ...call, steps, row, forbiddenKeys, patienceMs, guarded, purpose }), {
    onStep: (step) => {
      if (step.outcome === 'PASS' || step.optional === true) unknown.forgetUntil(step);
    },
  });
  const failedStep = ended.steps.findIndex(
    (step) => step.outcome !== 'PASS' && step.optional !== true && isReached(step),
  );
  const failed = ended.steps[failedStep];
  // A step can also fail by its time. Then the test continues, and what is unknown was heard later.
  const isOtherPrompt =
    failed?.outcome === 'FAIL' &&
    (failed.similarity ?? 0) < (steps[failedStep]?.passThreshold ?? 1) &&
    ended.steps.slice(failedStep + 1).every((step) => !isReached(step));
  // The called side can say a secret that it got or is to give, and recognised text isn't masked.
  const isSecretKnown =
    keepsSecrets === true ||
    steps.some(
      ({ secret, action }, index) =>
        secret === true && (action.type === 'collect' || isReached(ended.steps[index] ?? {})),
    );
  const result = resultOf(ended, call, failedStep, isOtherPrompt && !isSecretKnown ? unknown : undefined);
  const canBeExample = !isSecretKnown && !result.unfinished && failedStep >= 0;
  const example = canBeExample ? call.exampleOf(failedStep, startOf(ended.steps, failedStep)) : undefined;
  return { ...result, example };
}

const otherPrompt = sentence`The call heard another prompt than the reference calls. Its words aren't known during the call, so the probe can't be judged by them.`;

/** A probe is judged by words, so it proves nothing about a call on which some weren't known. */
async function carryOutProbe(
  { probe, phoneNumber, forbiddenKeys, patienceMs, guarded }: LoadProbe,
  call: TaskCall,
  unknown: UnknownAudio,
): Promise<LoadTestResult> {
  const ended = await endOfTest(runProbe({ ...call, probe, phoneNumber, forbiddenKeys, patienceMs, guarded }));
  const failedStep = ended.steps.findIndex(({ outcome }) => outcome !== 'PASS');
  if (unknown.heard() === undefined) return resultOf(ended, call, failedStep);
  const steps = ended.steps.map((step) => ({ ...step, outcome: 'INCONCLUSIVE' as const }));
  return resultOf(
    { ...ended, outcome: 'INCONCLUSIVE', ...because(otherPrompt), steps },
    call,
    Math.max(0, failedStep),
    keepsSecret(probe) ? undefined : unknown,
  );
}

const keepsSecret = ({ dialogue }: LoadProbe['probe']): boolean =>
  dialogue.steps.some(
    (step) =>
      (step.do === 'say' && step.secretDigits !== undefined) ||
      (step.do === 'answer' && typeof step.give === 'object' && step.give.secret),
  );

const resultOf = (
  { outcome, reason, reasonParts, steps }: Pick<CallTestEnd, 'outcome' | 'reason' | 'reasonParts' | 'steps'>,
  { signal }: TaskCall,
  failedStep: number,
  unknown?: UnknownAudio,
): LoadTestResult => ({
  outcome,
  steps: steps.map((step) => ({
    outcome: step.outcome,
    reached: isReached(step),
    latencyMs: step.latencyMs,
    optional: step.optional,
  })),
  unfinished: signal.aborted,
  ...(failedStep >= 0 && { failedStep }),
  ...(outcome !== 'PASS' && { reason, reasonParts }),
  unknown: unknown?.heard(),
});

/** A step that ends with the call has no time, so the time of the step before it is used. */
const startOf = (steps: readonly StepResult[], index: number): number =>
  steps.slice(0, index + 1).findLast(({ startMs }) => startMs !== undefined)?.startMs ?? 0;
