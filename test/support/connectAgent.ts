import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';

/** Connects an MCP client to a service. */
export async function connectAgent(service: { readonly mcpUrl: string; readonly apiKey: string }): Promise<Client> {
  const agent = new Client({ name: 'test', version: '1' });
  await agent.connect(
    new StreamableHTTPClientTransport(new URL(service.mcpUrl), {
      requestInit: { headers: { 'x-api-key': service.apiKey } },
    }),
  );
  return agent;
}
