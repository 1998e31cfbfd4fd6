import type { Reason } from '../../base/sentences.ts';
import type { Clock } from '../../base/clock.ts';
import type { RunOutcome } from '../../contract/testRuns.ts';
import type { CallEnd, CallLeg } from '../../telephony/call.ts';
import { systemPacer, type Pacer } from '../../telephony/rtp/pacer.ts';
import { callingAs, type Dialer } from '../call/activeCall.ts';
import type { TestCallOptions } from '../call/testCall.ts';
import { CallTimes } from './callTimes.ts';
import { brokenTest, holdOver, noRtp } from './loadCaller.ts';
import type { LoadCaller, LoadCallListener, LoadTestResult } from './loadCaller.ts';
import { lossShare } from './loadTally.ts';

/** Carries out a mission or probe, which dials one call and hears it with recognition. */
type CarryOutLive = (
  call: Pick<TestCallOptions, 'dialer' | 'signal'>,
) => Promise<Reason & { readonly outcome: RunOutcome }>;

/** Places calls with a dialer, so each passes its doors. It decides itself where and how they call. */
export const liveCaller = (
  dialer: Dialer,
  clock: Clock,
  carryOut: CarryOutLive,
  pacer: Pacer = systemPacer,
): LoadCaller => ({
  place: (_plan, listener) => {
    const call = new LiveCall(dialer, clock, carryOut, listener);
    return { hangUp: () => call.hangUp() };
  },
  watchTicks: (watcher) => pacer.watch(watcher),
});

class LiveCall {
  readonly #clock: Clock;
  readonly #listener: LoadCallListener;
  #times: CallTimes;
  readonly #over = new AbortController();
  readonly #ended = Promise.withResolvers<{ readonly end: CallEnd; readonly endedAt: number }>();
  /** Undefined until the doors are open. */
  #leg: CallLeg | undefined;
  #letGo = false;

  constructor(dialer: Dialer, clock: Clock, carryOut: CarryOutLive, listener: LoadCallListener) {
    this.#clock = clock;
    this.#listener = listener;
    this.#times = new CallTimes(clock);
    void this.#carryOut(callingAs(dialer, { onLeg: (leg) => this.#watch(leg) }), carryOut);
  }

  hangUp(): void {
    this.#letGo = true;
    this.#over.abort(holdOver);
    void this.#leg?.hangup();
  }

  #watch(leg: CallLeg): void {
    this.#leg = leg;
    // The doors before the INVITE take time.
    this.#times = new CallTimes(this.#clock);
    leg.listen((event) => {
      this.#times.note(event);
      if (event.type === 'answered') this.#listener.onAnswered();
      if (event.type === 'ended') this.#ended.resolve({ end: event.end, endedAt: this.#clock.now() });
    });
  }

  async #carryOut(dialer: Dialer, carryOut: CarryOutLive): Promise<void> {
    const { signal } = this.#over;
    const result = await carryOut({ dialer, signal }).catch((error: unknown) => brokenTest(error));
    const unfinished = signal.aborted;
    const leg = this.#leg;
    const { end, endedAt } = leg ? await this.#ended.promise : this.#neverDialled(result);
    const rtp = leg?.stats() ?? noRtp;
    const test: LoadTestResult = { ...result, steps: [], unfinished, lossShare: lossShare(rtp) };
    const { placedAt, ringAt, answeredAt, promptAt } = this.#times;
    // A test hangs up itself.
    const letGo = this.#letGo || end.by === 'local';
    this.#listener.onEnded({ placedAt, ringAt, answeredAt, promptAt, endedAt, end, letGo, rtp, test });
  }

  /** A door stayed closed, or the load test ended before one opened. */
  #neverDialled({ reason = '' }: Reason): { readonly end: CallEnd; readonly endedAt: number } {
    const kind = this.#letGo ? 'cancelled' : 'internal';
    return { end: { by: 'local', kind, reason }, endedAt: this.#clock.now() };
  }
}
