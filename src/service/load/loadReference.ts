import { because, join, reasonOf, sentence, type Reason, type Sentences } from '../../base/sentences.ts';
import { withoutUndefined } from '../../base/withoutUndefined.ts';
import type { CallAudio } from '../../engine/call/callAudio.ts';
import type { CallTestEvent } from '../../engine/call/callTestEvent.ts';
import type { LoadProbe, LoadScript, LoadTask } from '../../engine/load/loadCaller.ts';
import { Lateness } from '../../engine/hearing/lateness.ts';
import { patience } from '../../engine/hearing/patience.ts';
import { courseOf, taskOfMission } from '../../engine/load/missionCourse.ts';
import {
  alignReferenceCalls,
  differingValue,
  placeReferenceCall,
  placeReferenceCallOf,
  type Reference,
  type ReferenceCall,
  type ReferenceOptions,
} from '../../engine/load/reference.ts';
import type { PastTurn } from '../../language/mission/turnDecision.ts';
import { secretsOf } from '../../model/secrets/missionSecrets.ts';
import type { RunCalls } from '../runs/dialerFor.ts';
import { reasonOfVerdict, type TestPlan } from '../store/storedPlan.ts';
import { createPerformer } from '../testing/performPlan.ts';
import type { PlanOptions } from '../testing/testPlan.ts';

export interface ReferenceUsage {
  readonly calls: number;
  readonly seconds: number;
}
export const noUsage: ReferenceUsage = { calls: 0, seconds: 0 };

/** What the calls of a load test carry out, one for each row, or why none is placed. */
export type LoadReferences = { readonly used: ReferenceUsage } & (
  | { readonly scripts: readonly LoadTask[]; readonly failure?: undefined }
  | { readonly scripts?: undefined; readonly failure: Failure }
);

/** `budget`: the seconds of the run are used up. */
interface Failure extends Reason {
  readonly reason: string;
  readonly endedBy?: 'budget';
}

interface Wanted {
  readonly plans: readonly TestPlan[];
  readonly signal: AbortSignal;
  /** Each call of the load has this long, so a reference call gets no more. */
  readonly holdSeconds: number;
  /** Seconds of calls that the run may use; undefined means no limit. */
  readonly budgetSeconds: number | undefined;
  /** Called before each reference call; `number` counts from 1. */
  readonly onCall: (number: number) => Promise<void>;
  /** Called with both sides of each answered call, without what is secret; `row` counts from 1. */
  readonly onAudio: (row: number, call: ReferenceCall, audio: CallAudio) => Promise<void>;
}

/** Carries out each plan twice, with recognition, to find out what its calls have in common. */
export async function placeReferences(
  shared: RunCalls,
  { plans, signal, holdSeconds, budgetSeconds = Infinity, onCall, onAudio }: Wanted,
): Promise<LoadReferences> {
  const calls: ReferenceCall[] = [];
  const scripts: LoadTask[] = [];
  const { target: _target, dialer: _dialer, clock: _clock, ...rules } = shared;
  const left = (): number => budgetSeconds - usageOf(calls).seconds;
  for (const [index, plan] of plans.entries()) {
    if (signal.aborted) return { used: usageOf(calls), failure: cancelled };
    const place: Place = async (carryOut) => {
      if (left() < shortestSeconds) return spent;
      const mostSeconds = Math.min(holdSeconds, left());
      await onCall(calls.length + 1);
      const heard: CallAudio[] = [];
      const call = await carryOut({
        ...shared,
        signal,
        budgetSeconds: mostSeconds,
        onAudio: (audio) => {
          heard.push(audio);
        },
      });
      calls.push(call);
      // The turns of a mission aren't the steps of the calls of the load.
      if (call.ended.steps.length > 0 && !keepsSecrets(plan))
        for (const audio of heard) await onAudio(index + 1, call, audio);
      return call.ended.endedBy === 'budget' && mostSeconds < holdSeconds ? spent : call;
    };
    const referenceCalls = referenceCallsOf(plan);
    const made = await compare(referenceCalls, place, holdSeconds, signal);
    if ('reason' in made) {
      const row = plans.length === 1 ? undefined : sentence`Row ${index + 1}:`;
      return { used: usageOf(calls), failure: { ...made, ...because(join(row, reasonOf(made))) } };
    }
    const { first, reference } = made;
    scripts.push({ ...rules, reference, ...referenceCalls.task(first) });
  }
  return { used: usageOf(calls), ...(left() < shortestSeconds ? { failure: spent } : { scripts }) };
}

type CarryOut = (options: ReferenceOptions) => Promise<ReferenceCall>;
/** Returns the call, or why there are no seconds for it. */
type Place = (carryOut: CarryOut) => Promise<ReferenceCall | Failure>;

/** How to carry out a plan the first time, and the second time, and what the calls of the load carry out. */
interface ReferenceCalls {
  readonly first: CarryOut;
  readonly second: (first: ReferenceCall) => CarryOut;
  readonly task: (
    first: ReferenceCall,
  ) =>
    | Pick<LoadScript, 'steps' | 'row' | 'wordsThreshold' | 'keepsSecrets' | 'purpose'>
    | Pick<LoadProbe, 'probe' | 'phoneNumber'>;
}

