import { Listeners } from '../../base/listeners.ts';
import { Worker } from 'node:worker_threads';
import { systemClock } from '../../base/clock.ts';
import { clockOffset } from './callerProtocol.ts';
import type { CallerOrder, CallerReport, CallerThreadSettings } from './callerProtocol.ts';
import { noRtp } from './loadCaller.ts';
import type { CallPlan, LoadCaller, LoadCallListener, LoadCallRecord, LoadScript } from './loadCaller.ts';

/** Places calls from separate threads. Runs that use it are on the system clock. */
export interface CallerThreads extends LoadCaller {
  /** Hangs up every call and ends the threads. */
  close(): Promise<void>;
}

/** Rejects with the system's error if an agent can't listen. */
export async function startCallerThreads({
  workerUrl,
  threads = 1,
  agent,
}: {
  /** `src/engine/load/callerThread.ts` in development, its bundle otherwise. */
  readonly workerUrl: URL | string;
  /**
   * The number of threads, each with its own agent on its own port. Calls are distributed in turn. Default 1, which
   * keeps calls off the thread that serves others.
   */
  readonly threads?: number;
  readonly agent: CallerThreadSettings;
}): Promise<CallerThreads> {
  const watchers = new Listeners<[latenessMs: number, missed: number]>();
  const started = await Promise.allSettled(
    Array.from({ length: threads }, () => CallerThread.start(workerUrl, agent, watchers)),
  );
  const running = started.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
  const close = async (): Promise<void> => {
    await Promise.all(running.map((thread) => thread.close()));
  };
  const failed = started.find((one) => one.status === 'rejected');
  if (failed) {
    await close();
    throw failed.reason;
  }
  let next = 0;
  return {
    place: (plan, listener) => {
      const alive = running.filter(({ isGone }) => !isGone);
      const usable = alive.length > 0 ? alive : running;
      const thread = usable[next++ % usable.length];
      if (!thread) throw new RangeError('there are no calling threads');
      return thread.place(plan, listener);
    },
    watchTicks: (watcher) => {
      return watchers.add(watcher);
    },
    close,
  };
}

class CallerThread {
  readonly #worker: Worker;
  readonly #exited: Promise<void>;
  readonly #watchers: Listeners<[latenessMs: number, missed: number]>;
  readonly #calls = new Map<
    number,
    { readonly placedAt: number; answeredAt?: number; readonly listener: LoadCallListener }
  >();
  #next = 0;
  /** What the thread already has. */
  readonly #scripts = new Map<LoadScript, number>();
  /** From the thread's clock to this one's. */
  #shift = 0;
  #goneBecause: string | undefined;

  static start(
    url: URL | string,
    settings: CallerThreadSettings,
    watchers: Listeners<[latenessMs: number, missed: number]>,
  ): Promise<CallerThread> {
    return new Promise((resolve, reject) => {
      const thread: CallerThread = new CallerThread(
        new Worker(url, { name: 'load caller', workerData: settings }),
        watchers,
        (failure) => {
          if (failure) reject(failure);
          else resolve(thread);
        },
      );
    });
  }

  private constructor(
    worker: Worker,
    watchers: Listeners<[latenessMs: number, missed: number]>,
    ready: (failure?: Error) => void,
  ) {
    this.#worker = worker;
    this.#watchers = watchers;
    let why = 'the calling thread ended';
    worker.on('error', (error: Error) => {
      why = `the calling thread failed: ${error.message}`;
    });
    this.#exited = new Promise((resolve) => {
      worker.once('exit', () => {
        this.#lost(why);
        ready(new Error(why));
        resolve();
      });
    });
    worker.on('message', (report: CallerReport) => this.#hear(report, ready));
  }

  place(plan: Parameters<LoadCaller['place']>[0], listener: LoadCallListener): { hangUp: () => void } {
    const call = this.#next++;
    this.#calls.set(call, { placedAt: systemClock.now(), listener });
    const gone = this.#goneBecause;
    if (gone !== undefined) queueMicrotask(() => this.#lost(gone));
    else this.#place(call, plan);
    return {
      hangUp: () => this.#order({ order: 'hangUp', call }),
    };
  }

  #place(call: number, { script, ...plan }: CallPlan): void {
    if (!script) {
      this.#order({ order: 'place', call, plan });
      return;
    }
    const number = this.#scripts.get(script) ?? this.#scripts.size;
    if (!this.#scripts.has(script)) this.#order({ order: 'script', number, script });
    this.#scripts.set(script, number);
    this.#order({ order: 'place', call, plan, script: number });
  }

  get isGone(): boolean {
    return this.#goneBecause !== undefined;
  }

  async close(): Promise<void> {
    this.#order({ order: 'close' });
    await this.#exited;
  }

  #order(order: CallerOrder): void {
    this.#worker.postMessage(order);
  }

  #hear(report: CallerReport, ready: (failure?: Error) => void): void {
    switch (report.report) {
      case 'ready':
        this.#shift = report.clockOffset - clockOffset();
        ready();
        break;
      case 'unusable':
        ready(Object.assign(new Error(report.message), report.code === undefined ? {} : { code: report.code }));
        break;
      case 'answered':
        this.#answered(report.call);
        break;
      case 'ended':
        this.#ended(report.call, shifted(report.record, this.#shift));
        break;
      case 'ticks':
        report.lateness.forEach((lateness, index) => this.#watchers.tell(lateness, index === 0 ? report.missed : 0));
        break;
    }
  }

  #answered(number: number): void {
    const call = this.#calls.get(number);
    if (!call) return;
    call.answeredAt = systemClock.now();
    call.listener.onAnswered();
  }

  #ended(call: number, record: LoadCallRecord): void {
    const listener = this.#calls.get(call)?.listener;
    this.#calls.delete(call);
    listener?.onEnded(record);
  }

  /** The calls of a thread that has ended are gone too. */
  #lost(reason: string): void {
    this.#goneBecause ??= reason;
    for (const [call, { placedAt, answeredAt }] of [...this.#calls]) {
      this.#ended(call, {
        placedAt,
        answeredAt,
        endedAt: systemClock.now(),
        end: { by: 'local', kind: 'internal', reason },
        letGo: false,
        rtp: noRtp,
      });
    }
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
