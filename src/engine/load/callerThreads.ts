import { Listeners } from '../../base/listeners.ts';
import { Worker } from 'node:worker_threads';
import { CallerClient } from './callerClient.ts';
import { clockOffset } from './callerProtocol.ts';
import type { CallerOrder, CallerReport, CallerThreadSettings } from './callerProtocol.ts';
import type { LoadCaller } from './loadCaller.ts';

interface CallerThreadsOptions {
  /** `src/engine/load/callerThread.ts` in development, its bundle otherwise. */
  readonly workerUrl: URL | string;
  /**
   * The number of threads, each with its own agent on its own port. Calls are distributed in turn. Default 1, which
   * keeps calls off the thread that serves others.
   */
  readonly threads?: number;
  readonly agent: CallerThreadSettings;
}

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
}: CallerThreadsOptions): Promise<CallerThreads> {
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
  readonly #client: CallerClient;

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
    this.#client = new CallerClient((order) => {
      this.#order(order);
    }, watchers);
    let why = 'the calling thread ended';
    worker.on('error', (error: Error) => {
      why = `the calling thread failed: ${error.message}`;
    });
    this.#exited = new Promise((resolve) => {
      worker.once('exit', () => {
        this.#client.lost(why);
        ready(new Error(why));
        resolve();
      });
    });
    worker.on('message', (report: CallerReport) => {
      this.#hear(report, ready);
    });
  }

  get isGone(): boolean {
    return this.#client.isGone;
  }

  place(...call: Parameters<LoadCaller['place']>): { hangUp: () => void } {
    return this.#client.place(...call);
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
        this.#client.shift = report.clockOffset - clockOffset();
        ready();
        break;
      case 'unusable':
        ready(Object.assign(new Error(report.message), report.code === undefined ? {} : { code: report.code }));
        break;
      default:
        this.#client.hear(report);
    }
  }
}
