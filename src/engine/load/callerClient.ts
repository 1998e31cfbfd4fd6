import { systemClock } from '../../base/clock.ts';
import type { Clock } from '../../base/clock.ts';
import type { Listeners } from '../../base/listeners.ts';
import type { CallerOrder, CallReport } from './callerProtocol.ts';
import type { CallPlan, LoadCallListener, LoadCallRecord, LoadTask } from './loadCaller.ts';

/** Places calls elsewhere: sends the orders, and passes the reports on to the listeners of the calls. */
export class CallerClient {
  readonly #send: (order: CallerOrder) => void;
  readonly #watchers: Listeners<[latenessMs: number, missed: number]>;
  readonly #clock: Clock;
  readonly #calls = new Map<
    number,
    { readonly placedAt: number; answeredAt?: number; readonly listener: LoadCallListener }
  >();
  #next = 0;
  /** What the other side already has. */
  readonly #scripts = new Map<LoadTask, number>();
  #goneBecause: string | undefined;
  /** Add it to a time of the other side's clock to get the time on `clock`. */
  shift = 0;

  constructor(
    send: (order: CallerOrder) => void,
    watchers: Listeners<[latenessMs: number, missed: number]>,
    clock: Clock = systemClock,
  ) {
    this.#send = send;
    this.#watchers = watchers;
    this.#clock = clock;
  }

  get isGone(): boolean {
    return this.#goneBecause !== undefined;
  }

  place(plan: CallPlan, listener: LoadCallListener): { hangUp: () => void } {
    const call = this.#next++;
    this.#calls.set(call, { placedAt: this.#clock.now(), listener });
    const gone = this.#goneBecause;
    if (gone !== undefined)
      queueMicrotask(() => {
        this.lost(gone);
      });
    else this.#place(call, plan);
    return {
      hangUp: () => {
        this.#send({ order: 'hangUp', call });
      },
    };
  }

  #place(call: number, { script, ...plan }: CallPlan): void {
    if (!script) {
      this.#send({ order: 'place', call, plan });
      return;
    }
    const number = this.#scripts.get(script) ?? this.#scripts.size;
    if (!this.#scripts.has(script)) this.#send({ order: 'script', number, script });
    this.#scripts.set(script, number);
    this.#send({ order: 'place', call, plan, script: number });
  }

  hear(report: CallReport): void {
    if (this.isGone) return;
    switch (report.report) {
      case 'answered':
        this.#answered(report.call);
        break;
      case 'ended':
        this.#ended(report.call, shifted(report.record, this.shift));
        break;
      case 'ticks':
        report.lateness.forEach((lateness, index) => {
          this.#watchers.tell(lateness, index === 0 ? report.missed : 0);
        });
        break;
    }
  }

  /** The other side is gone, and its calls with it. */
  lost(reason: string): void {
    this.#goneBecause ??= reason;
    for (const [call, { placedAt, answeredAt }] of [...this.#calls]) {
      this.#ended(call, {
        placedAt,
        ...(answeredAt !== undefined && { answeredAt }),
        endedAt: this.#clock.now(),
        end: { by: 'local', kind: 'internal', reason },
        letGo: false,
        rtp: { sent: 0, received: 0, lost: 0, late: 0, concealed: 0, jitterMs: 0, tickLatenessMs: 0 },
      });
    }
  }

  #answered(number: number): void {
    const call = this.#calls.get(number);
    if (!call) return;
    call.answeredAt = this.#clock.now();
    call.listener.onAnswered();
  }

  #ended(call: number, record: LoadCallRecord): void {
    const listener = this.#calls.get(call)?.listener;
    this.#calls.delete(call);
    listener?.onEnded(record);
  }
}

function shifted(record: LoadCallRecord, by: number): LoadCallRecord {
  const { ringAt, answeredAt, promptAt } = record;
  return {
    ...record,
    placedAt: record.placedAt + by,
    endedAt: record.endedAt + by,
    ...(ringAt !== undefined && { ringAt: ringAt + by }),
    ...(answeredAt !== undefined && { answeredAt: answeredAt + by }),
    ...(promptAt !== undefined && { promptAt: promptAt + by }),
  };
}
