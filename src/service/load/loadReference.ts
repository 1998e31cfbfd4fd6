import { because, join, reasonOf, sentence, type Reason, type Sentences } from '../../base/sentences.ts';
import { withoutUndefined } from '../../base/withoutUndefined.ts';
import type { CallAudio } from '../../engine/call/callAudio.ts';
import type { LoadScript } from '../../engine/load/loadCaller.ts';
import { Lateness } from '../../engine/hearing/lateness.ts';
import { patience } from '../../engine/hearing/patience.ts';
import {
  alignReferenceCalls,
  differingValue,
  placeReferenceCall,
  type LoadReference,
  type ReferenceCall,
} from '../../engine/load/reference.ts';
import type { RunCalls } from '../runs/dialerFor.ts';
import type { ScriptPlan } from '../store/storedPlan.ts';

export interface ReferenceUsage {
  readonly calls: number;
  readonly seconds: number;
}
export const noUsage: ReferenceUsage = { calls: 0, seconds: 0 };

/** What the calls of a load test carry out, one for each row, or why none is placed. */
export type LoadReferences = { readonly used: ReferenceUsage } & (
  | { readonly scripts: readonly LoadScript[]; readonly failure?: undefined }
  | { readonly scripts?: undefined; readonly failure: Failure }
);

/** `budget`: the seconds of the run are used up. */
interface Failure extends Reason {
  readonly reason: string;
  readonly endedBy?: 'budget';
}

interface Wanted {
  readonly plans: readonly ScriptPlan[];
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
  const scripts: LoadScript[] = [];
  const { forbiddenKeys, patienceMs } = shared;
  const left = (): number => budgetSeconds - usageOf(calls).seconds;
  for (const [index, { steps, row }] of plans.entries()) {
    if (signal.aborted) return { used: usageOf(calls), failure: cancelled };
    const place: NextReferenceCall = async () => {
      if (left() < shortestSeconds) return spent;
      const mostSeconds = Math.min(holdSeconds, left());
      await onCall(calls.length + 1);
      const heard: CallAudio[] = [];
      const call = await placeReferenceCall({
        ...shared,
        steps,
        ...withoutUndefined({ row }),
        signal,
        budgetSeconds: mostSeconds,
        onAudio: (audio) => {
          heard.push(audio);
        },
      });
      calls.push(call);
      for (const audio of heard) await onAudio(index + 1, call, audio);
      return call.ended.endedBy === 'budget' && mostSeconds < holdSeconds ? spent : call;
    };
    const made = await compare(place, holdSeconds, signal);
    if ('reason' in made) {
      const ofRow = plans.length === 1 ? undefined : sentence`Row ${index + 1}:`;
      return { used: usageOf(calls), failure: { ...made, ...because(join(ofRow, reasonOf(made))) } };
    }
    scripts.push({ steps, row, reference: made, forbiddenKeys, patienceMs });
  }
  return { used: usageOf(calls), ...(left() < shortestSeconds ? { failure: spent } : { scripts }) };
}

/** Returns the next call, or why there are no seconds for it. */
type NextReferenceCall = () => Promise<ReferenceCall | Failure>;

const cancelled: Failure = because(sentence`It was cancelled during the reference calls.`);
const spent: Failure = {
  ...because(
    sentence`The minutes reserved for this load test were used up during its reference calls, so no other call was placed. Get more minutes or raise the budget, then run it again.`,
  ),
  endedBy: 'budget',
};
/** A shorter call shows nothing. */
const shortestSeconds = 1;

/** Returns what two calls have in common, or why they don't show it. */
async function compare(
  place: NextReferenceCall,
  holdSeconds: number,
  signal: AbortSignal,
): Promise<LoadReference | Failure> {
  const first = await place();
  if ('reason' in first) return first;
  const failure = failureOf(first, holdSeconds);
  if (failure) return because(failure);
  // A call can't be placed any more, and the first one counts.
  if (signal.aborted) return cancelled;
  const second = await place();
  if ('reason' in second) return second;
  const secondFailure = failureOf(second, holdSeconds);
  if (secondFailure) return because(join(sentence`The second reference call differed from the first.`, secondFailure));
  const differing = differingValue(first, second);
  return differing === undefined
    ? alignReferenceCalls(first, second)
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
