import { setImmediate } from 'node:timers/promises';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import {
  ErrorCode,
  isInitializeRequest,
  isJSONRPCRequest,
  type JSONRPCMessage,
} from '@modelcontextprotocol/sdk/types.js';
import { isRecord } from '../../base/isRecord.ts';
import { parsedJson } from '../../base/parsedJson.ts';
import { HumanError } from '../../contract/errors.ts';
import { markedTextOnlyHeader } from '../../contract/untrusted.ts';
import { note } from '../terminal/output.ts';

export interface McpAddress {
  readonly mcpUrl: string;
  readonly apiKey: string;
}

export interface BridgedService {
  /** Starts the service if necessary. @throws HumanError if it can't be started */
  address(): Promise<McpAddress>;
  /** Call this if the service doesn't respond at its address. */
  lost(): void;
}

/**
 * Passes MCP messages between stdin, stdout and the service, until stdin closes or the signal aborts. The service has
 * no sessions, so each message has its own connection, and a new service continues where another ended.
 */
export async function bridgeStdio(service: BridgedService, signal: AbortSignal): Promise<void> {
  const stdio = new StdioServerTransport();
  const open = new Set<StreamableHTTPClientTransport>();
  let protocolVersion: string | undefined;

  /** Sends a message, and passes on everything that the service sends until its response is complete. */
  async function post(message: JSONRPCMessage, { mcpUrl, apiKey }: McpAddress): Promise<void> {
    let answered = false;
    let finish = (): void => undefined;
    const finished = new Promise<void>((resolve) => {
      finish = resolve;
    });
    const connection = new StreamableHTTPClientTransport(new URL(mcpUrl), {
      requestInit: { headers: { 'x-api-key': apiKey, [markedTextOnlyHeader]: 'true' } },
      fetch: async (url, init) => watched(await fetch(url, init), finish),
    });
    if (protocolVersion !== undefined) connection.setProtocolVersion(protocolVersion);
    connection.onerror = finish;
    connection.onmessage = (sent) => {
      if (!('method' in sent)) answered = true;
      if (isInitializeRequest(message) && 'result' in sent) protocolVersion = String(sent.result['protocolVersion']);
      void stdio.send(sent);
    };
    open.add(connection);
    try {
      await connection.start();
      await connection.send(message);
      if (!isJSONRPCRequest(message)) return;
      await finished;
      // The last part of the stream is on its way to `onmessage`.
      await setImmediate();
      if (!answered) throw new TypeError('The response is incomplete.');
    } finally {
      open.delete(connection);
      await connection.close();
    }
  }

  async function forward(message: JSONRPCMessage): Promise<void> {
    try {
      await post(message, await service.address()).catch(async (error: unknown) => {
        if (error instanceof HumanError && error.status !== 401) throw error;
        service.lost();
        // Only a request that had no effect may be sent again.
        if (!(error instanceof HumanError) && !wasRefused(error)) throw error;
        await post(message, await service.address());
      });
    } catch (error) {
      if (signal.aborted) return;
      const text =
        error instanceof HumanError
          ? error.message
          : wasRefused(error)
            ? "Couldn't reach the service. Check its address, and whether it runs."
            : 'The connection to the service ended before the response. Check what the request did, then send it again if necessary.';
      if (isJSONRPCRequest(message))
        await stdio.send({ jsonrpc: '2.0', id: message.id, error: { code: ErrorCode.InternalError, message: text } });
      else note(text);
    }
  }

  await new Promise<void>((resolve, reject) => {
    stdio.onmessage = (message) => void forward(message);
    stdio.onerror = ({ message }) => note(`Couldn't read a message: ${message}`);
    stdio.onclose = resolve;
    process.stdin.once('end', resolve).once('close', resolve);
    signal.addEventListener('abort', () => resolve(), { once: true });
    stdio.start().catch(reject);
  });
  stdio.onclose = () => undefined;
  await Promise.all([stdio.close(), ...[...open].map((connection) => connection.close())]);
}

const wasRefused = (error: unknown): boolean =>
  error instanceof TypeError &&
  isRecord(error.cause) &&
  ['ECONNREFUSED', 'ENOTFOUND'].includes(String(error.cause['code']));

/** Reports the end of a response. @throws HumanError with the service's own words if it refuses the request */
async function watched(response: Response, onEnd: () => void): Promise<Response> {
  // The service offers no stream for a GET, which the transport knows.
  if (!response.ok && response.status !== 405) {
    const body = parsedJson(await response.text());
    const { message } = isRecord(body) && isRecord(body['error']) ? body['error'] : isRecord(body) ? body : {};
    throw new HumanError(
      typeof message === 'string'
        ? message
        : `The service refused the request with status ${String(response.status)}. If there were many requests, wait a minute before the next one.`,
      { status: response.status === 401 ? 401 : 400 },
    );
  }
  if (!response.body) return response;
  const body = response.body.pipeThrough(new TransformStream({ flush: onEnd }));
  return new Response(body, response);
}
