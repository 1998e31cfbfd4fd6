import { sleep, type Clock, type TimerHandle } from '../../base/clock.ts';
import { count } from '../../base/count.ts';
import { HumanError } from '../../contract/errors.ts';
import type { WorkspaceEvent } from '../../contract/events.ts';
import { serverLimits } from '../../contract/limits.ts';
import type { EventBus } from '../store/events.ts';
import { unauthorized, type Principal } from '../workspaces/principal.ts';

/** How far a run is. `message` never contains what was heard, because clients show it without marks. */
export interface Progress {
  readonly done: number;
  /** Absent if it isn't known. */
  readonly total?: number;
  readonly message: string;
}

/** Something whose end a request waits for. */
export interface Awaited<Value> {
  readonly read: () => Promise<Value>;
  /** What a launch returned, so that a request that doesn't wait needn't read it. */
  readonly launched?: Value;
  /** Returns the ids of the jobs, runs and load tests in it that haven't ended. */
  readonly running: (value: Value) => readonly string[];
  readonly progress: (value: Value) => Progress;
}

/** Waits for the end of what a handler reads, if its request has `waitSeconds`. */
export type WaitFor = <Value>(awaited: Awaited<Value>) => Promise<Value>;

interface Waiting {
  readonly principal: Pick<Principal, 'workspaceId' | 'keyId'>;
  readonly seconds: number;
  /** Ends the waiting, not the run. */
  readonly signal: AbortSignal;
  readonly onProgress?: ((progress: Progress) => void) | undefined;
}

/** How often a client that shows progress gets it. */
const progressEveryMs = 1000;

/**
 * Requests that wait for the end of a run (`waitSeconds`). They read the store at the start and at the end only. Events
 * wake them, so that any number of them costs nothing while nothing happens.
 */
export class Waits {
  readonly #events: EventBus;
  readonly #clock: Clock;
  /** Waiting requests, by key and by workspace. */
  readonly #counts = new Map<string, number>();
  readonly #readers = new Map<AbortController, { readonly keyId: string; readonly readAgain: () => void }>();
  readonly #stopped = new AbortController();

  constructor(events: EventBus, clock: Clock) {
    this.#events = events;
    this.#clock = clock;
  }

  /**
   * Does the work of a request that may wait. A request that finds no place does nothing, so a refused launch places no
   * call.
   * @throws HumanError 429 `too_many_waits`
   */
  async during<Result>(waiting: Waiting, work: (waitFor: WaitFor) => Promise<Result>): Promise<Result> {
    const leave = this.#enter(waiting.principal);
    const endsAt = this.#clock.now() + waiting.seconds * 1000;
    try {
      return await work((awaited) => this.#until(waiting, endsAt, awaited));
    } finally {
      leave();
    }
  }

  /** Lets all requests read again, after a time in which events may have been lost. */
  readAgain(): void {
    for (const { readAgain } of this.#readers.values()) readAgain();
  }

  /** The requests with this key get 401. */
  endOf(keyId: string): void {
    for (const [revoked, reader] of this.#readers) if (reader.keyId === keyId) revoked.abort(unauthorized());
  }

  /** All requests answer with what they read last. */
  stop(): void {
    this.#stopped.abort();
  }

  #enter({ workspaceId, keyId }: Waiting['principal']): () => void {
    const { perKey, perWorkspace } = serverLimits.waits;
    const places = [
      { name: keyId, most: perKey, owner: 'This API key' },
      { name: workspaceId, most: perWorkspace, owner: 'This workspace' },
    ];
    for (const { name, most, owner } of places)
      if ((this.#counts.get(name) ?? 0) >= most)
        throw new HumanError(
          `${owner} has ${count(most, 'request')} waiting, which is the maximum. Leave out waitSeconds, or wait for one of them.`,
          { status: 429, code: 'too_many_waits', retryAfterSeconds: serverLimits.waits.seconds },
        );
    const add = (change: number): void => {
      for (const { name } of places) {
        const waiting = (this.#counts.get(name) ?? 0) + change;
        if (waiting === 0) this.#counts.delete(name);
        else this.#counts.set(name, waiting);
      }
    };
    add(1);
    return () => add(-1);
  }

  async #until<Value>(
    { principal, signal, onProgress }: Waiting,
    endsAt: number,
    { read, running, progress }: Awaited<Value>,
  ): Promise<Value> {
    const revoked = new AbortController();
    const over = AbortSignal.any([signal, this.#stopped.signal, revoked.signal]);
    const open = new Set<string>();
    const ended = new Set<string>();
    let wake = new AbortController();
    let waking: TimerHandle | undefined;
    const readAgain = (): void => wake.abort();
    const stopListening = this.#events.listen(principal.workspaceId, (event) => {
      const id = subjectOf(event);
      // What was deleted has no end.
      if (('ended' in event && event.ended === true) || event.type === 'mapping.deleted') ended.add(id);
      if (!open.has(id)) return;
      if (isSubset(open, ended)) readAgain();
      else if (onProgress) waking ??= this.#clock.setTimeout(readAgain, progressEveryMs);
    });
    this.#readers.set(revoked, { keyId: principal.keyId, readAgain });
    try {
      for (;;) {
        // What an event names from here on may be newer than what is read.
        wake = new AbortController();
        ended.clear();
        const value = await read();
        revoked.signal.throwIfAborted();
        open.clear();
        for (const id of running(value)) open.add(id);
        const leftMs = endsAt - this.#clock.now();
        if (open.size === 0 || leftMs <= 0 || over.aborted) return value;
        onProgress?.(progress(value));
        if (isSubset(open, ended)) continue;
        await sleep(this.#clock, leftMs, AbortSignal.any([over, wake.signal])).catch(() => undefined);
        if (waking !== undefined) this.#clock.clearTimeout(waking);
        waking = undefined;
        revoked.signal.throwIfAborted();
        if (over.aborted) return value;
      }
    } finally {
      stopListening();
      this.#readers.delete(revoked);
      if (waking !== undefined) this.#clock.clearTimeout(waking);
    }
  }
}

const subjectOf = (event: WorkspaceEvent): string =>
  'jobId' in event ? event.jobId : 'runId' in event ? event.runId : event.loadTestId;

const isSubset = (part: ReadonlySet<string>, whole: ReadonlySet<string>): boolean =>
  [...part].every((id) => whole.has(id));
