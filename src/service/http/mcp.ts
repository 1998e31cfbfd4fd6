import { randomBytes, randomUUID } from 'node:crypto';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js';
import {
  CallToolRequestSchema,
  CancelledNotificationSchema,
  ErrorCode,
  InitializeRequestSchema,
  ListToolsRequestSchema,
  McpError,
  ProgressTokenSchema,
  type CallToolResult,
  type ResourceLink,
} from '@modelcontextprotocol/sdk/types.js';
import * as z from 'zod';
import { serverLimits } from '../../contract/limits.ts';
import { operations, type OperationName } from '../../contract/operations.ts';
import type { Operation } from '../../contract/operation.ts';
import { markedTextOnlyHeader } from '../../contract/untrusted.ts';
import { withoutMarks } from '../../model/dataMark.ts';
import type { Logger } from '../basics/log.ts';
import { parseJson, readBodyText } from './body.ts';
import { describeFailure } from './errors.ts';
import { invoke, type RequestContext, type OpenHandlers } from './invoke.ts';
import { markedError, markedResult } from './markedText.ts';
import type { McpCalls } from './mcpCalls.ts';
import { readMessage, withoutClientMembers } from './mcpMessage.ts';
import type { Progress } from '../runs/waits.ts';
import { pageForPerson } from './personPage.ts';
import { protocolError, type McpMethods } from './mcpMethods.ts';
import { outlineInstead, resourceLinks, resourceMethods, type Ask } from './resources.ts';
import { serverVersion } from '../basics/version.ts';
import { instructions, textTools, tools } from './toolList.ts';

const outputs = new Map<OperationName, Record<string, unknown>>();
/** Built when a tool is first called. */
function outputOf(name: OperationName): Record<string, unknown> {
  const schema = outputs.get(name) ?? z.toJSONSchema(operations[name].output, { io: 'output' });
  outputs.set(name, schema);
  return schema;
}
/** A model reads reasons in English only, so it gets no parts for other languages. */
const withoutParts = <Value>(value: Value): Value =>
  JSON.parse(JSON.stringify(value), (name, member: unknown) => (isParts(name, member) ? undefined : member)) as Value;
const isParts = (name: string, member: unknown): boolean => name.endsWith('Parts') && Array.isArray(member);
const inputs = new Map(tools.map(({ name, inputSchema }) => [name, inputSchema]));

/** Never used, because this server sends no requests to its clients. It saves each request its own validator. */
const noValidator = {
  getValidator: () => () => {
    throw new Error('no elicitation here');
  },
};

interface McpRequest {
  readonly request: Request;
  readonly requestId: string;
  readonly asking: RequestContext;
  readonly open: OpenHandlers;
  readonly prompts: McpMethods;
  readonly log: Logger;
  readonly calls: McpCalls;
  /** Charges what a call blocks if its response is a stream, which begins before the work. */
  readonly charge: <Result>(work: () => Promise<Result>) => Promise<Result>;
  /** Counts the messages of a batch after the first. Returns a response if there are too many. */
  readonly countFurther: (messages: number) => Promise<Response | undefined>;
}

/**
 * Answers one request over streamable HTTP, without state: in JSON, or as a stream with the progress of a tool call. The
 * client can use any version of the protocol.
 */
