/** An MCP client that is not this editor, and where its configuration lies. */
export interface McpClient {
  readonly label: string;
  readonly file: string;
  /** The member that holds its servers. */
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

/** Most others read what Claude Code reads. */
export const otherClient = (label: string): McpClient => ({
  label,
  file: 'mcpServers',
  member: 'mcpServers',
  typed: true,
});

/** A configuration of one server, as JSON that can stand alone in a file. */
export const clientConfig = (
  { member, typed }: McpClient,
  { mcpUrl, apiKey }: { readonly mcpUrl: string; readonly apiKey: string },
): string =>
  `${JSON.stringify({ [member]: { dialtree: { ...(typed && { type: 'http' }), url: mcpUrl, headers: { 'x-api-key': apiKey } } } }, undefined, 2)}\n`;
