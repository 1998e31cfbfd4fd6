import * as z from 'zod';
import type { AudioPart, RequestOptions } from '../../client/client.ts';
import { HumanError } from '../../contract/errors.ts';
import type { WorkspaceEvent } from '../../contract/events.ts';
import type { OperationInput, OperationName, OperationOutput } from '../../contract/operations.ts';
import { Emitter } from '../basics/emitter.ts';
import { isStatus, isTypedError, isUnreachable, messageOf, shownMessage, wasNeverSent } from '../basics/errors.ts';
import type { L10n } from '../basics/localise.ts';
import type { ServiceSettings } from '../basics/settings.ts';
import { assertTrusted, reachesPeople } from '../basics/trust.ts';
import type { ApiKeys } from './apiKeys.ts';
import type { EmbeddedService } from './embeddedService.ts';
import type { ClientFactory, ServiceAddress, ServiceClient } from './serviceClient.ts';

export type ServiceState =
  /** Not needed yet. */
  | { readonly kind: 'idle' }
  | { readonly kind: 'starting' }
  | { readonly kind: 'ready' }
  /** A remote service without a key, or with one that it refuses. */
  | { readonly kind: 'needsKey' }
  | { readonly kind: 'unreachable'; readonly message: string };

interface ConnectionOptions {
  readonly settings: () => ServiceSettings;
  readonly keys: Pick<ApiKeys, 'read'>;
  readonly embedded: Pick<EmbeddedService, 'onDidChange' | 'start' | 'restart' | 'lost'>;
  readonly createClient: ClientFactory;
  /** Whether this window may place calls. Absent if the caller has already checked. */
  readonly isTrusted?: () => boolean;
  readonly l10n: L10n;
  /** Starts the practice IVR of a file on this machine, which an address belongs to. */
  readonly startPractice?: (file: string) => Promise<unknown>;
}

/** In the refusal of calls to a practice IVR that isn't running. */
const stoppedSchema = z.object({ file: z.string().min(1) });

/** A request to cancel a mapping, test run or load test begins, or ends. */
export interface CancelChange {
  readonly id: string;
  /** `done`: the calls are over, which the service's events report too. */
  readonly state: 'begun' | 'done' | 'failed';
}

export type CancelRequests = Pick<Connection, 'onDidCancel' | 'isCancelling'>;

interface Link {
  readonly address: ServiceAddress;
  readonly client: ServiceClient;
}

/**
 * The connection to the service, embedded or remote: a client that starts what it needs, and knows its state. Code
 * above it doesn't need to know which of the two it is.
 */
export class Connection implements ServiceClient {
  readonly #options: ConnectionOptions;
  readonly #stateChanged = new Emitter<ServiceState>();
  readonly #replaced = new Emitter<undefined>();
  readonly onDidChangeState = this.#stateChanged.listen;
  /** Fires if another service is in use from now on, so earlier results don't apply. */
  readonly onDidReplace = this.#replaced.listen;
  readonly #cancelling = new Set<string>();
  readonly #cancelled = new Emitter<CancelChange>();
  readonly onDidCancel = this.#cancelled.listen;
  #state: ServiceState = { kind: 'idle' };
  #link: Link | undefined;

  constructor(options: ConnectionOptions) {
    this.#options = options;
    options.embedded.onDidChange((state) => {
      if (this.mode !== 'embedded') return;
      if (state.kind === 'starting' || state.kind === 'crashed') this.#set({ kind: 'starting' });
      if (state.kind === 'failed') this.#set({ kind: 'unreachable', message: shownMessage(state.error, options.l10n) });
      if (state.kind === 'ready') this.#set({ kind: 'ready' });
    });
  }

  get state(): ServiceState {
    return this.#state;
  }
  get mode(): ServiceSettings['mode'] {
    return this.#options.settings().mode;
  }

  /** Returns true from a request to cancel until its answer, which comes when the calls are over. */
  isCancelling(id: string): boolean {
    return this.#cancelling.has(id);
  }

  async call<Name extends OperationName>(
    name: Name,
    input: OperationInput<Name>,
    options?: RequestOptions,
  ): Promise<OperationOutput<Name>> {
    const answer = this.#call(name, input, options);
    return name.startsWith('cancel') ? this.#whileCancelling(Object.values(input)[0] as string, answer) : answer;
  }

  async events(signal: AbortSignal, onEvent: (event: WorkspaceEvent) => void, onConnected?: () => void): Promise<void> {
    const link = await this.#connect();
    await link.client.events(signal, onEvent, onConnected);
  }

  async fetchAudio(url: string): Promise<Uint8Array<ArrayBuffer>> {
    return this.#through((client) => client.fetchAudio(url), true);
  }

  async fetchAudioPart(url: string, from: number, bytes: number): Promise<AudioPart> {
    return this.#through((client) => client.fetchAudioPart(url, from, bytes), true);
  }

