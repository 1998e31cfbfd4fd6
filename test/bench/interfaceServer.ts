import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js';
import { CallToolRequestSchema, ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import type { CallToolResult, Tool } from '@modelcontextprotocol/sdk/types.js';
import * as z from 'zod';
import type { Operation } from '../../src/contract/operation.ts';
import { operations } from '../../src/contract/operations.ts';
import { ServiceFixture } from '../support/serviceFixture.ts';

const info = { name: 'bare', version: '1' };
const answer: CallToolResult = { structuredContent: { items: [] }, content: [{ type: 'text', text: '{"items":[]}' }] };
const offered = Object.entries<Operation>(operations).filter(([, { tool }]) => tool !== undefined);
const toSchema = (schema: z.ZodType, io: 'input' | 'output') => z.toJSONSchema(schema, { io }) as Tool['inputSchema'];
const table: readonly Tool[] = offered.map(([name, { description, input, output }]) => ({
  name,
  description,
  inputSchema: toSchema(input, 'input'),
  outputSchema: toSchema(output, 'output'),
}));

/** The minimum for a request without a session: two handlers over a table that was built once. */
function leanServer(): McpServer {
  const mcp = new McpServer(info, {
    capabilities: {},
    jsonSchemaValidator: {
      getValidator: () => () => {
        throw new Error('never used');
      },
    },
  });
  mcp.server.registerCapabilities({ tools: {} });
  mcp.server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: [...table] }));
  mcp.server.setRequestHandler(CallToolRequestSchema, () => answer);
  return mcp;
}

/** As in the SDK's examples: every tool is registered with its schemas. */
function registeredServer(): McpServer {
  const mcp = new McpServer(info);
  for (const [name, { description, input, output }] of offered)
    mcp.registerTool(name, { description, inputSchema: input, outputSchema: output }, () => answer);
  return mcp;
}

/** One server per request, as a stateless transport requires. */
const stateless =
  (make: () => McpServer) =>
  async (request: Request): Promise<Response> => {
    const mcp = make();
    const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
    await mcp.connect(transport);
    try {
      return await transport.handleRequest(request);
    } finally {
      await mcp.close();
    }
  };

async function listen(handle: (request: Request) => Promise<Response>): Promise<string> {
  const listener = getRequestListener(handle, { overrideGlobalObjects: false });
  const server = createServer((incoming, outgoing) => {
    void listener(incoming, outgoing);
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return `http://127.0.0.1:${String((server.address() as AddressInfo).port)}/mcp`;
}

/** The whole service over its store; only the tier's requests per minute aren't counted. */
async function startOurs(): Promise<{ readonly url: string; readonly headers: Record<string, string> }> {
  const fixture = new ServiceFixture();
  process.once('disconnect', () => {
    void fixture.close().then(() => {
      process.exit(0);
    });
  });
  const { mcpUrl, apiKey, client } = await fixture.start({
    parts: { rateLimit: { take: () => Promise.resolve(0), takeVisit: () => Promise.resolve(0) } },
  });
  await client.call('listMappings', {});
  return { url: mcpUrl, headers: { 'x-api-key': apiKey } };
}

const kind = process.argv[2] ?? '';
if (kind !== 'ours')
  process.once('disconnect', () => {
    process.exit(0);
  });
const starts: Readonly<
  Record<string, () => Promise<{ readonly url: string; readonly headers: Record<string, string> }>>
> = {
  ours: startOurs,
  lean: async () => ({ url: await listen(stateless(leanServer)), headers: {} }),
  example: async () => ({ url: await listen(stateless(registeredServer)), headers: {} }),
};
const start = starts[kind];
if (!start) throw new Error(`There is no server ${kind}.`);
process.send?.(await start());
