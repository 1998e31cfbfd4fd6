import { directFetch } from '../base/directFetch.ts';
import { Listeners } from '../base/listeners.ts';
import type { WorkspaceEvent } from '../contract/events.ts';
import type { LoadTest } from '../contract/loadTests.ts';
import type { MappingJob } from '../contract/mapping.ts';
import { operations, type OperationInput, type OperationName, type OperationOutput } from '../contract/operations.ts';
import type { Operation } from '../contract/operation.ts';
import type { RunResults } from '../contract/testRuns.ts';
import { exchange, notUnderstood, readResponse, readBody } from './exchange.ts';
import { isFullMinute, isRateLimit, ServiceError } from './errors.ts';
import { follow, followedLoad, followedMapping, followedRun, type Followed, type Listen } from './follow.ts';
import type { ListItem, ListName, ResponsePage } from './pages.ts';
import { toRequest } from './request.ts';
import { fullMinuteWaitMs, waitFor, withRetries, type RetryParts } from './retry.ts';
import { readEvents } from './serverEvents.ts';

export interface ClientOptions {
  /** `http://127.0.0.1:PORT/v1` */
  readonly baseUrl: string;
  /** Without a key, only registerWorkspace can be called. */
  readonly apiKey?: string;
  /** For one response; default 30 s. */
  readonly timeoutMs?: number;
  readonly fetch?: typeof fetch;
  /** Clock and randomness, for tests. */
  readonly retry?: Partial<RetryParts>;
}

export interface CallOptions {
  readonly signal?: AbortSignal;
}
/** `timeoutMs`: replaces the client's own limit, for requests that take longer. */
export interface RequestOptions extends CallOptions {
  readonly timeoutMs?: number;
  /** After it aborts, no attempt begins. One that has begun ends, because its answer says what it started. */
  readonly notAfter?: AbortSignal;
}

/** How long the service may wait for the end of a run before it answers. */
const waitMsOf = (input: object): number =>
  'waitSeconds' in input && typeof input.waitSeconds === 'number' ? input.waitSeconds * 1000 : 0;

/** A part of a WAV file. `total` is the size of the whole file in bytes. */
export interface AudioPart {
  readonly wav: Uint8Array<ArrayBuffer>;
  readonly total: number;
}

export interface WaitOptions<State = MappingJob> extends CallOptions {
  /**
   * `events` (default): reads when the service sends an event, and every 10 to 13 s. `polling`: reads every 5 to 10 s.
   */
  readonly by?: 'events' | 'polling';
  /** Receives every state that is read, including the last one. */
  readonly onChange?: (state: State) => void;
}

/** The event stream counts as dead after this long without data. The service sends a sign of life every 15 s. */
const silentStreamMs = 45_000;
/** Calls the interface over REST. `call` accepts the name of any operation of the contract. */
export class DialtreeClient {
  readonly #baseUrl: string;
  readonly #options: ClientOptions;
  readonly #fetch: typeof fetch;
  readonly #retry: RetryParts;
  readonly #listeners = new Listeners<[event: WorkspaceEvent | undefined]>();
  #stream: AbortController | undefined;

  constructor(options: ClientOptions) {
    this.#options = options;
    this.#baseUrl = options.baseUrl.replace(/\/+$/, '');
    this.#fetch = options.fetch ?? directFetch;
    this.#retry = { wait: waitFor, random: Math.random, ...options.retry };
  }

