import { systemClock } from '../../base/clock.ts';
import type { Clock, TimerHandle } from '../../base/clock.ts';
import type { CallerOrder, CallReport } from './callerProtocol.ts';
import type { LoadCaller, LoadTask } from './loadCaller.ts';

const TICKS_EVERY_MS = 500;

/** Carries out the orders of a `CallerClient`, and reports the calls and the ticks of `caller` to it. */
export class CallerServer {
  readonly #caller: LoadCaller;
  readonly #report: (report: CallReport) => void;
  readonly #clock: Clock;
  readonly #calls = new Map<number, () => void>();
  readonly #scripts = new Map<number, LoadTask>();
  readonly #stopWatching: () => void;
  #timer: TimerHandle | undefined;
  #lateness: number[] = [];
  #missed = 0;

  constructor(caller: LoadCaller, report: (report: CallReport) => void, clock: Clock = systemClock) {
    this.#caller = caller;
    this.#report = report;
    this.#clock = clock;
    this.#stopWatching = caller.watchTicks((late, missed) => {
      this.#lateness.push(late);
      this.#missed += missed;
    });
    this.#flushLater();
  }

  take(order: Exclude<CallerOrder, { readonly order: 'close' }>): void {
    switch (order.order) {
      case 'script':
        this.#scripts.set(order.number, order.script);
        break;
      case 'place':
        this.#place(order);
        break;
      case 'hangUp':
        this.#calls.get(order.call)?.();
        break;
    }
  }

  /** Reports no more ticks. The owner of the caller closes it. */
  close(): void {
    this.#stopWatching();
    if (this.#timer !== undefined) this.#clock.clearTimeout(this.#timer);
  }

  #place({ call, plan, script }: Extract<CallerOrder, { readonly order: 'place' }>): void {
    const { hangUp } = this.#caller.place(
      script === undefined ? plan : { ...plan, script: this.#scripts.get(script) },
      {
        onAnswered: () => {
          this.#report({ report: 'answered', call });
        },
        onEnded: (record) => {
          this.#calls.delete(call);
          // Ticks are reported before the end of a call, so that all are counted when the last call ends.
          if (this.#calls.size === 0) this.#flush();
          this.#report({ report: 'ended', call, record });
        },
      },
    );
    this.#calls.set(call, hangUp);
  }

  #flush(): void {
    if (this.#lateness.length > 0) this.#report({ report: 'ticks', lateness: this.#lateness, missed: this.#missed });
    this.#lateness = [];
    this.#missed = 0;
  }

  #flushLater(): void {
    this.#timer = this.#clock.setTimeout(() => {
      this.#flush();
      this.#flushLater();
    }, TICKS_EVERY_MS);
  }
}
