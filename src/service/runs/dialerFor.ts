import type { Clock, TimerHandle } from '../../base/clock.ts';
import type { ActiveCall, CountedCall, Dialer } from '../../engine/call/activeCall.ts';
import type { TestCallOptions } from '../../engine/call/testCall.ts';
import type { LineBook } from '../lines/lineBook.ts';
import { DialRecord } from './dialRecord.ts';
import type { DialRecordParts } from './dialRecord.ts';
import type { RunControl } from './lifecycle.ts';
import type { Permit } from './permission.ts';
import type { OpenDialer } from './sharedDialer.ts';
import { practiceEnded } from './stopReason.ts';

export interface DialerParts<Call = ActiveCall> extends Omit<DialRecordParts, 'run'> {
  /** The dialer that all runs share, or one for a single call. */
  readonly dialer: {
    use<Result>(work: (opened: Pick<OpenDialer<Call>, 'dialer' | 'receive'>) => Promise<Result>): Promise<Result>;
  };
  readonly lines: LineBook;
  readonly clock: Clock;
}

/** What all calls of a run have in common. */
export type RunCalls<Call = ActiveCall> = { readonly dialer: Dialer<Call> } & Pick<
  TestCallOptions,
  'target' | 'clock' | 'guarded' | 'forbiddenKeys' | 'patienceMs'
>;

/** `interrupt` ends the run from outside, as its control does. */
type Calling = DialRecordParts['run'] & { readonly hasLine?: boolean } & Partial<Pick<RunControl, 'interrupt'>>;

/**
 * Lets `work` place the calls of a run, of any kind. Each call passes these doors, in this order:
 *
 * 1. permission: the call goes only where the permit says; its guard and forbidden keys come from the permit too
 * 2. line: the call waits for capacity, and uses the login, caller ID, voice and keys. `hasLine`: the run took it before
 * 3. record: the call is stored before it is dialled, or when it is answered if it is inbound, and is active until its end
 *
 * If the practice IVR that it calls ends, the run is interrupted before the end of a call is read as one of the IVR's.
 *
 * `address`: where an inbound call is awaited. Only the calls of a load that threads place have no dialer.
 */
export const dialerFor = <Call extends CountedCall, Result>(
  { dialer: source, lines, clock, ...parts }: DialerParts<Call>,
  { hasLine, interrupt, ...run }: Calling,
  permit: Permit,
  work: (calls: RunCalls<Call>, address?: string) => Promise<Result>,
): Promise<Result> =>
  source.use(async (opened) => {
    const { uri: target, lab, forbiddenKeys, caller, isInbound = false } = permit;
    const point = isInbound ? await opened.receive() : undefined;
    const dials = new DialRecord({ ...parts, run });
    const recorded = dials.over((point ?? opened).dialer, isInbound ? 'theirs' : 'ours');
    let hasLeft = interrupt && lines.practiceLeft(permit);
    const look = (): boolean => {
      if (hasLeft?.() === true) {
        hasLeft = undefined;
        interrupt?.(practiceEnded);
      }
      return hasLeft !== undefined;
    };
    const dialer = onlyTo(target, lines.over(watched(recorded, look, clock), permit, caller, hasLine));
    const patience = caller.patienceSeconds !== undefined && { patienceMs: caller.patienceSeconds * 1000 };
    try {
      return await work({ target, dialer, clock, guarded: !lab, forbiddenKeys, ...patience }, point?.address);
    } finally {
      hasLeft = undefined;
      await Promise.all([point?.close(), dials.stored()]);
    }
  });

const onlyTo = <Call>(permitted: string, dialer: Dialer<Call>): Dialer<Call> => ({
  dial: (target, ...call) =>
    target === permitted
      ? dialer.dial(target, ...call)
      : Promise.reject(new Error('a call to a place without a permit')),
});

/** Less than any silence that counts as one of the IVR. */
const lookEveryMs = 500;

/** Looks during each call, and before a listener learns how it ended. What follows a call needs no practice IVR. */
const watched = <Call extends CountedCall>(dialer: Dialer<Call>, look: () => boolean, clock: Clock): Dialer<Call> => ({
  async dial(...placed) {
    let timer: TimerHandle | undefined;
    const lookAgain = (): void => {
      timer = look() ? clock.setTimeout(lookAgain, lookEveryMs) : undefined;
    };
    const stop = (): void => {
      if (timer !== undefined) clock.clearTimeout(timer);
      look();
    };
    lookAgain();
    try {
      const call = await dialer.dial(...placed);
      call.listen(({ type }) => {
        if (type === 'ended') stop();
      });
      return call;
    } catch (error) {
      stop();
      throw error;
    }
  },
});
