import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { promisify } from 'node:util';
import { createAdaptorServer } from '@hono/node-server';
import { HumanError } from '../../contract/errors.ts';
import { serverLimits } from '../../contract/limits.ts';
import { isLoopback } from '../../base/loopback.ts';
import type { AppEnvironment } from './environment.ts';

/** What the server knows of a request. */
type Answer = (request: Request, env: AppEnvironment['Bindings']) => Promise<Response>;

/** `serverLimits.connection`, or a test's replacement. */
export type ConnectionBounds = { readonly [Bound in keyof typeof serverLimits.connection]: number };

interface HttpServer {
  readonly port: number;
  /** Open connections, including idle ones. */
  connections(): Promise<number>;
  /** Connections that were closed because there were too many. */
  readonly dropped: number;
  close(): Promise<void>;
}

interface ListenOptions {
  readonly host: string;
  /** 0 picks a free one. */
  readonly port: number;
  readonly allowRemote: boolean;
  /** Receives the port, because responses contain it. */
  readonly answer: (port: number) => Answer;
  readonly onRequest: (open: number) => void;
  readonly bounds?: ConnectionBounds;
}

/** How many times per timeout Node checks for late connections. */
const looksAPeriod = 4;

/** Rejects with HumanError if the address is in use, or isn't loopback and that isn't allowed. */
export async function listenHttp({
  host,
  port,
  allowRemote,
  answer,
  onRequest,
  bounds = serverLimits.connection,
}: ListenOptions): Promise<HttpServer> {
  if (!isLoopback(host) && !allowRemote) {
    throw new HumanError(
      `Other machines can reach ${host}. If that's what you want, add --allow-remote. Otherwise, leave out --host.`,
      { status: 400, code: 'remote_host' },
    );
  }
  let current: Answer | undefined;
  let open = 0;
  let dropped = 0;
  const server = createAdaptorServer({
    fetch: (request, { incoming, outgoing }) => {
      // Some versions of Node silently drop excess headers; if Origin were dropped, its check would be skipped.
      if (incoming.rawHeaders.length > bounds.headers * 2)
        return new Response(null, { status: 431, headers: { connection: 'close' } });
      const env = { address: incoming.socket.remoteAddress ?? '', unsentBytes: () => outgoing.writableLength };
      return current?.(request, env) ?? new Response(null, { status: 503 });
    },
    hostname: host,
    overrideGlobalObjects: false,
    createServer,
    serverOptions: {
      maxHeaderSize: bounds.headerBytes,
      headersTimeout: bounds.headersSeconds * 1000,
      requestTimeout: bounds.requestSeconds * 1000,
      keepAliveTimeout: bounds.idleSeconds * 1000,
      connectionsCheckingInterval: (Math.min(bounds.headersSeconds, bounds.requestSeconds) * 1000) / looksAPeriod,
    },
  }) as Server;
  server.maxHeadersCount = bounds.headers + 1;
  server.maxConnections = bounds.connections;
  server.on('drop', () => {
    dropped += 1;
  });
  server.on('request', (request, response) => {
    open += 1;
    onRequest(open);
    response.once('close', () => {
      open -= 1;
      onRequest(open);
    });
    // The body of a GET isn't read, so Node would keep receiving it until the timeout.
    if (request.method === 'GET' || request.method === 'HEAD')
      response.once('finish', () => {
        if (!request.complete) request.socket.destroySoon();
      });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', (cause: NodeJS.ErrnoException) => reject(explain(cause, host, port)));
    server.listen(port, host, resolve);
  });
  const actual = (server.address() as AddressInfo).port;
  current = answer(actual);
  return {
    port: actual,
    connections: promisify(server.getConnections.bind(server)),
    get dropped() {
      return dropped;
    },
    async close() {
      const closed = new Promise<void>((resolve) => {
        server.close(() => resolve());
      });
      server.closeIdleConnections();
      const force = setTimeout(() => server.closeAllConnections(), 500);
      await closed;
      clearTimeout(force);
    },
  };
}

function explain(cause: NodeJS.ErrnoException, host: string, port: number): HumanError {
  const text = {
    EADDRINUSE: `Port ${String(port)} on ${host} is in use by another program. Choose another port with --port, or use --port 0 for any free port.`,
    EACCES: `You don't have permission to open port ${String(port)}. Choose a port above 1023.`,
    EADDRNOTAVAIL: `${host} isn't an address of this machine. Choose another with --host.`,
  }[cause.code ?? ''];
  return new HumanError(
    text ?? `The service can't listen on ${host}, port ${String(port)}: ${cause.message}. Check --host and --port.`,
    { status: 503, code: 'cannot_listen', cause },
  );
}
