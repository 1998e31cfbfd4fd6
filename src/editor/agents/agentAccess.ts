import { HumanError } from '../../contract/errors.ts';
import type { OperationInput, OperationName, OperationOutput } from '../../contract/operations.ts';
import { Emitter } from '../basics/emitter.ts';
import { isStatus } from '../basics/errors.ts';
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
  /** What the latest client uses. */
  #address: ServiceAddress | undefined;
  #taking: Promise<unknown> = Promise.resolve();
  #resets = 0;

  constructor(parts: AgentAccessParts) {
    this.#parts = parts;
    const { settings, embedded, createClient, isTrusted, l10n } = parts;
    this.#listening = embedded.onDidChange(() => this.#changed.fire(undefined));
    this.#connection = new Connection({
      settings,
      createClient: (address) => createClient((this.#address = address)),
      isTrusted,
      l10n,
      keys: { read: () => this.#takeKey() },
      embedded: {
        onDidChange: embedded.onDidChange,
        restart: () => embedded.restart(),
        lost: (address) => embedded.lost(address),
        start: async () => ({ ...(await embedded.start()), apiKey: await this.#takeKey() }),
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
    // The caller uses the key itself, so check first that the service accepts it.
    await this.call('getWorkspaceUsage', {});
    const { baseUrl = '', apiKey = '' } = this.#address ?? {};
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
      if (!isStatus(error, 401)) throw error;
      // The key was revoked. The refused request had no effect.
      await this.#takeKey(this.#address?.apiKey);
      return this.#connection.call(name, input, options);
    }
  }

  /** Call after a change of service, key or settings. */
  reset(): void {
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

  /** Returns the stored key, or creates one if there is none or the service refused it. One request at a time does. */
  #takeKey(refused?: string): Promise<string> {
    const { key } = this.#parts;
    const taken = this.#taking.then(async () => {
      const stored = await key.read();
      return stored === undefined || stored === refused ? key.make() : stored;
    });
    this.#taking = taken.catch(() => undefined);
    return taken;
  }
}
