import type { WorkspaceEvent } from '../contract/events.ts';
import type { LoadTest } from '../contract/loadTests.ts';
import type { MappingJob } from '../contract/mapping.ts';
import { operations } from '../contract/operations.ts';
import type { Operation } from '../contract/operation.ts';
import type { OperationInput, OperationName, OperationOutput } from '../contract/operations.ts';
import type { RunResults } from '../contract/testRuns.ts';
import { readAnswer } from './answer.ts';
import { isFullMinute, isRateLimit, ServiceError } from './errors.ts';
import { exchange, readBody } from './exchange.ts';
import { rowsOf } from './pages.ts';
import type { ListItem, ListName, Page } from './pages.ts';
import { toRequest } from './request.ts';
import { fullMinuteWaitMs, waitFor, withRetries } from './retry.ts';
import type { RetryParts } from './retry.ts';
import { readEvents } from './serverEvents.ts';

export interface ClientOptions {
  /** `http://127.0.0.1:PORT/v1` */
  readonly baseUrl: string;
  /** Without one only registerWorkspace can be called. */
  readonly apiKey?: string;
  /** For one answer; default 30 s. */
  readonly timeoutMs?: number;
  readonly fetch?: typeof fetch;
  /** Time and chance, for tests. */
  readonly retry?: Partial<RetryParts>;
}

export interface CallOptions {
  readonly signal?: AbortSignal;
}
/** `timeoutMs`: instead of the client's own, for what takes longer. */
export interface RequestOptions extends CallOptions {
  readonly timeoutMs?: number;
}

/** A stretch of a WAV file; `total`: bytes of all of it. */
export interface AudioPart {
  readonly wav: Uint8Array<ArrayBuffer>;
  readonly total: number;
}

export interface WaitOptions<State = MappingJob> extends CallOptions {
  /**
   * `events` (default): told by the service, and reads every 10 to 13 s beside that. `polling`: reads every 5 to 10 s.
   */
  readonly by?: 'events' | 'polling';
  /** Gets every state that is read on the way, the last one too. */
  readonly onChange?: (state: State) => void;
}

/** The stream of events is taken as dead after this long without a sign of life; the service sends one each 15 s. */
const silentStreamMs = 45_000;
/**
 * A running job changes many times a second, and the smallest tier allows 30 requests a minute: after this many reads
 * they keep their distance.
 */
const readsAtOnce = 4;
const readDistanceMs = 3000;

/** Calls the interface over REST. Every operation of the contract is a name for `call`. */
export class DialtreeClient {
  readonly #baseUrl: string;
  readonly #options: ClientOptions;
  readonly #fetch: typeof fetch;
  readonly #retry: RetryParts;

  constructor(options: ClientOptions) {
    this.#options = options;
    this.#baseUrl = options.baseUrl.replace(/\/+$/, '');
    this.#fetch = options.fetch ?? fetch;
    this.#retry = { wait: waitFor, random: Math.random, ...options.retry };
  }

