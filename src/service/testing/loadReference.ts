import type { Clock } from '../../base/clock.ts';
import { withoutUndefined } from '../../base/withoutUndefined.ts';
import type { CallerProfile } from '../../contract/profiles.ts';
import type { TestStep } from '../../contract/testConfigs.ts';
import type { LoadScript } from '../../engine/load/loadCaller.ts';
import { makeReference } from '../../engine/load/reference.ts';
import type { LineBook } from '../lines/lineBook.ts';
import type { Permit } from '../runs/permission.ts';
import type { SharedDialer } from '../runs/sharedDialer.ts';

/** What the calls of a load test carry out, or why none is placed. `seconds`: the length of the reference call. */
export type LoadReference = { readonly seconds: number } & (
  | { readonly script: LoadScript; readonly failure?: undefined }
  | { readonly script?: undefined; readonly failure: string }
);

interface Wanted {
  readonly steps: readonly TestStep[];
  readonly permit: Permit;
  readonly caller: CallerProfile;
  readonly signal: AbortSignal;
  /** Each call of the load has this long, so the reference call gets no more. */
  readonly holdSeconds: number;
}

/** Carries out the test once, with recognition. */
export async function placeReference(
  { lines, dialer, clock }: { readonly lines: LineBook; readonly dialer: SharedDialer; readonly clock: Clock },
  { steps, permit, caller, signal, holdSeconds }: Wanted,
): Promise<LoadReference> {
  const { uri, lab, forbiddenKeys } = permit;
  const patienceMs = caller.patienceSeconds === undefined ? undefined : caller.patienceSeconds * 1000;
  const shared = { steps, forbiddenKeys, ...withoutUndefined({ patienceMs }) };
  const { ended, reference } = await dialer.use((opened) =>
    makeReference({
      ...shared,
      target: uri,
      clock,
      signal,
      guarded: !lab,
      dialer: lines.over(opened, permit, caller),
      budgetSeconds: holdSeconds,
    }),
  );
  const seconds = reference.callSeconds;
  if (ended.endedBy === 'budget' || seconds > holdSeconds)
    return {
      seconds,
      failure: `The reference call didn't end within the hold of ${String(holdSeconds)} s, so no other call was placed. Raise holdSeconds above the length of the test.`,
    };
  if (ended.outcome !== 'PASS')
    return {
      seconds,
      failure: `The reference call didn't pass the test, so no other call was placed. ${ended.reason ?? 'Run the test to see why.'}`,
    };
  return { seconds, script: { ...shared, reference } };
}
