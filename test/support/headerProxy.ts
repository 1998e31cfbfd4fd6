import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface HeaderProxy {
  /** The target's path on the proxy's address. */
  readonly url: string;
  close(): Promise<void>;
}

/**
 * Forwards requests to a local server with headers added, for clients that can't send them. Replaces its own address in
 * Host and Origin with the target's; other names pass unchanged.
 */
export async function startHeaderProxy(target: string, added: Readonly<Record<string, string>>): Promise<HeaderProxy> {
  const { host, hostname, port, pathname } = new URL(target);
  let own = '';
  const server = createServer((incoming, outgoing) => {
    const headers = { ...incoming.headers, ...added };
    for (const name of ['host', 'origin'] as const)
      if (headers[name] !== undefined)
        headers[name] = headers[name].replace(own, host).replace(own.replace('127.0.0.1', 'localhost'), host);
    const forwarded = request({ hostname, port, path: incoming.url, method: incoming.method, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    forwarded.on('error', (error) => {
      outgoing.destroy(error);
    });
    outgoing.on('close', () => {
      forwarded.destroy();
    });
    incoming.pipe(forwarded);
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  own = `127.0.0.1:${String((server.address() as AddressInfo).port)}`;
  return {
    url: `http://${own}${pathname}`,
    close: async () => {
      const closed = new Promise<void>((resolve) => {
        server.close(() => resolve());
      });
      server.closeAllConnections();
      await closed;
    },
  };
}
