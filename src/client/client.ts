import type { ErrorBody } from '../contract/errors.ts';
import { errorBodySchema } from '../contract/errors.ts';
import type { WorkspaceEvent } from '../contract/events.ts';
import type { MappingJob } from '../contract/mapping.ts';
import { operations } from '../contract/operations.ts';
import type { Operation } from '../contract/operation.ts';
import type { OperationInput, OperationName, OperationOutput } from '../contract/operations.ts';
import { ConnectionError, errorOf, ServiceError, TimeoutError } from './errors.ts';
import { waitFor, withRetries } from './retry.ts';
import type { RetryParts } from './retry.ts';
import { readEvents } from './serverEvents.ts';

export interface ClientOptions {
  /** `http://127.0.0.1:PORT/v1` */
  readonly baseUrl: string;
  readonly apiKey: string;
  /** For one answer; default 30 s. */
  readonly timeoutMs?: number;
  readonly fetch?: typeof fetch;
  /** Time and chance, for tests. */
  readonly retry?: Partial<RetryParts>;
}

export interface CallOptions { readonly signal?: AbortSignal }

/** The stream of events is taken as dead after this long without a sign of life; the service sends one each 15 s. */
const silentStreamMs = 45_000;

/** Calls the interface over REST. Every operation of the contract is a name for `call`. */
export class DialtreeClient {
  readonly #options: ClientOptions;
  readonly #fetch: typeof fetch;
  readonly #retry: RetryParts;

  constructor(options: ClientOptions) {
    this.#options = options;
    this.#fetch = options.fetch ?? fetch;
    this.#retry = { wait: waitFor, random: Math.random, ...options.retry };
  }

