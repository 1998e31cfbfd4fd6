import type { Clock } from '../../base/clock.ts';
import { withoutUndefined } from '../../base/withoutUndefined.ts';
import type { CallerProfile } from '../../contract/profiles.ts';
import type { TestStep } from '../../contract/testConfigs.ts';
import type { LoadScript } from '../../engine/load/loadCaller.ts';
import {
  alignReferenceCalls,
  differingValue,
  placeReferenceCall,
  type ReferenceCall,
} from '../../engine/load/reference.ts';
import type { LineBook } from '../lines/lineBook.ts';
import type { Permit } from '../runs/permission.ts';
import type { SharedDialer } from '../runs/sharedDialer.ts';

export interface ReferenceUsage {
  readonly calls: number;
  readonly seconds: number;
}
export const noUsage: ReferenceUsage = { calls: 0, seconds: 0 };

/** What the calls of a load test carry out, or why none is placed. */
export type LoadReference = { readonly used: ReferenceUsage } & (
  | { readonly script: LoadScript; readonly failure?: undefined }
  | { readonly script?: undefined; readonly failure: string }
);

interface Wanted {
  readonly steps: readonly TestStep[];
  readonly permit: Permit;
  readonly caller: CallerProfile;
  readonly signal: AbortSignal;
  /** Each call of the load has this long, so a reference call gets no more. */
  readonly holdSeconds: number;
}

/** Carries out the test twice, with recognition, to find out what its calls have in common. */
export async function placeReference(
  { lines, dialer, clock }: { readonly lines: LineBook; readonly dialer: SharedDialer; readonly clock: Clock },
  { steps, permit, caller, signal, holdSeconds }: Wanted,
): Promise<LoadReference> {
  const { uri, lab, forbiddenKeys } = permit;
  const patienceMs = caller.patienceSeconds === undefined ? undefined : caller.patienceSeconds * 1000;
  const shared = { steps, forbiddenKeys, ...withoutUndefined({ patienceMs }) };
  const place = (): Promise<ReferenceCall> =>
    dialer.use(({ dialer: opened }) =>
      placeReferenceCall({
        ...shared,
        target: uri,
        clock,
        signal,
        guarded: !lab,
        dialer: lines.over(opened, permit, caller),
        budgetSeconds: holdSeconds,
      }),
    );
  const first = await place();
  const failure = failureOf(first, holdSeconds);
  if (failure !== undefined) return { used: usageOf(first), failure: `The reference call ${failure}` };
  const second = await place();
  const used = usageOf(first, second);
  const secondFailure = failureOf(second, holdSeconds);
  if (secondFailure !== undefined)
    return { used, failure: `The second reference call, unlike the first, ${secondFailure}` };
  const differing = differingValue(first, second);
  if (differing !== undefined)
    return {
      used,
      failure: `The test collects “${differing}”, which differs from call to call, so no other call was placed. Under load, prompts are recognised by their sound, so such a value isn't known. Remove the steps that collect and use it.`,
    };
  return { used, script: { ...shared, reference: alignReferenceCalls(first, second) } };
}

function failureOf({ ended }: ReferenceCall, holdSeconds: number): string | undefined {
  if (ended.endedBy === 'budget' || ended.callSeconds > holdSeconds)
    return `didn't end within the hold of ${String(holdSeconds)} s, so no other call was placed. Raise holdSeconds above the length of the test.`;
  return ended.outcome === 'PASS'
    ? undefined
    : `didn't pass the test, so no other call was placed. ${ended.reason ?? 'Run the test to see why.'}`;
}

const usageOf = (...calls: readonly ReferenceCall[]): ReferenceUsage => ({
  calls: calls.length,
  seconds: calls.reduce((sum, { ended }) => sum + ended.callSeconds, 0),
});
