import { markedTextOnlyHeader } from '../../contract/untrusted.ts';
import { Emitter } from '../basics/emitter.ts';
import type { Disposable } from '../basics/lifetime.ts';
import type { L10n } from '../basics/localise.ts';
import { assertTrusted } from '../basics/trust.ts';
import type { AgentAccess } from './agentAccess.ts';

/** As declared in the manifest. */
export const mcpProviderId = 'dialtree.service';

/** An MCP server for the editor's agent mode, in the shape of `McpHttpServerDefinition`. */
interface OfferedServer {
  readonly label: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** A new version makes the editor read the tools again. */
  readonly version: string;
}

interface McpServerParts {
  readonly access: Pick<AgentAccess, 'knownMcpUrl' | 'endpoint' | 'onDidChange' | 'resets'>;
  readonly isRemote: () => boolean;
  readonly enabled: () => boolean;
  /** False in Restricted Mode, in which nothing is called. */
  readonly isTrusted: () => boolean;
  readonly version: string;
  readonly l10n: L10n;
}

const label = 'Dialtree';

/**
 * The service as the editor's agent mode sees it. The embedded service gets a new address at each start. Before it
 * starts, a placeholder is offered, which changes when an earlier address becomes invalid, so that the editor drops it
 * and asks again.
 */
export class McpServer implements Disposable {
  readonly #parts: McpServerParts;
  readonly #changed = new Emitter<undefined>();
  readonly onDidChange = this.#changed.listen;
  readonly #listening: Disposable;
  #lastAddress: { readonly url: string; readonly resets: number } | undefined;
  #start = 1;
  #offered: string;

  constructor(parts: McpServerParts) {
    this.#parts = parts;
    this.#offered = JSON.stringify(this.offered);
    this.#listening = parts.access.onDidChange(() => this.#look());
  }

  /** The server before anything is started, without a key or a process. Undefined if agents aren't allowed. */
  get offered(): OfferedServer | undefined {
    const { access, isRemote, enabled, version } = this.#parts;
    if (!enabled()) return undefined;
    const place = (isRemote() ? access.knownMcpUrl : undefined) ?? 'http://127.0.0.1/mcp';
    return { label, url: `${place}?start=${String(this.#start)}`, headers: {}, version };
  }

  /** Starts the service, and returns the server that the editor connects to, with the key of agents. */
  async started(): Promise<OfferedServer> {
    const { access, isTrusted, version, l10n } = this.#parts;
    assertTrusted(isTrusted(), l10n);
    const { mcpUrl, apiKey } = await access.endpoint();
    this.#lastAddress = { url: mcpUrl, resets: access.resets };
    // The editor gives its model the structured content of a result if there is any.
    return { label, url: mcpUrl, headers: { 'x-api-key': apiKey, [markedTextOnlyHeader]: 'true' }, version };
  }

  dispose(): void {
    this.#listening.dispose();
    this.#changed.dispose();
  }

  #look(): void {
    const { access } = this.#parts;
    if (
      this.#lastAddress &&
      (access.knownMcpUrl !== this.#lastAddress.url || access.resets !== this.#lastAddress.resets)
    ) {
      this.#lastAddress = undefined;
      this.#start += 1;
    }
    const offered = JSON.stringify(this.offered);
    if (offered === this.#offered) return;
    this.#offered = offered;
    this.#changed.fire(undefined);
  }
}