  get #timeoutMs(): number {
    return this.#options.timeoutMs ?? 30_000;
  }

  /** Rejects with a ServiceError, or with the signal's reason. */
  async call<Name extends OperationName>(
    name: Name,
    input: OperationInput<Name>,
    { signal, timeoutMs = this.#timeoutMs }: RequestOptions = {},
  ): Promise<OperationOutput<Name>> {
    const { rest, output }: Operation = operations[name];
    const { path, ...request } = toRequest(rest, input);
    const answer = await withRetries(
      async () => readBody((await this.#send(path, request, signal, timeoutMs)).json(), signal),
      rest.method === 'get',
      this.#retry,
      signal,
    );
    const read = readAnswer(output, answer);
    if (!read.success)
      throw new ServiceError(
        `The service gave an answer that this version of Dialtree doesn't understand (${name}). Update Dialtree or the service.`,
        { cause: read.error },
      );
    return read.data as OperationOutput<Name>;
  }

  /**
   * Every row of a list that comes in pages, from `input.cursor` or the beginning on. Pages are asked for as they are
   * needed; rejects as `call` does.
   */
  all<Name extends ListName>(
    name: Name,
    input: OperationInput<Name>,
    options: CallOptions = {},
  ): AsyncGenerator<ListItem<Name>, void, undefined> {
    const readPage = async (cursor: string | undefined): Promise<Page> =>
      await this.call(name, cursor === undefined ? input : { ...input, cursor }, options);
    return rowsOf(readPage, input.cursor) as AsyncGenerator<ListItem<Name>, void, undefined>;
  }

  /**
   * Listens until the signal aborts; connects again by itself. `onConnected` comes with every connection: what is shown
   * has to be read again, since what changed meanwhile was not told. Rejects only where connecting again cannot help (a
   * wrong key).
   */
  async events(
    signal: AbortSignal,
    onEvent: (event: WorkspaceEvent) => void,
    onConnected: () => void = () => undefined,
  ): Promise<void> {
    for (let failures = 0; !signal.aborted; failures += 1) {
      const silence = new AbortController();
      let timer: ReturnType<typeof setTimeout> | undefined;
      let askedMs: number | undefined;
      const alive = (): void => {
        clearTimeout(timer);
        timer = setTimeout(() => {
          silence.abort();
        }, silentStreamMs);
      };
      try {
        const response = await this.#send(
          '/events',
          { method: 'GET', headers: { accept: 'text/event-stream' } },
          AbortSignal.any([signal, silence.signal]),
          undefined,
        );
        failures = 0;
        alive();
        onConnected();
        if (response.body) await readEvents(response.body, onEvent, alive);
      } catch (error) {
        if (isFullMinute(error)) askedMs = fullMinuteWaitMs(failures, this.#retry.random);
        else if (isRateLimit(error)) askedMs = error.retryAfter === undefined ? undefined : error.retryAfter * 1000;
        else if (error instanceof ServiceError && error.status !== undefined && error.status < 500) throw error;
      } finally {
        clearTimeout(timer);
      }
      await this.#retry
        .wait(askedMs ?? Math.min(8000, 500 * 2 ** failures) * this.#retry.random(), signal)
        .catch(() => undefined);
    }
  }

  /**
   * Settles with the job when it has no active run (any more): `currentRun` tells how the latest ended. Rejects as
   * `call` does; the run goes on then.
   */
  waitForRun(jobId: string, options: WaitOptions = {}): Promise<MappingJob> {
    return this.#waitFor(
      (call) => this.call('getMapping', { id: jobId }, call),
      ({ status }) => status === 'idle',
      (event) => 'jobId' in event && event.jobId === jobId,
      options,
    );
  }

  /**
   * Settles with the results of a run of a test of any type when it has ended. Rejects as `call` does; the run goes on
   * then, unless it is cancelled.
   */
  waitForTestRun(runId: string, options: WaitOptions<RunResults> = {}): Promise<RunResults> {
    return this.#waitFor(
      (call) => this.call('getRunResults', { runId }, call),
      ({ status }) => status === 'completed',
      (event) => event.type === 'test.changed' && event.runId === runId,
      options,
    );
  }

  /**
   * Settles with a load test when it has ended; a running one tells its `progress`. Rejects as `call` does; the test
   * goes on then, unless it is cancelled.
   */
  waitForLoadTest(id: string, options: WaitOptions<LoadTest> = {}): Promise<LoadTest> {
    return this.#waitFor(
      (call) => this.call('getLoadTest', { id }, call),
      ({ status }) => status !== 'running',
      (event) => event.type === 'load.changed' && event.loadTestId === id,
      options,
    );
  }

  async #waitFor<State>(
    read: (call: CallOptions) => Promise<State>,
    isOver: (state: State) => boolean,
    concerns: (event: WorkspaceEvent) => boolean,
    { signal, onChange, by = 'events' }: WaitOptions<State>,
  ): Promise<State> {
    const over = new AbortController();
    let news = new AbortController();
    const wake = (): void => {
      news.abort();
    };
    // A service that sends no events is read all the same.
    if (by === 'events')
      void this.events(
        anyOf(signal, over.signal),
        (event) => {
          if (concerns(event)) wake();
        },
        wake,
      ).catch(() => undefined);
    try {
      for (let reads = 1; ; reads += 1) {
        news = new AbortController();
        const state = await this.#readWhenAllowed(read, signal);
        onChange?.(state);
        if (isOver(state)) return state;
        if (by === 'events' && reads >= readsAtOnce) await this.#retry.wait(readDistanceMs, signal);
        const longest = by === 'events' ? 10_000 : 5000 + 5000 * this.#retry.random();
        await this.#retry.wait(longest, anyOf(signal, news.signal)).catch(() => undefined);
        signal?.throwIfAborted();
      }
    } finally {
      over.abort();
    }
  }

  /** Reads again when the service says so, or after longer and longer waits if the workspace's minute is full. */
  async #readWhenAllowed<State>(
    read: (call: CallOptions) => Promise<State>,
    signal: AbortSignal | undefined,
  ): Promise<State> {
    for (let refusals = 0; ; refusals += 1) {
      try {
        return await read(signal ? { signal } : {});
      } catch (error) {
        if (!isRateLimit(error)) throw error;
        if (!isFullMinute(error) && error.retryAfter === undefined) throw error;
        const waitMs = isFullMinute(error)
          ? fullMinuteWaitMs(refusals, this.#retry.random)
          : Math.max(1, error.retryAfter ?? 0) * 1000;
        await this.#retry.wait(waitMs, signal);
      }
    }
  }

  /** The WAV behind an audioUrl. Needs no key, and sends none: the address may lie on another host. */
  async fetchAudio(url: string, { signal }: CallOptions = {}): Promise<Uint8Array<ArrayBuffer>> {
    return await withRetries(
      async () => {
        const response = await this.#exchange(url, { method: 'GET' }, signal, this.#timeoutMs);
        return await readBody(
          response.arrayBuffer().then((buffer) => new Uint8Array(buffer)),
          signal,
        );
      },
      true,
      this.#retry,
      signal,
    );
  }

  /** So many bytes of the WAV behind an audioUrl, or as many as there are from this one on. */
  async fetchAudioPart(url: string, from: number, bytes: number, { signal }: CallOptions = {}): Promise<AudioPart> {
    return await withRetries(
      async () => {
        const response = await this.#exchange(
          url,
          { method: 'GET', headers: { range: `bytes=${String(from)}-${String(from + bytes - 1)}` } },
          signal,
          this.#timeoutMs,
        );
        const wav = new Uint8Array(await readBody(response.arrayBuffer(), signal));
        // A server may leave the range aside and answer with all of it (RFC 9110, section 14.2).
        if (response.status !== 206) return { wav: wav.slice(from, from + bytes), total: wav.length };
        const total = /\/(\d+)$/.exec(response.headers.get('content-range') ?? '')?.[1];
        return { wav, total: total === undefined ? from + wav.length : Number(total) };
      },
      true,
      this.#retry,
      signal,
    );
  }

  #send(
    path: string,
    request: RequestInit,
    signal: AbortSignal | undefined,
    timeoutMs: number | undefined,
  ): Promise<Response> {
    const { apiKey } = this.#options;
    const headers = {
      ...(request.headers as Record<string, string>),
      ...(apiKey !== undefined && { 'x-api-key': apiKey }),
    };
    return this.#exchange(`${this.#baseUrl}${path}`, { ...request, headers }, signal, timeoutMs);
  }

  #exchange(
    url: string,
    request: RequestInit,
    signal: AbortSignal | undefined,
    timeoutMs: number | undefined,
  ): Promise<Response> {
    return exchange(url, request, { fetch: this.#fetch, signal, timeoutMs });
  }
}

const anyOf = (signal: AbortSignal | undefined, other: AbortSignal): AbortSignal =>
  signal ? AbortSignal.any([signal, other]) : other;
