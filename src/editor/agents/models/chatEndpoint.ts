import { createHash, randomBytes, randomUUID, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { unlessAborted } from '../../../base/clock.ts';
import { describeIssues } from '../../../contract/errors.ts';
import type { Basics } from '../../basics/createBasics.ts';
import { after } from '../../basics/wallClock.ts';
import { describeCause } from '../../basics/log/logger.ts';
import { ChatModelError, type ChatModels, type ChatRefusal } from './chatModels.ts';
import { chatRequestSchema, jsonIn, messagesOf, maxCharacters, wantsJson, type ChatRequest } from './chatRequest.ts';

interface ChatEndpointParts extends Pick<Basics, 'clock' | 'log'> {
  readonly models: ChatModels;
  /** The id of the model that the user agreed to. No other model is asked. */
  readonly agreed: () => string | undefined;
}

export interface OpenEndpoint {
  /** Ends with `/v1`. */
  readonly url: string;
  readonly token: string;
}

/** Limits of a request. A question contains a call's transcript and is far smaller. */
export const chatBounds = {
  bodyBytes: 1_048_576,
  requestMs: 30_000,
  answerMs: 120_000,
  atOnce: 8,
  connections: 32,
} as const;

const path = '/v1/chat/completions';

/**
 * Gives the service, which is a separate process, access to the editor's models: the part of OpenAI's chat completions
 * that the service uses, on loopback only, for clients with the token. Each opening creates a new token, which
 * invalidates the previous one.
 */
export class ChatEndpoint {
  readonly #parts: ChatEndpointParts;
  #listening: Promise<Server> | undefined;
  #tokenHash: Buffer | undefined;
  #asked = 0;
  #closed = false;

  constructor(parts: ChatEndpointParts) {
    this.#parts = parts;
  }

  async open(): Promise<OpenEndpoint> {
    if (this.#closed) throw new Error('the endpoint is closed');
    this.#listening ??= this.#listen();
    const server = await this.#listening;
    const token = randomBytes(32).toString('base64url');
    this.#tokenHash = sha256(token);
    return { url: `http://${hostOf(server)}/v1`, token };
  }

  dispose(): void {
    this.#closed = true;
    this.#tokenHash = undefined;
    void this.#listening?.then((server) => {
      server.close();
      server.closeAllConnections();
    });
  }

  async #listen(): Promise<Server> {
    const server = createServer(
      { requestTimeout: chatBounds.requestMs, headersTimeout: chatBounds.requestMs, keepAliveTimeout: 5_000 },
      (request, response) => {
        this.#answer(server, request, response).catch((error: unknown) => {
          // No one needs the response of an aborted request.
          if (!response.destroyed && !response.headersSent)
            sendError(response, error instanceof EndpointRefusal ? error : this.#unexpected(error));
          else response.destroy();
        });
      },
    );
    server.maxConnections = chatBounds.connections;
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    // The server doesn't keep the editor's process alive.
    server.unref();
    return server;
  }

  async #answer(server: Server, request: IncomingMessage, response: ServerResponse): Promise<void> {
    this.#admit(server, request);
    const read = await readRequest(request);
    if (read.model !== this.#parts.agreed())
      throw new EndpointRefusal(
        400,
        "The user hasn't agreed to send text to this model. Choose it with “Dialtree: Choose Language Model…”.",
      );
    if (this.#asked >= chatBounds.atOnce)
      throw new EndpointRefusal(
        429,
        'The editor is already answering the maximum number of requests. Try again in a moment.',
        {
          'retry-after': '1',
        },
      );
    this.#asked += 1;
    const gone = new AbortController();
    const late = new EndpointRefusal(503, "The editor's model didn't answer in time.");
    const stopWaiting = after(this.#parts.clock, chatBounds.answerMs, () => gone.abort(late));
    response.once('close', () => gone.abort());
    try {
      const { text, cut } = await unlessAborted(this.#ask(read, gone.signal), gone.signal);
      sendJson(response, 200, completion(read.model, wantsJson(read) ? jsonIn(text) : text, cut));
    } finally {
      stopWaiting();
      gone.abort();
      this.#asked -= 1;
    }
  }

  /** Refuses web pages, requests without the token, and requests that aren't questions. */
  #admit(server: Server, { headers, method = '', url = '' }: IncomingMessage): void {
    if (headers.host !== hostOf(server))
      throw new EndpointRefusal(421, 'This endpoint accepts only requests to its own address. Check the Host header.');
    if (headers.origin !== undefined)
      throw new EndpointRefusal(403, "This endpoint doesn't accept requests from web pages.");
    const bearerToken = /^Bearer (\S+)$/.exec(headers.authorization ?? '')?.[1] ?? '';
    if (!this.#tokenHash || !timingSafeEqual(sha256(bearerToken), this.#tokenHash))
      throw new EndpointRefusal(401, 'The token is missing, or it has expired because the editor restarted.');
    if (url.split('?')[0] !== path) throw new EndpointRefusal(404, `This endpoint serves only ${path}.`);
    if (method !== 'POST') throw new EndpointRefusal(405, `${path} accepts only POST.`, { allow: 'POST' });
  }

  async #ask(request: ChatRequest, signal: AbortSignal): Promise<{ readonly text: string; readonly cut: boolean }> {
    const { models } = this.#parts;
    // In the background, the editor would ask for permission although the user did nothing.
    if (!(await models.isAllowed(request.model)))
      throw new EndpointRefusal(
        400,
        'The editor does not let Dialtree use this model, or has it no more. Choose a model again with “Dialtree: Choose Language Model…”.',
      );
    const most = maxCharacters(request);
    let text = '';
    for await (const part of models.ask(request.model, messagesOf(request), signal)) {
      text += part;
      if (text.length > most) return { text: text.slice(0, most), cut: true };
    }
    return { text, cut: false };
  }

  #unexpected(error: unknown): EndpointRefusal {
    if (error instanceof ChatModelError) return new EndpointRefusal(statuses[error.refusal], error.message);
    this.#parts.log.error(describeCause(error));
    return new EndpointRefusal(500, 'Internal error. See the log in the editor for details.');
  }
}