  /** Rejects with a ServiceError, or with the signal's reason. */
  async call<Name extends OperationName>(name: Name, input: OperationInput<Name>, { signal }: CallOptions = {}): Promise<OperationOutput<Name>> {
    const { rest, output }: Operation = operations[name];
    const request = toRequest(rest, input);
    const answer = await withRetries(async () => {
      const response = await this.#send(request.path, request, signal);
      return await readJson(response);
    }, rest.method === 'get', this.#retry, signal);
    const parsed = output.safeParse(answer);
    if (!parsed.success) throw new ServiceError(`The service gave an answer that this version of Dialtree does not understand (${name}). Update Dialtree or the service.`, { cause: parsed.error });
    return parsed.data as OperationOutput<Name>;
  }

  /**
   * Listens until the signal aborts; connects again by itself. `onConnected` comes with every connection: what is shown has to be read again,
   * since what changed meanwhile was not told. Rejects only where connecting again cannot help (a wrong key).
   */
  async events(signal: AbortSignal, onEvent: (event: WorkspaceEvent) => void, onConnected: () => void = () => undefined): Promise<void> {
    for (let failures = 0; !signal.aborted; failures += 1) {
      const silence = new AbortController();
      let timer: ReturnType<typeof setTimeout> | undefined;
      const alive = (): void => { clearTimeout(timer); timer = setTimeout(() => { silence.abort(); }, silentStreamMs); };
      try {
        const response = await this.#send('/events', { method: 'GET', headers: { accept: 'text/event-stream' } }, AbortSignal.any([signal, silence.signal]), false);
        failures = 0;
        alive();
        onConnected();
        if (response.body) await readEvents(response.body, onEvent, alive);
      } catch (error) {
        if (error instanceof ServiceError && error.status !== undefined && error.status < 500 && error.status !== 429) throw error;
      } finally {
        clearTimeout(timer);
      }
      await this.#retry.wait(Math.min(8000, 500 * 2 ** failures) * this.#retry.random(), signal).catch(() => undefined);
    }
  }

  /**
   * Settles with the job when its active run has ended. Told by the service's events, and reads again every 10 s for a service that sends none.
   * `onChange` gets every state of the job on the way.
   */
  async waitForRun(jobId: string, { signal, onChange }: CallOptions & { readonly onChange?: (job: MappingJob) => void } = {}): Promise<MappingJob> {
    const over = new AbortController();
    const listening = signal ? AbortSignal.any([signal, over.signal]) : over.signal;
    let wake: () => void = () => undefined;
    let changed = false;
    const change = (): void => { changed = true; wake(); };
    void this.events(listening, (event) => { if (event.jobId === jobId) change(); }, change).catch(() => undefined);
    try {
      for (;;) {
        signal?.throwIfAborted();
        changed = false;
        const job = await this.call('getMapping', { id: jobId }, signal ? { signal } : {});
        onChange?.(job);
        if (job.status === 'idle') return job;
        await new Promise<void>((resolve, reject) => {
          if (changed) { resolve(); return; }
          const timer = setTimeout(resolve, 10_000);
          const abort = (): void => { clearTimeout(timer); reject(listening.reason as Error); };
          listening.addEventListener('abort', abort, { once: true });
          wake = () => { clearTimeout(timer); listening.removeEventListener('abort', abort); resolve(); };
        });
      }
    } finally {
      over.abort();
    }
  }

  /** The WAV behind an audioUrl. Needs no key, and sends none: the address may lie on another host. */
  async fetchAudio(url: string, { signal }: CallOptions = {}): Promise<Uint8Array<ArrayBuffer>> {
    return await withRetries(async () => {
      const response = await this.#exchange(url, { method: 'GET' }, signal, true);
      return await guardBody(response.arrayBuffer().then((buffer) => new Uint8Array(buffer)));
    }, true, this.#retry, signal);
  }

  #send(path: string, request: RequestInit, signal: AbortSignal | undefined, limited = true): Promise<Response> {
    const headers = { ...request.headers as Record<string, string>, 'x-api-key': this.#options.apiKey };
    return this.#exchange(`${this.#options.baseUrl}${path}`, { ...request, headers }, signal, limited);
  }

  async #exchange(url: string, request: RequestInit, signal: AbortSignal | undefined, limited: boolean): Promise<Response> {
    const timeout = limited ? AbortSignal.timeout(this.#options.timeoutMs ?? 30_000) : undefined;
    const signals = [signal, timeout].filter((one) => one !== undefined);
    let response: Response;
    try {
      response = await this.#fetch(url, { ...request, signal: AbortSignal.any(signals), redirect: 'error' });
    } catch (cause) {
      signal?.throwIfAborted();
      if (timeout?.aborted === true) throw new TimeoutError('The service did not answer in time.', { cause });
      throw new ConnectionError('The service cannot be reached. Check that it runs, and its address.', { cause, preFlight: isPreFlight(cause) });
    }
    if (response.ok) return response;
    const body = await response.json().then((value: unknown) => errorBodySchema.partial().safeParse(value), () => undefined);
    throw errorOf(response.status, body?.success ? body.data as Partial<ErrorBody> : undefined, retryAfterOf(response.headers));
  }
}

function toRequest(rest: Operation['rest'], input: Readonly<Record<string, unknown>>): RequestInit & { readonly path: string } {
  const inPath = new Set<string>();
  const path = rest.path.replaceAll(/\{(\w+)\}/g, (_place, name: string) => {
    inPath.add(name);
    return encodeURIComponent(String(input[name]));
  });
  const further = Object.entries(input).filter(([name, value]) => !inPath.has(name) && value !== undefined);
  const method = rest.method.toUpperCase();
  if (rest.method === 'get' || rest.method === 'delete') {
    const query = new URLSearchParams(further.map(([name, value]): [string, string] => [name, String(value)])).toString();
    return { path: query === '' ? path : `${path}?${query}`, method };
  }
  return { path, method, ...(further.length > 0 && { body: JSON.stringify(Object.fromEntries(further)), headers: { 'content-type': 'application/json' } }) };
}

const readJson = (response: Response): Promise<unknown> => guardBody(response.json());

async function guardBody<Value>(reading: Promise<Value>): Promise<Value> {
  try {
    return await reading;
  } catch (cause) {
    if (cause instanceof DOMException && cause.name === 'TimeoutError') throw new TimeoutError('The service did not finish its answer in time.', { cause });
    if (cause instanceof DOMException && cause.name === 'AbortError') throw cause;
    throw new ConnectionError('The connection to the service broke off.', { cause, preFlight: false });
  }
}

/** Causes at which no byte of the request had left (errno of connect and name lookup). */
const preFlightCodes = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH', 'UND_ERR_CONNECT_TIMEOUT']);

function isPreFlight(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if ('code' in error && typeof error.code === 'string' && preFlightCodes.has(error.code)) return true;
  if (error instanceof AggregateError) return error.errors.every(isPreFlight);
  return isPreFlight(error.cause);
}

function retryAfterOf(headers: Headers): number | undefined {
  const text = headers.get('retry-after');
  if (text === null) return undefined;
  const seconds = /^\d+$/.test(text) ? Number(text) : (Date.parse(text) - Date.now()) / 1000;
  return Number.isFinite(seconds) ? Math.max(0, seconds) : undefined;
}