  get #timeoutMs(): number {
    return this.#options.timeoutMs ?? 30_000;
  }

  /** Rejects with a ServiceError, or with the signal's reason. */
  async call<Name extends OperationName>(
    name: Name,
    input: OperationInput<Name>,
    { signal, timeoutMs = this.#timeoutMs + waitMsOf(input), notAfter }: RequestOptions = {},
  ): Promise<OperationOutput<Name>> {
    const { rest, output }: Operation = operations[name];
    const { path, ...request } = toRequest(rest, input);
    const { response, answer } = await withRetries(
      async () => {
        notAfter?.throwIfAborted();
        const response = await this.#send(path, request, signal, timeoutMs);
        return { response, answer: await readBody(response, (one): Promise<unknown> => one.json(), signal) };
      },
      rest.method === 'get',
      this.#retry,
      AbortSignal.any([notAfter, signal].filter((one) => one !== undefined)),
    );
    const read = readResponse(output, answer);
    if (!read.success) throw notUnderstood(response, read.error, name);
    return read.data as OperationOutput<Name>;
  }

  /**
   * Returns every row of a paged list, from `input.cursor` or the beginning. Pages are requested as they are needed.
   * Rejects as `call` does.
   */
  async *all<Name extends ListName>(
    name: Name,
    input: OperationInput<Name>,
    options: CallOptions = {},
  ): AsyncGenerator<ListItem<Name>, void, undefined> {
    for (let next = input; ;) {
      const page: ResponsePage = await this.call(name, next, options);
      // A page can be empty without being the last.
      yield* page.items as ListItem<Name>[];
      if (page.nextCursor === undefined) return;
      next = { ...input, cursor: page.nextCursor };
    }
  }

  /**
   * Listens until the signal aborts, and reconnects by itself. `onConnected` is called with every connection: read
   * everything that is shown again, because events between connections are lost. Rejects only if reconnecting can't
   * help (a wrong key).
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
        timer = setTimeout(() => silence.abort(), silentStreamMs);
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
      if (signal.aborted) return;
      await this.#retry
        .wait(askedMs ?? Math.min(8000, 500 * 2 ** failures) * this.#retry.random(), signal)
        .catch(() => undefined);
    }
  }

  /**
   * Resolves with the job when it has no active run. `currentRun` says how the latest one ended. Rejects as `call`
   * does; the run continues in that case.
   */
  waitForRun(jobId: string, options: WaitOptions = {}): Promise<MappingJob> {
    return this.#waitFor(followedMapping(this, jobId), options);
  }

  /**
   * Resolves with the results of a test run when it has ended. Rejects as `call` does; the run continues in that case,
   * unless it is cancelled.
   */
  waitForTestRun(runId: string, options: WaitOptions<RunResults> = {}): Promise<RunResults> {
    return this.#waitFor(followedRun(this, runId), options);
  }

  /**
   * Resolves with a load test when it has ended. A running test reports its `progress`. Rejects as `call` does; the
   * test continues in that case, unless it is cancelled.
   */
  waitForLoadTest(id: string, options: WaitOptions<LoadTest> = {}): Promise<LoadTest> {
    return this.#waitFor(followedLoad(this, id), options);
  }

  async #waitFor<State>(
    followed: Followed<State>,
    { signal = new AbortController().signal, onChange = () => undefined, by }: WaitOptions<State>,
  ): Promise<State> {
    const state = await this.follow(followed, onChange, signal, by);
    if (!followed.isOver(state)) signal.throwIfAborted();
    return state;
  }

  /** Reads a resource whenever it changes. Resolves with the last reading, also if the signal aborts. */
  follow<State>(
    followed: Followed<State>,
    onRead: (state: State) => void,
    signal: AbortSignal,
    by: WaitOptions['by'] = 'events',
  ): Promise<State> {
    const parts = { ...this.#retry, spaced: true, listen: by === 'events' ? this.#listen : undefined };
    return follow(parts, followed, onRead, signal);
  }

  /** All listeners share one stream. Without it, they still poll. */
  readonly #listen: Listen = (listener) => {
    this.#stream ??= this.#open();
    const remove = this.#listeners.add((event) => listener(event));
    return () => {
      remove();
      if (this.#listeners.size > 0) return;
      this.#stream?.abort();
      this.#stream = undefined;
    };
  };

  #open(): AbortController {
    const stream = new AbortController();
    const tell = (event?: WorkspaceEvent): void => {
      if (!stream.signal.aborted) this.#listeners.tell(event);
    };
    void this.events(stream.signal, tell, tell).catch(() => undefined);
    return stream;
  }

  /**
   * Yields the sound of a test run's call while it lasts, both sides together: 8 kHz, 16 bit, mono. Rejects with a
   * ServiceError, for example 409 if no call of the run is in progress, or with the signal's reason.
   */
  async *sound(runId: string, { signal }: CallOptions = {}): AsyncGenerator<Int16Array<ArrayBuffer>, void, undefined> {
    const path = `/testing/runs/${encodeURIComponent(runId)}/sound`;
    const response = await this.#send(path, { method: 'GET' }, signal, undefined);
    const reader = (response.body as ReadableStream<Uint8Array> | null)?.getReader();
    try {
      for (let rest = new Uint8Array(); reader;) {
        const { done, value } = await readBody(response, () => reader.read(), signal);
        if (done) return;
        const bytes = new Uint8Array([...rest, ...value]);
        const view = new DataView(bytes.buffer);
        // The network can split a sample.
        rest = bytes.slice(bytes.length - (bytes.length % 2));
        yield Int16Array.from({ length: Math.floor(bytes.length / 2) }, (_none, at) => view.getInt16(at * 2));
      }
    } finally {
      await reader?.cancel().catch(() => undefined);
    }
  }

  /** Fetches the WAV of an audioUrl. Needs no key and sends none, because the address can be on another host. */
  async fetchAudio(url: string, { signal }: CallOptions = {}): Promise<Uint8Array<ArrayBuffer>> {
    return (await this.#audio(url, {}, signal)).wav;
  }

  /** Fetches this many bytes of the WAV of an audioUrl, or fewer at its end. */
  async fetchAudioPart(url: string, from: number, bytes: number, { signal }: CallOptions = {}): Promise<AudioPart> {
    const range = `bytes=${String(from)}-${String(from + bytes - 1)}`;
    const { response, wav } = await this.#audio(url, { range }, signal);
    // A server can ignore the range and return everything (RFC 9110, section 14.2).
    if (response.status !== 206) return { wav: wav.slice(from, from + bytes), total: wav.length };
    const total = /\/(\d+)$/.exec(response.headers.get('content-range') ?? '')?.[1];
    return { wav, total: total === undefined ? from + wav.length : Number(total) };
  }

  #audio(url: string, headers: Record<string, string>, signal: AbortSignal | undefined) {
    return withRetries(
      async () => {
        const parts = { fetch: this.#fetch, signal, timeoutMs: this.#timeoutMs };
        const response = await exchange(url, { method: 'GET', headers }, parts);
        return { response, wav: new Uint8Array(await readBody(response, (one) => one.arrayBuffer(), signal)) };
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
    const parts = { fetch: this.#fetch, signal, timeoutMs };
    return exchange(`${this.#baseUrl}${path}`, { ...request, headers }, parts);
  }
}