export async function answerMcp({
  request,
  requestId,
  asking,
  open,
  prompts,
  log,
  calls,
  charge,
  countFurther,
}: McpRequest): Promise<Response> {
  // No stream is offered. A client whose stream ends would request it again every second.
  if (request.method !== 'POST') {
    const body = {
      message: `This endpoint accepts POST, not ${request.method}.`,
      code: 'method_not_allowed',
      requestId,
    };
    return Response.json(body, { status: 405, headers: { allow: 'POST' } });
  }
  const sent = readJson(await readBodyText(request));
  if (sent === undefined) return rpcError(ErrorCode.ParseError, "The body isn't valid JSON, or is nested too deeply.");
  const parsedBody = Array.isArray(sent) ? sent.map(readMessage) : readMessage(sent);
  const wrong = malformedCall(parsedBody);
  if (wrong) return wrong;
  if (Array.isArray(parsedBody)) {
    const refused =
      batchError(parsedBody.length, request.headers) ??
      (parsedBody.length > 1 ? await countFurther(parsedBody.length - 1) : undefined);
    if (refused) return refused;
  }
  const session = request.headers.get(sessionHeader);
  const client = session !== null && asking.principal ? `${asking.principal.keyId} ${session}` : undefined;
  const cancelled = CancelledNotificationSchema.safeParse(parsedBody).data?.params.requestId;
  if (client !== undefined && cancelled !== undefined) calls.cancel(client, cancelled);
  const streams = showsProgress(parsedBody, request.headers);
  // The inner server accepts JSON schemas, and so the contract's own; the outer one would build others.
  const { server } = new McpServer(
    { name: 'dialtree', title: 'Dialtree', version: serverVersion },
    { capabilities: {}, instructions, jsonSchemaValidator: noValidator },
  );
  // Declared here, because the outer server would promise notifications of changes to the list.
  server.registerCapabilities({ tools: {}, resources: {}, prompts: {} });
  const textOnly = request.headers.has(markedTextOnlyHeader);
  /** Programs read the structured content, models the text. */
  const toResult = (value: unknown, text: string, links: readonly ResourceLink[] = []): CallToolResult => ({
    ...(!textOnly && { structuredContent: value as Record<string, unknown> }),
    content: [{ type: 'text', text }, ...links],
  });
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: [...(textOnly ? textTools : tools)] }));
  server.setRequestHandler(CallToolRequestSchema, async ({ params }, call): Promise<CallToolResult> => {
    const inputSchema = inputs.get(params.name);
    if (!inputSchema)
      throw new McpError(
        ErrorCode.InvalidParams,
        `The tool ${params.name} doesn't exist. List the tools to find the right one.`,
      );
    const name = params.name as OperationName;
    const nonce = randomBytes(12).toString('hex');
    let reported = -1;
    const onProgress = ({ done: progress, total, message }: Progress): void => {
      const progressToken = params._meta?.progressToken;
      if (progressToken === undefined || progress <= reported) return;
      reported = progress;
      const step = { progressToken, progress, message, ...(total !== undefined && { total }) };
      // It can't be sent if the client has left.
      call.sendNotification({ method: 'notifications/progress', params: step }).catch(() => undefined);
    };
    try {
      const given = withoutClientMembers(inputSchema, params.arguments ?? {});
      const work = (signal: AbortSignal): Promise<unknown> =>
        invoke(name, withoutMarks(given), { ...asking, signal, ...(streams && { onProgress }) }, open);
      const cancellable = (): Promise<unknown> => calls.during(client, call.requestId, asking.signal, work);
      const value = withoutParts(await (streams ? charge(cancellable) : cancellable()));
      const operation: Operation = operations[name];
      const shown = operation.brief?.(value) ?? value;
      const text = outlineInstead(name, given, value, nonce) ?? markedResult(outputOf(name), shown, nonce);
      return toResult(value, text, resourceLinks(name, value));
    } catch (error) {
      const { status, body } = describeFailure(error, requestId, log);
      const page =
        session?.endsWith(opensPages) && (await pageForPerson(body, (link) => invoke(link, {}, asking, open)));
      if (page) throw page;
      const errorBody = { ...body, status };
      return { ...toResult(errorBody, markedError(errorBody, nonce)), isError: true };
    }
  });
  const ask: Ask = (name, input) => invoke(name, input, asking, open);
  const methods: McpMethods = { ...resourceMethods(ask, outputOf), ...prompts };
  server.fallbackRequestHandler = async ({ method, params = {} }) => {
    const answer = Object.hasOwn(methods, method) ? methods[method] : undefined;
    if (!answer) throw Object.assign(new Error('Method not found'), { code: ErrorCode.MethodNotFound });
    try {
      return await answer(params);
    } catch (error) {
      const { status, body } = describeFailure(error, requestId, log);
      throw protocolError(status, body.message);
    }
  };
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: !streams });
  await server.connect(transport);
  // Resolves with the whole response, or with a stream that the response to the call closes.
  const response = await transport.handleRequest(asStandard(request), { parsedBody });
  const initialize = InitializeRequestSchema.safeParse(parsedBody).data;
  if (initialize) {
    const canOpen = initialize.params.capabilities.elicitation?.url !== undefined;
    response.headers.set(sessionHeader, `${randomUUID()}${canOpen ? opensPages : ''}`);
  }
  return response;
}

