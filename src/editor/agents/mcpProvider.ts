import { EventEmitter, McpHttpServerDefinition, Uri } from 'vscode';
import type { McpServerDefinitionProvider } from 'vscode';
import { DisposableStore } from '../basics/lifetime.ts';
import type { Disposable } from '../basics/lifetime.ts';
import type { McpServer } from './mcpServer.ts';

/** Offers the service to the editor's agent mode. */
export class McpProvider implements McpServerDefinitionProvider<McpHttpServerDefinition>, Disposable {
  readonly #server: McpServer;
  readonly #disposables = new DisposableStore();
  readonly #changed = this.#disposables.add(new EventEmitter<void>());
  readonly onDidChangeMcpServerDefinitions = this.#changed.event;

  constructor(server: McpServer) {
    this.#server = server;
    this.#disposables.add(
      server.onDidChange(() => {
        this.#changed.fire();
      }),
    );
  }

  provideMcpServerDefinitions(): McpHttpServerDefinition[] {
    const { offered } = this.#server;
    return offered
      ? [new McpHttpServerDefinition(offered.label, Uri.parse(offered.url), { ...offered.headers }, offered.version)]
      : [];
  }

  async resolveMcpServerDefinition(definition: McpHttpServerDefinition): Promise<McpHttpServerDefinition> {
    const { url, headers } = await this.#server.started();
    definition.uri = Uri.parse(url);
    definition.headers = { ...headers };
    return definition;
  }

  dispose(): void {
    this.#disposables.dispose();
  }
}
