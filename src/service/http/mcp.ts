import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js';
import { CallToolRequestSchema, ErrorCode, ListToolsRequestSchema, McpError } from '@modelcontextprotocol/sdk/types.js';
import type { CallToolResult, Tool } from '@modelcontextprotocol/sdk/types.js';
import * as z from 'zod';
import { errorBodySchema } from '../../contract/errors.ts';
import { limits } from '../../contract/limits.ts';
import { operations } from '../../contract/operations.ts';
import type { Operation } from '../../contract/operation.ts';
import type { OperationName } from '../../contract/operations.ts';
import type { Logger } from '../log.ts';
import { readText } from './body.ts';
import { describeFailure } from './errors.ts';
import { invoke } from './invoke.ts';
import type { Asking, OpenHandlers } from './invoke.ts';

export const serverVersion = '0.1.0';

type ToolSchema = Tool['inputSchema'];
const toSchema = (schema: z.ZodType, io: 'input' | 'output'): ToolSchema => {
  const { $schema: _dialect, ...rest } = z.toJSONSchema(schema, { io });
  return rest as ToolSchema;
};

/** An error as a tool's result: the error's body with its status. */
const toolErrorSchema = z
  .looseObject({ ...errorBodySchema.pick({ message: true, code: true, requestId: true }).shape, status: z.number() })
  .meta({ additionalProperties: true });
/** Clients hold structured content against this schema in errors too, and would show a mismatch instead of the error's message. */
const toOutputSchema = (output: z.ZodType): ToolSchema => ({
  ...toSchema(z.union([output, toolErrorSchema]), 'output'),
  type: 'object',
});

const tools: readonly Tool[] = Object.entries<Operation>(operations).flatMap(
  ([name, { tool, title, description, input, output }]) =>
    tool
      ? [
          {
            name,
            title,
            description,
            inputSchema: toSchema(input, 'input'),
            outputSchema: toOutputSchema(output),
            annotations: {
              title,
              readOnlyHint: tool.readOnly,
              destructiveHint: tool.destructive,
              idempotentHint: tool.readOnly,
              openWorldHint: tool.openWorld,
            },
          },
        ]
      : [],
);
const toolNames = new Set(tools.map((tool) => tool.name));

/** Never used: this server asks nothing of its clients. It spares each request a validator of its own. */
const noValidator = {
  getValidator: () => () => {
    throw new Error('no elicitation here');
  },
};

export interface McpRequest {
  readonly request: Request;
  readonly requestId: string;
  readonly asking: Asking;
  readonly open: OpenHandlers;
  readonly log: Logger;
}

/** One request over streamable HTTP: stateless, answered in JSON. The transport's client may be any of the protocol's versions. */
export async function answerMcp({ request, requestId, asking, open, log }: McpRequest): Promise<Response> {
  // No stream is offered. A client that gets one and sees it end would ask for it again each second.
  if (request.method !== 'POST') {
    const body = { message: `This address takes POST, not ${request.method}.`, code: 'method_not_allowed', requestId };
    return Response.json(body, { status: 405, headers: { allow: 'POST' } });
  }
  // The server inside takes JSON schemas as they are, and so the very schemas of the contract; the outer one would make its own.
  const { server } = new McpServer(
    { name: 'dialtree', title: 'Dialtree', version: serverVersion },
    { capabilities: {}, jsonSchemaValidator: noValidator },
  );
  // Declared here, since the outer server would promise to tell of changes to the list.
  server.registerCapabilities({ tools: {} });
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: [...tools] }));
  server.setRequestHandler(CallToolRequestSchema, async ({ params }): Promise<CallToolResult> => {
    if (!toolNames.has(params.name))
      throw new McpError(
        ErrorCode.InvalidParams,
        `There is no tool ${params.name}. List the tools to see which there are.`,
      );
    try {
      return toResult(await invoke(params.name as OperationName, params.arguments ?? {}, asking, open));
    } catch (error) {
      const { status, body } = describeFailure(error, requestId, log);
      return { ...toResult({ ...body, status }), isError: true };
    }
  });
  const transport = new WebStandardStreamableHTTPServerTransport({
    enableJsonResponse: true,
    maxRequestBodySize: limits.bodyBytes,
  });
  await server.connect(transport);
  // Settles with the whole answer: no stream and no timer is left that would have to be closed.
  return await transport.handleRequest(request);
}

const openTools = new Set(
  Object.entries<Operation>(operations)
    .filter(([, { scope, tool }]) => scope === 'open' && tool)
    .map(([name]) => name),
);
const openMethods = new Set(['initialize', 'ping', 'tools/list', 'notifications/initialized']);
const messageSchema = z.object({
  method: z.string(),
  params: z.object({ name: z.string() }).optional().catch(undefined),
});

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** What an agent without a key may send: enough to see the tools and to register, and to be told that there is no stream. */
export async function isOpenMessage(request: Request): Promise<boolean> {
  if (request.method !== 'POST') return true;
  const message = messageSchema.safeParse(parseJson(await readText(request))).data;
  return (
    message !== undefined &&
    (openMethods.has(message.method) || (message.method === 'tools/call' && openTools.has(message.params?.name ?? '')))
  );
}

const toResult = (value: unknown): CallToolResult => ({
  structuredContent: value as Record<string, unknown>,
  content: [{ type: 'text', text: JSON.stringify(value) }],
});
