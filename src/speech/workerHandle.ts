import { Worker } from 'node:worker_threads';
import type { Clock, TimerHandle } from '../base/clock.ts';
import { SpeechError } from './ear.ts';
import type { TaskName, WorkerReply, WorkerRequest, WorkerSettings, WorkerTasks } from './workerProtocol.ts';

export type SpeechLog = (level: 'debug' | 'info' | 'warn' | 'error', message: string) => void;

/** The worker thread ended before it responded. The next request starts another one. */
export class WorkerDied extends Error {
  override readonly name = 'WorkerDied';
}

export interface PendingTask<Name extends TaskName> {
  readonly result: Promise<WorkerTasks[Name]['result']>;
  /** Lets the worker stop early; the promise still settles. */
  abandon(): void;
}

export interface SpeechWorker {
  readonly running: boolean;
  /** Rejects with WorkerDied, with SpeechError for a user, or with Error for a defect. */
  start<Name extends TaskName>(task: Name, input: WorkerTasks[Name]['request']): PendingTask<Name>;
  close(): Promise<void>;
}

interface Waiting {
  resolve(result: WorkerTasks[TaskName]['result']): void;
  reject(error: Error): void;
}

interface Options {
  readonly name: string;
  readonly url: URL | string;
  readonly settings: WorkerSettings;
  readonly clock: Clock;
  readonly idleMs: number;
  readonly log: SpeechLog;
}

/** One worker thread: started by its first request, ended when idle (to free the models), replaced if it dies. */
export class WorkerHandle implements SpeechWorker {
  readonly #options: Options;
  readonly #waiting = new Map<number, Waiting>();
  #worker: Worker | undefined;
  #nextId = 1;
  #idleTimer: TimerHandle | undefined;
  #closed = false;

  constructor(options: Options) {
    this.#options = options;
  }

  get running(): boolean {
    return this.#worker !== undefined;
  }

  start<Name extends TaskName>(task: Name, input: WorkerTasks[Name]['request']): PendingTask<Name> {
    if (this.#closed)
      return { result: Promise.reject(new WorkerDied('the speech engine is closed')), abandon: () => undefined };
    const worker = (this.#worker ??= this.#spawn());
    const id = this.#nextId++;
    const result = new Promise<WorkerTasks[Name]['result']>((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
    });
    this.#markBusy(worker);
    worker.postMessage({ id, task, input });
    return {
      result,
      abandon: () => {
        if (this.#waiting.has(id)) worker.postMessage({ id, task: 'abandon' } satisfies WorkerRequest);
      },
    };
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.#end();
  }

  #spawn(): Worker {
    const { url, name, settings, log } = this.#options;
    const worker = new Worker(url, { name, workerData: settings, stdout: false, stderr: false });
    log('debug', `${name} starts`);
    worker.on('message', (reply: WorkerReply) => this.#settle(worker, reply));
    worker.on('error', (error: Error) => log('error', `${name} failed: ${error.stack ?? error.message}`));
    worker.on('exit', (code) => this.#lost(worker, code));
    return worker;
  }

  #settle(worker: Worker, reply: WorkerReply): void {
    const waiting = this.#waiting.get(reply.id);
    if (!waiting || this.#worker !== worker) return;
    this.#waiting.delete(reply.id);
    if (this.#waiting.size === 0) this.#markIdle(worker);
    if ('result' in reply) waiting.resolve(reply.result);
    else waiting.reject(reply.forUser ? new SpeechError(reply.failure) : new Error(reply.failure));
  }

  #lost(worker: Worker, code: number): void {
    if (this.#worker !== worker) return;
    this.#worker = undefined;
    this.#options.log(
      'warn',
      `${this.#options.name} ended with code ${code} and ${this.#waiting.size} requests open; the next request starts another`,
    );
    this.#rejectAll(`${this.#options.name} ended with code ${code}`);
  }

  #rejectAll(reason: string): void {
    this.#stopIdleTimer();
    const waiting = [...this.#waiting.values()];
    this.#waiting.clear();
    for (const one of waiting) one.reject(new WorkerDied(reason));
  }

  #markBusy(worker: Worker): void {
    this.#stopIdleTimer();
    worker.ref();
  }

  #markIdle(worker: Worker): void {
    worker.unref();
    this.#stopIdleTimer();
    this.#idleTimer = this.#options.clock.setTimeout(() => {
      this.#options.log('debug', `${this.#options.name} was idle and ends`);
      void this.#end();
    }, this.#options.idleMs);
    (this.#idleTimer as { unref?: () => void }).unref?.();
  }

  #stopIdleTimer(): void {
    if (this.#idleTimer !== undefined) this.#options.clock.clearTimeout(this.#idleTimer);
    this.#idleTimer = undefined;
  }

  async #end(): Promise<void> {
    const worker = this.#worker;
    if (!worker) return;
    this.#worker = undefined;
    this.#rejectAll(`${this.#options.name} was ended`);
    worker.ref();
    await worker.terminate();
  }
}