function referenceCallsOf(plan: TestPlan): ReferenceCalls {
  switch (plan.type) {
    case 'script': {
      const { steps, row } = plan;
      const script: CarryOut = (options) => placeReferenceCall({ ...options, steps, ...withoutUndefined({ row }) });
      return { first: script, second: () => script, task: () => ({ steps, row }) };
    }
    case 'probe': {
      const { probe, phoneNumber } = plan;
      const itself: CarryOut = (options) => placeReferenceCallOf(options, (tapped) => performed(plan, tapped));
      return { first: itself, second: () => itself, task: () => ({ probe, phoneNumber }) };
    }
    case 'mission': {
      let turns: readonly PastTurn[] = [];
      const onTurns = (past: readonly PastTurn[]): void => {
        turns = past;
      };
      return {
        first: (options) => placeReferenceCallOf(options, (tapped) => performed(plan, { ...tapped, onTurns })),
        // The calls of the load go the same way, so the second call finds out whether this is possible.
        second: (first) => (options) =>
          placeReferenceCall({ ...options, steps: courseOf(first, turns), purpose: plan.mission }),
        task: (first) => ({
          ...taskOfMission(first, turns),
          keepsSecrets: keepsSecrets(plan),
          purpose: plan.mission,
        }),
      };
    }
  }
}

/** Its calls aren't recorded, because a script masks only what its own steps name. */
const keepsSecrets = (plan: TestPlan): boolean => plan.type === 'mission' && secretsOf(plan.mission).length > 0;

/** By rules, so that the load test decides and judges nothing with a language model. */
async function* performed(plan: TestPlan, options: PlanOptions): AsyncGenerator<CallTestEvent> {
  for await (const event of createPerformer()(plan, options)) {
    if (event.type !== 'ended') {
      yield event;
      continue;
    }
    const { mission, endedBy, ...ended } = event.ended;
    const why = reasonOfVerdict(mission);
    yield {
      type: 'ended',
      ended: { ...ended, ...(endedBy === 'budget' && { endedBy }), ...(why && because(why)) },
    };
  }
}

const cancelled: Failure = because(sentence`It was cancelled during the reference calls.`);
const spent: Failure = {
  ...because(
    sentence`The minutes reserved for this load test were used up during its reference calls, so no other call was placed. Get more minutes or raise the budget, then run it again.`,
  ),
  endedBy: 'budget',
};
/** A shorter call shows nothing. */
const shortestSeconds = 1;

/** Returns the first call and what both have in common, or why they don't show it. */
async function compare(
  carryOut: ReferenceCalls,
  place: Place,
  holdSeconds: number,
  signal: AbortSignal,
): Promise<{ readonly first: ReferenceCall; readonly reference: Reference } | Failure> {
  const first = await place(carryOut.first);
  if ('reason' in first) return first;
  const failure = failureOf(first, holdSeconds);
  if (failure) return because(failure);
  // A call can't be placed any more, and the first one counts.
  if (signal.aborted) return cancelled;
  const second = await place(carryOut.second(first));
  if ('reason' in second) return second;
  const secondFailure = failureOf(second, holdSeconds);
  if (secondFailure) return because(join(sentence`The second reference call differed from the first.`, secondFailure));
  const differing = differingValue(first, second);
  return differing === undefined
    ? { first, reference: alignReferenceCalls(first, second) }
    : because(
        sentence`The test collects “${differing}”, which differs from call to call, so no other call was placed. Under load, prompts are recognised by their sound, so such a value isn't known. Remove the steps that collect and use it.`,
      );
}

function failureOf(
  { ended, textLagMs, isRepetitive, cutsPrompts }: ReferenceCall,
  holdSeconds: number,
): Sentences | undefined {
  const lateness = new Lateness();
  lateness.behind(textLagMs);
  const isUntypical = (lateness.isTooLate && isRepetitive) || (textLagMs > patience.text.correction && cutsPrompts);
  // A late call is long, or fails, because of this machine.
  if (isUntypical)
    return sentence`The reference call was answered too late: speech recognition took up to ${(textLagMs / 1000).toFixed(1)} s, so prompts were repeated or cut off, which the other calls wouldn't hear in the same way. No other call was placed. Run the load test again when this machine is less busy.`;
  if (ended.endedBy === 'budget' || ended.callSeconds > holdSeconds)
    return join(
      sentence`The reference call didn't end within the hold of ${holdSeconds} s, so no other call was placed.`,
      lateness.excuse ?? sentence`Raise holdSeconds above the length of the test.`,
    );
  if (ended.outcome !== 'PASS')
    return join(
      sentence`The reference call didn't pass the test, so no other call was placed.`,
      reasonOf(ended) ?? sentence`Run the test to see why.`,
    );
  return undefined;
}

const usageOf = (calls: readonly ReferenceCall[]): ReferenceUsage => ({
  calls: calls.length,
  seconds: calls.reduce((sum, { ended }) => sum + ended.callSeconds, 0),
});