const statuses: Readonly<Record<ChatRefusal, number>> = { notAllowed: 400, missing: 404, blocked: 400, failed: 502 };

class EndpointRefusal extends Error {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;

  constructor(status: number, message: string, headers: Readonly<Record<string, string>> = {}) {
    super(message);
    this.status = status;
    this.headers = headers;
  }
}

const sha256 = (text: string): Buffer => createHash('sha256').update(text).digest();
const hostOf = (server: Server): string => `127.0.0.1:${String((server.address() as AddressInfo).port)}`;

async function readRequest(request: IncomingMessage): Promise<ChatRequest> {
  const tooLarge = new EndpointRefusal(413, `A request can have up to ${String(chatBounds.bodyBytes)} bytes.`, {
    connection: 'close',
  });
  if (Number(request.headers['content-length'] ?? 0) > chatBounds.bodyBytes) throw tooLarge;
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request) {
    bytes += (chunk as Buffer).length;
    if (bytes > chatBounds.bodyBytes) throw tooLarge;
    chunks.push(chunk as Buffer);
  }
  const read = chatRequestSchema.safeParse(parseJson(Buffer.concat(chunks).toString('utf8')));
  if (!read.success)
    throw new EndpointRefusal(400, `This isn't a chat completion request. ${describeIssues(read.error)}`);
  return read.data;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** https://platform.openai.com/docs/api-reference/chat/object; without usage, which the editor doesn't report. */
const completion = (model: string, content: string, cut: boolean): object => ({
  id: `chatcmpl-${randomUUID()}`,
  object: 'chat.completion',
  created: Math.floor(Date.now() / 1000),
  model,
  choices: [
    { index: 0, message: { role: 'assistant', content, refusal: null }, finish_reason: cut ? 'length' : 'stop' },
  ],
});

function sendJson(
  response: ServerResponse,
  status: number,
  body: object,
  headers: Readonly<Record<string, string>> = {},
): void {
  response
    .writeHead(status, { 'content-type': 'application/json', 'cache-control': 'no-store', ...headers })
    .end(JSON.stringify(body));
}

const sendError = (response: ServerResponse, { status, message, headers }: EndpointRefusal): void => {
  sendJson(response, status, { error: { message, type: 'editor' } }, headers);
};