/**
 * Without state, an id only distinguishes clients that use the same key. Its end says whether the client opens pages for
 * its user.
 */
const sessionHeader = 'mcp-session-id';
const opensPages = '.url';
const progressSchema = z.object({
  method: z.literal('tools/call'),
  params: z.object({ _meta: z.object({ progressToken: ProgressTokenSchema }) }),
});
const showsProgress = (body: unknown, headers: Headers): boolean =>
  (headers.get('accept') ?? '').includes('text/event-stream') && progressSchema.safeParse(body).success;

/** The last version with batches, and the default without a version (MCP 2025-06-18, "Protocol Version Header"). */
const lastWithBatches = '2025-03-26';

/** Returns the error for a batch with this many messages. Versions are dates, which compare as text. */
function batchError(messages: number, headers: Headers): Response | undefined {
  const version = headers.get('mcp-protocol-version') ?? lastWithBatches;
  if (version > lastWithBatches)
    return rpcError(
      ErrorCode.InvalidRequest,
      `Protocol ${version} doesn't support batches. Send each message in its own request.`,
    );
  const { min, max } = serverLimits.batch;
  return messages < min || messages > max
    ? rpcError(ErrorCode.InvalidRequest, `A batch can have ${String(min)} to ${String(max)} messages. Send fewer.`)
    : undefined;
}

const rpcError = (code: ErrorCode, message: string): Response =>
  Response.json({ jsonrpc: '2.0', error: { code, message }, id: null }, { status: 400 });

const jsonType = /^(?:application\/(?:json|json-rpc|[\w.-]+\+json))\s*(?:;|$)/i;

/**
 * Returns the request as the inner server demands it. Responses are always JSON, whatever a client accepts. Many clients
 * accept only JSON or anything, and some don't name the type of what they send. Another type of content is refused,
 * because forms of web pages can send it.
 */
function asStandard({ url, method, headers, signal }: Request): Request {
  const standard = new Headers(headers);
  standard.set('accept', 'application/json, text/event-stream');
  if (jsonType.test(headers.get('content-type') ?? 'application/json'))
    standard.set('content-type', 'application/json');
  return new Request(url, { method, headers: standard, signal });
}

const methodSchema = z.object({
  method: z.literal('tools/call'),
  id: z.union([z.string(), z.number()]).nullable().catch(null),
});
const callSchema = z.object({
  params: z.object({ name: z.string(), arguments: z.record(z.string(), z.unknown()).optional() }),
});

/** Returns the error for a malformed call in a sentence, because the inner server would use its validator's words. */
function malformedCall(body: unknown): Response | undefined {
  const called = methodSchema.safeParse(body).data;
  if (!called || callSchema.safeParse(body).success) return undefined;
  const error = {
    code: ErrorCode.InvalidParams,
    message:
      'A tools/call request needs params with the name of a tool, and with its arguments as an object. Use tools/list to see both.',
  };
  return Response.json({ jsonrpc: '2.0', error, id: called.id });
}

const openTools = new Set(
  Object.entries<Operation>(operations)
    .filter(([, { scope, tool }]) => scope === 'open' && tool)
    .map(([name]) => name),
);
const messageSchema = z.object({
  method: z.string(),
  params: z.object({ name: z.string() }).optional().catch(undefined),
});

function readJson(text: string): unknown {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}

const keyedMethods = new Set(['resources/list', 'resources/read']);

/**
 * Decides what an agent without a key may send: everything but calls of tools that need one, and the resources of a
 * workspace. So it can connect, list the tools and prompts, register, and learn what this server doesn't have.
 */
export async function isOpenMessage(request: Request): Promise<boolean> {
  if (request.method !== 'POST') return true;
  const message = messageSchema.safeParse(readJson(await readBodyText(request))).data;
  if (message === undefined || keyedMethods.has(message.method)) return false;
  return message.method !== 'tools/call' || openTools.has(message.params?.name ?? '');
}
