import { EventEmitter, McpHttpServerDefinition, Uri } from 'vscode';
import type { McpServerDefinitionProvider } from 'vscode';
import type { Disposable } from '../lifetime.ts';
import type { AgentAccess } from './agentAccess.ts';
import { offeredServer, startedServer } from './mcpServer.ts';
import type { McpServerParts } from './mcpServer.ts';

/** Offers the service to the editor's agent mode. */
export class McpProvider implements McpServerDefinitionProvider<McpHttpServerDefinition>, Disposable {
  readonly #parts: McpServerParts;
  readonly #changed = new EventEmitter<void>();
  readonly onDidChangeMcpServerDefinitions = this.#changed.event;
  readonly #listening: Disposable;

  constructor(parts: McpServerParts & { readonly access: Pick<AgentAccess, 'onDidChange'> }) {
    this.#parts = parts;
    this.#listening = parts.access.onDidChange(() => { this.#changed.fire(); });
  }

  provideMcpServerDefinitions(): McpHttpServerDefinition[] {
    const offered = offeredServer(this.#parts);
    return offered ? [new McpHttpServerDefinition(offered.label, Uri.parse(offered.url), { ...offered.headers }, offered.version)] : [];
  }

  async resolveMcpServerDefinition(server: McpHttpServerDefinition): Promise<McpHttpServerDefinition> {
    const started = await startedServer(this.#parts);
    server.uri = Uri.parse(started.url);
    server.headers = { ...started.headers };
    return server;
  }

  dispose(): void {
    this.#listening.dispose();
    this.#changed.dispose();
  }
}
