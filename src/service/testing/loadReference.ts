import type { Clock } from '../../base/clock.ts';
import { withoutUndefined } from '../../base/withoutUndefined.ts';
import type { CallerProfile } from '../../contract/profiles.ts';
import type { CallAudio } from '../../engine/call/callAudio.ts';
import type { LoadScript } from '../../engine/load/loadCaller.ts';
import {
  alignReferenceCalls,
  differingValue,
  placeReferenceCall,
  type Reference,
  type ReferenceCall,
} from '../../engine/load/reference.ts';
import type { LineBook } from '../lines/lineBook.ts';
import type { Permit } from '../runs/permission.ts';
import type { SharedDialer } from '../runs/sharedDialer.ts';
import type { ScriptPlan } from '../store/testPlan.ts';

export interface ReferenceUsage {
  readonly calls: number;
  readonly seconds: number;
}
export const noUsage: ReferenceUsage = { calls: 0, seconds: 0 };

/** What the calls of a load test carry out, one for each row, or why none is placed. */
export type LoadReferences = { readonly used: ReferenceUsage } & (
  | { readonly scripts: readonly LoadScript[]; readonly failure?: undefined }
  | { readonly scripts?: undefined; readonly failure: string }
);

interface Wanted {
  readonly plans: readonly ScriptPlan[];
  readonly permit: Permit;
  readonly caller: CallerProfile;
  readonly signal: AbortSignal;
  /** Each call of the load has this long, so a reference call gets no more. */
  readonly holdSeconds: number;
  /** Called before each reference call; `number` counts from 1. */
  readonly onCall: (number: number) => Promise<void>;
  /** Called with both sides of each answered call, without what is secret; `row` counts from 1. */
  readonly onAudio: (row: number, call: ReferenceCall, audio: CallAudio) => Promise<void>;
}

/** Carries out each plan twice, with recognition, to find out what its calls have in common. */
export async function placeReferences(
  { lines, dialer, clock }: { readonly lines: LineBook; readonly dialer: SharedDialer; readonly clock: Clock },
  { plans, permit, caller, signal, holdSeconds, onCall, onAudio }: Wanted,
): Promise<LoadReferences> {
  const { uri, lab, forbiddenKeys } = permit;
  const patienceMs = caller.patienceSeconds === undefined ? undefined : caller.patienceSeconds * 1000;
  const calls: ReferenceCall[] = [];
  const scripts: LoadScript[] = [];
  for (const [index, { steps, row }] of plans.entries()) {
    if (signal.aborted) return { used: usageOf(calls), failure: cancelled };
    const shared = { steps, forbiddenKeys, ...withoutUndefined({ patienceMs, row }) };
    const place = async (): Promise<ReferenceCall> => {
      await onCall(calls.length + 1);
      const heard: CallAudio[] = [];
      const call = await dialer.use(({ dialer: opened }) =>
        placeReferenceCall({
          ...shared,
          target: uri,
          clock,
          signal,
          guarded: !lab,
          dialer: lines.over(opened, permit, caller),
          budgetSeconds: holdSeconds,
          onAudio: (audio) => {
            heard.push(audio);
          },
        }),
      );
      calls.push(call);
      for (const audio of heard) await onAudio(index + 1, call, audio);
      return call;
    };
    const made = await compare(place, holdSeconds, signal);
    if (typeof made === 'string')
      return { used: usageOf(calls), failure: plans.length === 1 ? made : `Row ${String(index + 1)}: ${made}` };
    scripts.push({ ...shared, reference: made });
  }
  return { used: usageOf(calls), scripts };
}

const cancelled = 'It was cancelled during the reference calls.';

/** Returns what two calls have in common, or why they don't show it. */
async function compare(
  place: () => Promise<ReferenceCall>,
  holdSeconds: number,
  signal: AbortSignal,
): Promise<Reference | string> {
  const first = await place();
  const failure = failureOf(first, holdSeconds);
  if (failure !== undefined) return `The reference call ${failure}`;
  // A call can't be placed any more, and the first one counts.
  if (signal.aborted) return cancelled;
  const second = await place();
  const secondFailure = failureOf(second, holdSeconds);
  if (secondFailure !== undefined) return `The second reference call, unlike the first, ${secondFailure}`;
  const differing = differingValue(first, second);
  return differing === undefined
    ? alignReferenceCalls(first, second)
    : `The test collects “${differing}”, which differs from call to call, so no other call was placed. Under load, prompts are recognised by their sound, so such a value isn't known. Remove the steps that collect and use it.`;
}

function failureOf({ ended }: ReferenceCall, holdSeconds: number): string | undefined {
  if (ended.endedBy === 'budget' || ended.callSeconds > holdSeconds)
    return `didn't end within the hold of ${String(holdSeconds)} s, so no other call was placed. Raise holdSeconds above the length of the test.`;
  return ended.outcome === 'PASS'
    ? undefined
    : `didn't pass the test, so no other call was placed. ${ended.reason ?? 'Run the test to see why.'}`;
}

const usageOf = (calls: readonly ReferenceCall[]): ReferenceUsage => ({
  calls: calls.length,
  seconds: calls.reduce((sum, { ended }) => sum + ended.callSeconds, 0),
});
