import { HumanError } from '../../contract/errors.ts';
import type { OperationInput, OperationName, OperationOutput } from '../../contract/operations.ts';
import { Emitter } from '../basics/emitter.ts';
import { isStatus, isUnreachable } from '../basics/errors.ts';
import type { Disposable } from '../basics/lifetime.ts';
import type { L10n } from '../basics/localise.ts';
import type { ServiceSettings } from '../basics/settings.ts';
import { Connection } from '../host/connection.ts';
import type { EmbeddedService } from '../host/embeddedService.ts';
import type { ClientFactory, ServiceAddress, ServiceClient } from '../host/serviceClient.ts';
import type { AgentKey } from './agentKey.ts';

interface AgentAccessParts {
  readonly settings: () => ServiceSettings;
  readonly enabled: () => boolean;
  /** False in Restricted Mode, in which nothing is called. */
  readonly isTrusted: () => boolean;
  readonly embedded: Pick<EmbeddedService, 'onDidChange' | 'start' | 'restart' | 'lost' | 'state'>;
  readonly key: AgentKey;
  readonly createClient: ClientFactory;
  readonly l10n: L10n;
}

interface AgentEndpoint {
  readonly mcpUrl: string;
  readonly apiKey: string;
}

/** The MCP path is beside REST. */
const mcpOf = (baseUrl: string): string => baseUrl.replace(/\/v1$/, '/mcp');

/**
 * The service as agents reach it: with their own, limited key. Starts the service on demand, and creates the key when
 * it is first needed.
 */
export class AgentAccess implements Pick<ServiceClient, 'call'> {
  readonly #parts: AgentAccessParts;
  readonly #connection: Connection;
  readonly #changed = new Emitter<undefined>();
  readonly #listening: Disposable;
  /** Fires if the address or key for agents changes, or whether they are allowed. */
  readonly onDidChange = this.#changed.listen;
  /** The key that the service last accepted, until it refuses it. */
  #taken: string | undefined;
  #taking: Promise<string> | undefined;
  #resets = 0;

  constructor(parts: AgentAccessParts) {
    this.#parts = parts;
    const { settings, embedded, createClient, isTrusted, l10n } = parts;
    this.#listening = embedded.onDidChange(() => this.#changed.fire(undefined));
    this.#connection = new Connection({
      settings,
      createClient,
      isTrusted,
      l10n,
      keys: { read: (url) => this.#keyFor(url) },
      embedded: {
        onDidChange: embedded.onDidChange,
        restart: () => embedded.restart(),
        lost: (address) => embedded.lost(address),
        start: () => this.#reach(),
      },
    });
  }

  /**
   * The known address of the service, or undefined if the embedded service isn't running or the remote one has no
   * address.
   */
  get knownMcpUrl(): string | undefined {
    const { settings, embedded } = this.#parts;
    const { mode, url } = settings();
    const baseUrl =
      mode === 'remote' ? url : embedded.state.kind === 'ready' ? embedded.state.address.baseUrl : undefined;
    return baseUrl === undefined ? undefined : mcpOf(baseUrl);
  }

  /** Grows with each `reset`. Endpoints from before a reset are invalid. */
  get resets(): number {
    return this.#resets;
  }

  /**
   * Starts the service and creates the key if necessary.
   * @throws HumanError `agents_off`, and the errors of starting and creating
   */
  async endpoint(): Promise<AgentEndpoint> {
    this.#assertEnabled();
    // The caller uses the key itself, so check once more that the service accepts it.
    this.#taken = undefined;
    const { baseUrl, apiKey } = await this.#reach();
    return { mcpUrl: mcpOf(baseUrl), apiKey };
  }

  async call<Name extends OperationName>(
    name: Name,
    input: OperationInput<Name>,
    options?: { signal?: AbortSignal },
  ): Promise<OperationOutput<Name>> {
    this.#assertEnabled();
    try {
      return await this.#connection.call(name, input, options);
    } catch (error) {
      // The key was revoked. The refused request had no effect.
      if (!isStatus(error, 401) || this.#taken === undefined) throw error;
      this.#taken = undefined;
      return this.#connection.call(name, input, options);
    }
  }

  /** Call after a change of service, key or settings. */
  reset(): void {
    this.#taken = undefined;
    this.#resets += 1;
    this.#connection.reset();
    this.#changed.fire(undefined);
  }

  /**
   * Revokes the agents' key if agents aren't allowed any more. If the service isn't running, revokes it when the
   * service runs again.
   */
  async settle(): Promise<void> {
    const { enabled, key } = this.#parts;
    if (enabled() || this.knownMcpUrl === undefined || (await key.read()) === undefined) return;
    this.#taken = undefined;
    await key.revoke();
  }

  dispose(): void {
    this.#listening.dispose();
    this.#connection.dispose();
    this.#changed.dispose();
  }

  #assertEnabled(): void {
    if (this.#parts.enabled()) return;
    throw new HumanError(
      this.#parts.l10n.t(
        "Agents can't use Dialtree in this editor. To allow this, the user can run “Dialtree: Let Agents Use Dialtree…”.",
      ),
      { status: 403, code: 'agents_off' },
    );
  }

  async #reach(): Promise<ServiceAddress> {
    const { settings, embedded } = this.#parts;
    const address = await this.#address();
    try {
      return { ...address, apiKey: await this.#keyFor(address.baseUrl) };
    } catch (error) {
      if (settings().mode === 'remote' || !isUnreachable(error)) throw error;
      // The process of another window has ended in the meantime.
      embedded.lost({ ...address, apiKey: '' });
      const { baseUrl } = await this.#address();
      return { baseUrl, apiKey: await this.#keyFor(baseUrl) };
    }
  }

  async #address(): Promise<Pick<ServiceAddress, 'baseUrl'>> {
    const { settings, embedded, l10n } = this.#parts;
    const { mode, url } = settings();
    if (mode === 'embedded') return { baseUrl: (await embedded.start()).baseUrl };
    if (url === undefined)
      throw new HumanError(
        l10n.t("The address of the remote service is missing or isn't an https address. Choose the service again."),
        { status: 400, code: 'service_url' },
      );
    return { baseUrl: url };
  }

  /** Returns a key that the service accepts. Concurrent requests share the result. */
  #keyFor(baseUrl: string): Promise<string> {
    if (this.#taken !== undefined) return Promise.resolve(this.#taken);
    this.#taking ??= this.#take(baseUrl).finally(() => {
      this.#taking = undefined;
    });
    return this.#taking;
  }

  async #take(baseUrl: string): Promise<string> {
    const { key } = this.#parts;
    const storedKey = await key.read();
    this.#taken =
      storedKey !== undefined && (await this.#isTaken({ baseUrl, apiKey: storedKey })) ? storedKey : await key.make();
    return this.#taken;
  }

  async #isTaken(address: ServiceAddress): Promise<boolean> {
    try {
      await this.#parts.createClient(address).call('getWorkspaceUsage', {});
      return true;
    } catch (error) {
      if (isStatus(error, 401)) return false;
      throw error;
    }
  }
}