  /** Call this after a change of settings or key. */
  reset(): void {
    this.#link = undefined;
    this.#set({ kind: 'idle' });
    this.#replaced.fire(undefined);
  }

  /** Restarts the embedded service, or tries a remote one again. */
  async restart(): Promise<void> {
    this.#link = undefined;
    if (this.mode === 'embedded') await this.#options.embedded.restart();
    this.#replaced.fire(undefined);
  }

  dispose(): void {
    this.#stateChanged.dispose();
    this.#replaced.dispose();
    this.#cancelled.dispose();
  }

  async #call<Name extends OperationName>(
    name: Name,
    input: OperationInput<Name>,
    options: RequestOptions | undefined,
  ): Promise<OperationOutput<Name>> {
    const { isTrusted, l10n } = this.#options;
    // On demand, like the client, which checks answers with the same schemas.
    const { operations } = await import('../../contract/operations.ts');
    if (reachesPeople(operations[name])) assertTrusted(isTrusted?.() ?? true, l10n);
    const repeatable = operations[name].rest.method === 'get';
    const attempt = (): Promise<OperationOutput<Name>> =>
      this.#through((client) => client.call(name, input, options), repeatable);
    try {
      return await attempt();
    } catch (error) {
      const { startPractice } = this.#options;
      if (!isTypedError(error) || error.code !== 'practice_stopped' || !startPractice || this.mode !== 'embedded')
        throw error;
      const stopped = stoppedSchema.safeParse(error.details).data;
      if (!stopped) throw error;
      await startPractice(stopped.file);
      return await attempt();
    }
  }

  async #whileCancelling<T>(id: string, answer: Promise<T>): Promise<T> {
    this.#cancelling.add(id);
    this.#cancelled.fire({ id, state: 'begun' });
    let state: CancelChange['state'] = 'failed';
    try {
      const result = await answer;
      state = 'done';
      return result;
    } finally {
      this.#cancelling.delete(id);
      this.#cancelled.fire({ id, state });
    }
  }

  async #through<T>(work: (client: ServiceClient) => Promise<T>, repeatable: boolean): Promise<T> {
    const link = await this.#connect();
    try {
      return await this.#attempt(link, work);
    } catch (error) {
      if (!isUnreachable(error) || this.mode === 'remote') throw error;
      // The embedded service ends when it is idle, in whichever window it runs. A call that doesn't reach it starts it
      // again.
      this.#options.embedded.lost(link.address);
      if (!repeatable && !wasNeverSent(error)) throw error;
      return this.#attempt(await this.#connect(), work);
    }
  }

  async #attempt<T>(link: Link, work: (client: ServiceClient) => Promise<T>): Promise<T> {
    try {
      const result = await work(link.client);
      if (this.#isCurrent(link)) this.#set({ kind: 'ready' });
      return result;
    } catch (error) {
      if (!this.#isCurrent(link)) throw error;
      if (isUnreachable(error)) {
        // The embedded service recovers by itself, and reports its own state.
        if (this.mode === 'remote') this.#set({ kind: 'unreachable', message: messageOf(error) ?? '' });
      } else if (isStatus(error, 401) && this.mode === 'remote') {
        this.#set({ kind: 'needsKey' });
      } else if (isStatus(error, 404) || isStatus(error, 400) || isStatus(error, 403) || isStatus(error, 409)) {
        this.#set({ kind: 'ready' });
      }
      throw error;
    }
  }

  #isCurrent(link: Link): boolean {
    return this.#link === link;
  }

  async #connect(): Promise<Link> {
    const address = await (this.mode === 'embedded' ? this.#options.embedded.start() : this.#remoteAddress());
    if (this.#link?.address.baseUrl === address.baseUrl && this.#link.address.apiKey === address.apiKey)
      return this.#link;
    this.#link = { address, client: this.#options.createClient(address) };
    return this.#link;
  }

  async #remoteAddress(): Promise<ServiceAddress> {
    const { settings, keys, l10n } = this.#options;
    const { url } = settings();
    if (url === undefined) {
      const message = l10n.t(
        "The address of the remote service is missing or isn't an https address. Choose the service again.",
      );
      this.#set({ kind: 'unreachable', message });
      throw new HumanError(message, { status: 400, code: 'service_url' });
    }
    const apiKey = await keys.read(url);
    if (apiKey === undefined) {
      this.#set({ kind: 'needsKey' });
      throw new HumanError(l10n.t('The remote service needs an API key. Set the key first.'), {
        status: 401,
        code: 'key_required',
      });
    }
    return { baseUrl: url, apiKey };
  }

  #set(state: ServiceState): void {
    if (state.kind === this.#state.kind && JSON.stringify(state) === JSON.stringify(this.#state)) return;
    this.#state = state;
    this.#stateChanged.fire(state);
  }
}
