import type { AgentAccess } from './agentAccess.ts';

/** As it is declared in the manifest. */
export const mcpProviderId = 'dialtree.service';

/** An MCP server of the editor's agent mode, as `McpHttpServerDefinition` has it. */
export interface McpServer {
  readonly label: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Another one tells the editor that the tools may have changed. */
  readonly version: string;
}

export interface McpServerParts {
  readonly access: Pick<AgentAccess, 'knownMcpUrl' | 'endpoint'>;
  readonly enabled: () => boolean;
  /** Of the extension. */
  readonly version: string;
}

/** Where nothing is known yet; the editor asks again before it connects. */
const notStarted = 'http://127.0.0.1/mcp';

/** What is offered before anything is started: no key, and no process for it. Nothing where agents are not let in. */
export function offeredServer({ access, enabled, version }: McpServerParts): McpServer | undefined {
  return enabled() ? { label: 'Dialtree', url: access.knownMcpUrl ?? notStarted, headers: {}, version } : undefined;
}

/** The server that the editor connects to: started, with the key of agents. */
export async function startedServer({ access, version }: McpServerParts): Promise<McpServer> {
  const { mcpUrl, apiKey } = await access.endpoint();
  return { label: 'Dialtree', url: mcpUrl, headers: { 'x-api-key': apiKey }, version };
}
