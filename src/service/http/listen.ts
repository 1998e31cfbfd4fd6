import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createAdaptorServer } from '@hono/node-server';
import { HumanError } from '../../contract/errors.ts';
import { isLoopback } from '../runs/dialGate.ts';

/** `address`: who asks, by network address. */
type Answer = (request: Request, address: string) => Promise<Response>;

export interface HttpServer {
  readonly port: number;
  /** From here on requests are answered; those that came before it waited. */
  close(): Promise<void>;
}

export interface ListenOptions {
  readonly host: string;
  /** 0 picks a free one. */
  readonly port: number;
  readonly allowRemote: boolean;
  /** Given the port, since what is answered names it. */
  readonly answer: (port: number) => Answer;
  readonly onRequest: (open: number) => void;
}

/** Listens for HTTP. Rejects with HumanError where the address is not loopback and that is not allowed, or is in use. */
export async function listenHttp({ host, port, allowRemote, answer, onRequest }: ListenOptions): Promise<HttpServer> {
  if (!isLoopback(host) && !allowRemote) {
    throw new HumanError(`${host} can be reached from other machines. Leave --host out, or add --allow-remote if that is meant.`, { status: 400, code: 'remote_host' });
  }
  let current: Answer | undefined;
  let open = 0;
  const server = createAdaptorServer({
    fetch: (request, { incoming }) => current?.(request, incoming.socket.remoteAddress ?? '') ?? new Response(null, { status: 503 }), hostname: host, overrideGlobalObjects: false,
  }) as Server;
  server.on('request', (_request, response) => {
    open += 1;
    onRequest(open);
    response.once('close', () => { open -= 1; onRequest(open); });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', (cause: NodeJS.ErrnoException) => { reject(explain(cause, host, port)); });
    server.listen(port, host, resolve);
  });
  const actual = (server.address() as AddressInfo).port;
  current = answer(actual);
  return {
    port: actual,
    async close() {
      const closed = new Promise<void>((resolve) => { server.close(() => { resolve(); }); });
      server.closeIdleConnections();
      const force = setTimeout(() => { server.closeAllConnections(); }, 500);
      await closed;
      clearTimeout(force);
    },
  };
}

function explain(cause: NodeJS.ErrnoException, host: string, port: number): HumanError {
  const text = {
    EADDRINUSE: `Port ${String(port)} of ${host} is in use by another program. Choose another with --port, or --port 0 for any free one.`,
    EACCES: `Port ${String(port)} may not be opened by this user. Choose one above 1023.`,
    EADDRNOTAVAIL: `${host} is not an address of this machine. Choose another with --host.`,
  }[cause.code ?? ''];
  return new HumanError(text ?? `The service cannot listen on ${host}, port ${String(port)}: ${cause.message}.`, { status: 503, code: 'cannot_listen', cause });
}
