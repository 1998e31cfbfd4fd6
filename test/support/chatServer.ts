import { once } from 'node:events';
import { createServer } from 'node:http';
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** The fields of both protocols that tests check. */
export interface ChatBody {
  readonly messages?: readonly {
    readonly role: string;
    readonly content: string | readonly { readonly text?: string }[];
  }[];
  readonly max_tokens?: number;
  readonly max_completion_tokens?: number;
  readonly temperature?: number;
  readonly response_format?: { readonly type: string };
  readonly output_config?: unknown;
  readonly tools?: readonly { readonly name?: string }[];
  readonly tool_choice?: { readonly name?: string };
}

export interface ChatRequest {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: ChatBody;
}

/** The server's answer to one request. */
export type ChatReply =
  /** A completion; an object is sent as its JSON. */
  | {
      readonly answer: string | object;
      readonly ended?: 'cut' | 'filtered';
      readonly usage?: { readonly input: number; readonly output: number } | 'none';
    }
  /** A refusal by the model. */
  | { readonly refusal: string }
  | {
      readonly status: number;
      readonly message?: string;
      readonly headers?: Record<string, string>;
      readonly raw?: string;
    }
  /** Status 200 with a body that isn't a completion. */
  | { readonly raw: string; readonly contentType?: string }
  /** The connection breaks during a completion. */
  | { readonly broken: 'body' | 'head' }
  /** Accepts the request and never answers, until the client gives up. */
  | { readonly silent: true };

type Answerer = (request: ChatRequest, index: number) => ChatReply;

/**
 * A loopback server for chat completions (`/v1/chat/completions`) and Anthropic's messages (`/v1/messages`), with valid
 * and invalid answers.
 */
export interface ChatServer {
  /** Ends with /v1. */
  readonly url: string;
  readonly requests: readonly ChatRequest[];
  /** Settles when the client gives up an unanswered request. */
  readonly givenUp: Promise<void>;
  close(): Promise<void>;
}

/** `replies` are sent in order, the last one repeatedly; or a function of the request. */
export async function startChatServer(replies: readonly ChatReply[] | Answerer): Promise<ChatServer> {
  const requests: ChatRequest[] = [];
  const abandoned = Promise.withResolvers<undefined>();
  const answer: Answerer =
    typeof replies === 'function' ? replies : (_, index) => replies[Math.min(index, replies.length - 1)]!;
  const server = createServer((incoming, response) => {
    void readBody(incoming).then(
      (text) => {
        const request: ChatRequest = {
          path: incoming.url ?? '',
          headers: incoming.headers,
          body: text === '' ? {} : JSON.parse(text),
        };
        requests.push(request);
        const path = new URL(request.path, 'http://loopback').pathname;
        if (incoming.method !== 'POST' || !['/v1/chat/completions', '/v1/messages'].includes(path)) {
          sendJson(response, 404, { error: { message: `no ${path} here` } });
          return;
        }
        const reply = answer(request, requests.length - 1);
        if ('silent' in reply) {
          response.once('close', () => abandoned.resolve(undefined));
          return;
        }
        send(response, reply, path === '/v1/messages', request);
      },
      () => {
        response.destroy();
      },
    );
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}/v1`,
    requests,
    givenUp: abandoned.promise,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

async function readBody(incoming: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}

function send(
  response: ServerResponse,
  reply: Exclude<ChatReply, { silent: true }>,
  messages: boolean,
  request: ChatRequest,
): void {
  if ('status' in reply) {
    const body =
      reply.raw ??
      JSON.stringify(
        messages
          ? { type: 'error', error: { type: 'invalid_request_error', message: reply.message ?? 'no' } }
          : { error: { message: reply.message ?? 'no', type: 'error' } },
      );
    response.writeHead(reply.status, { 'content-type': 'application/json', ...reply.headers }).end(body);
  } else if ('raw' in reply) {
    response.writeHead(200, { 'content-type': reply.contentType ?? 'application/json' }).end(reply.raw);
  } else if ('broken' in reply) {
    if (reply.broken === 'head') {
      response.destroy();
      return;
    }
    const whole = JSON.stringify(completion({ answer: 'x'.repeat(2000) }));
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': whole.length });
    response.write(whole.slice(0, 500), () => {
      response.destroy();
    });
  } else {
    sendJson(response, 200, messages ? message(reply, request) : completion(reply));
  }
}

function sendJson(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

type Said = Extract<ChatReply, { answer: unknown } | { refusal: string }>;
const textOf = (reply: Said): string =>
  'refusal' in reply ? reply.refusal : typeof reply.answer === 'string' ? reply.answer : JSON.stringify(reply.answer);
const usageOf = (reply: Said): { readonly input: number; readonly output: number } | undefined => {
  if ('refusal' in reply || reply.usage === undefined) return { input: 100, output: 20 };
  return reply.usage === 'none' ? undefined : reply.usage;
};

/** https://platform.openai.com/docs/api-reference/chat/object */
function completion(reply: Said): object {
  const usage = usageOf(reply);
  const refused = 'refusal' in reply;
  return {
    id: 'chatcmpl-1',
    object: 'chat.completion',
    created: 1_700_000_000,
    model: 'loopback',
    choices: [
      {
        index: 0,
        message: {
          role: 'assistant',
          content: refused ? null : textOf(reply),
          refusal: refused ? reply.refusal : null,
        },
        finish_reason: refused
          ? 'stop'
          : reply.ended === 'cut'
            ? 'length'
            : reply.ended === 'filtered'
              ? 'content_filter'
              : 'stop',
      },
    ],
    ...(usage
      ? {
          usage: {
            prompt_tokens: usage.input,
            completion_tokens: usage.output,
            total_tokens: usage.input + usage.output,
          },
        }
      : {}),
  };
}

/**
 * https://docs.anthropic.com/en/api/messages; an object becomes the input of the tool that the request forces, if any.
 */
function message(reply: Said, { body }: ChatRequest): object {
  const usage = usageOf(reply) ?? { input: 0, output: 0 };
  const tool = body.tool_choice?.name ?? body.tools?.[0]?.name;
  const asTool = tool !== undefined && 'answer' in reply && typeof reply.answer === 'object';
  return {
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    model: 'loopback',
    content: [
      asTool
        ? { type: 'tool_use', id: 'toolu_1', name: tool, input: reply.answer }
        : { type: 'text', text: textOf(reply) },
    ],
    stop_reason:
      'refusal' in reply || reply.ended === 'filtered'
        ? 'refusal'
        : reply.ended === 'cut'
          ? 'max_tokens'
          : asTool
            ? 'tool_use'
            : 'end_turn',
    stop_sequence: null,
    usage: { input_tokens: usage.input, output_tokens: usage.output },
  };
}
