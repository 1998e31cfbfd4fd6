import { markedTextOnlyHeader } from '../../contract/untrusted.ts';
import type { McpCommand } from '../host/createHost.ts';

/** An MCP client other than this editor, and the location of its configuration. */
export interface McpClient {
  readonly label: string;
  readonly file: string;
  /** The property that contains its servers. */
  readonly member: 'mcpServers' | 'servers';
  /** Whether an entry names its transport. */
  readonly typed: boolean;
}

/**
 * https://code.claude.com/docs/en/mcp, https://cursor.com/docs/context/mcp,
 * https://code.visualstudio.com/docs/copilot/reference/mcp-configuration
 */
export const mcpClients: readonly McpClient[] = [
  { label: 'Claude Code', file: '.mcp.json', member: 'mcpServers', typed: true },
  { label: 'Cursor', file: '.cursor/mcp.json', member: 'mcpServers', typed: false },
  { label: 'VS Code', file: '.vscode/mcp.json', member: 'servers', typed: true },
];

/** Most others read the same configuration as Claude Code. */
export const otherClient = (label: string): McpClient => ({
  label,
  file: 'mcpServers',
  member: 'mcpServers',
  typed: true,
});

/**
 * Returns a configuration for one server, as a complete JSON file. `place` is the address of the service, or the command
 * that starts it if necessary.
 */
export function clientConfig(
  { member, typed }: McpClient,
  place: { readonly mcpUrl: string } | McpCommand,
  apiKey: string,
): string {
  const server =
    'mcpUrl' in place
      ? { url: place.mcpUrl, headers: { 'x-api-key': apiKey, [markedTextOnlyHeader]: 'true' } }
      : { command: place.command, args: place.args, env: { ...place.env, DIALTREE_API_KEY: apiKey } };
  const type = 'mcpUrl' in place ? 'http' : 'stdio';
  return `${JSON.stringify({ [member]: { dialtree: { ...(typed && { type }), ...server } } }, undefined, 2)}\n`;
}
