import { Emitter } from '../basics/emitter.ts';
import type { Disposable } from '../basics/lifetime.ts';
import type { L10n } from '../basics/localise.ts';
import { demandTrust } from '../basics/trust.ts';
import type { AgentAccess } from './agentAccess.ts';

/** As it is declared in the manifest. */
export const mcpProviderId = 'dialtree.service';

/** An MCP server of the editor's agent mode, as `McpHttpServerDefinition` has it. */
export interface OfferedServer {
  readonly label: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Another one tells the editor that the tools may have changed. */
  readonly version: string;
}

export interface McpServerParts {
  readonly access: Pick<AgentAccess, 'knownMcpUrl' | 'endpoint' | 'onDidChange' | 'resets'>;
  readonly isRemote: () => boolean;
  readonly enabled: () => boolean;
  /** False: Restricted Mode, in which nothing is called. */
  readonly isTrusted: () => boolean;
  /** Of the extension. */
  readonly version: string;
  readonly l10n: L10n;
}

const label = 'Dialtree';

/**
 * The service as the editor's agent mode sees it. The embedded one has an address once it runs, and another after each
 * start: what is offered is a name for the start to come, and changes when an address that was given holds no more, at
 * which the editor lets go of it and asks again.
 */
export class McpServer implements Disposable {
  readonly #parts: McpServerParts;
  readonly #changed = new Emitter<undefined>();
  readonly onDidChange = this.#changed.listen;
  readonly #listening: Disposable;
  #given: { readonly url: string; readonly resets: number } | undefined;
  #start = 1;
  #offered: string;

  constructor(parts: McpServerParts) {
    this.#parts = parts;
    this.#offered = JSON.stringify(this.offered);
    this.#listening = parts.access.onDidChange(() => {
      this.#look();
    });
  }

  /** What there is before anything is started: no key, and no process for it. Undefined where agents are not let in. */
  get offered(): OfferedServer | undefined {
    const { access, isRemote, enabled, version } = this.#parts;
    if (!enabled()) return undefined;
    const place = (isRemote() ? access.knownMcpUrl : undefined) ?? 'http://127.0.0.1/mcp';
    return { label, url: `${place}?start=${String(this.#start)}`, headers: {}, version };
  }

  /** What the editor connects to: started, with the key of agents. */
  async started(): Promise<OfferedServer> {
    const { access, isTrusted, version, l10n } = this.#parts;
    demandTrust(isTrusted(), l10n);
    const { mcpUrl, apiKey } = await access.endpoint();
    this.#given = { url: mcpUrl, resets: access.resets };
    return { label, url: mcpUrl, headers: { 'x-api-key': apiKey }, version };
  }

  dispose(): void {
    this.#listening.dispose();
    this.#changed.dispose();
  }

  #look(): void {
    const { access } = this.#parts;
    if (this.#given && (access.knownMcpUrl !== this.#given.url || access.resets !== this.#given.resets)) {
      this.#given = undefined;
      this.#start += 1;
    }
    const offered = JSON.stringify(this.offered);
    if (offered === this.#offered) return;
    this.#offered = offered;
    this.#changed.fire(undefined);
  }
}
