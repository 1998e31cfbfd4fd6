import type { Socket } from 'node:dgram';
import { createSocket } from 'node:dgram';
import { lookup } from 'node:dns/promises';
import { isIP, isIPv6 } from 'node:net';
import { locateServer } from './serverLocation.ts';
import type { SipLocal, SipPeer, SipTransport, SipTransportListener } from './transport.ts';

const SOCKET_BUFFER_BYTES = 4 * 1024 * 1024;
const PROBE_WAIT_MS = 250;
const ROUTE_PORT = 9;

/** Binds a UDP socket; rejects with the system's error, such as EADDRINUSE. `host` can be a name. */
export async function openUdpTransport(host: string, port: number): Promise<UdpTransport> {
  const address = isIP(host) ? host : (await lookup(host)).address;
  const socket = createUdp(address);
  await new Promise<void>((resolve, reject) => {
    socket.once('error', reject);
    socket.bind(port, address, () => {
      socket.off('error', reject);
      resolve();
    });
  }).catch((error: unknown) => {
    socket.close();
    throw error;
  });
  // Bursts of a load test wait here during a tick.
  try {
    socket.setRecvBufferSize(SOCKET_BUFFER_BYTES);
  } catch {
    /* The system's default size is acceptable too. */
  }
  return new UdpTransport(socket, { host: address, port: socket.address().port });
}

function createUdp(address: string): Socket {
  const family = isIPv6(address) ? 6 : 4;
  return createSocket({
    type: family === 6 ? 'udp6' : 'udp4',
    lookup: (to, _options, done) => done(null, to, family),
  });
}

/** Node passes the error to the callback, although its types don't say so. Throws for an invalid port. */
function connectUdp(socket: Socket, port: number, host: string, done: (error: Error | undefined) => void): void {
  socket.connect(port, host, done as () => void);
}

/** SIP over UDP; `address` is where it listens. */
export class UdpTransport implements SipTransport {
  readonly protocol = 'UDP';
  readonly reliable = false;
  readonly address: SipPeer;
  readonly #socket: Socket;
  #listener: SipTransportListener | undefined;
  #open = true;

  constructor(socket: Socket, address: SipPeer) {
    this.#socket = socket;
    this.address = address;
    socket.on('error', () => {
      /* An ICMP error of an earlier datagram; timers handle it. */
    });
    socket.on('message', (datagram, from) => {
      this.#listener?.onMessage(datagram, { host: from.address, port: from.port });
    });
  }

  listen(listener: SipTransportListener): void {
    this.#listener = listener;
  }

  send(message: Uint8Array, peer: SipPeer): void {
    if (!this.#open) return;
    const failed = (error: Error | null): void => {
      if (error && this.#open) this.#listener?.onFailure(peer, error);
    };
    try {
      this.#socket.send(message, peer.port, peer.host, failed);
    } catch (error) {
      // An address that the system doesn't even try. Reported later, like all failures, because the sender isn't
      // finished.
      queueMicrotask(() => failed(error instanceof Error ? error : new Error(String(error))));
    }
  }

  reaches(): boolean {
    return true;
  }

  hold(): () => void {
    return () => {
      /* There is no connection. */
    };
  }

  async localFor(peer: SipPeer): Promise<SipLocal> {
    const { host, port } = this.address;
    return {
      protocol: this.protocol,
      host: host === '0.0.0.0' || host === '::' ? await this.#hostTowards(peer) : host,
      port,
    };
  }

  async #hostTowards(peer: SipPeer): Promise<string> {
    const socket = createUdp(this.address.host);
    try {
      // Connecting a UDP socket sends nothing; it asks the routing table.
      await new Promise<void>((resolve, reject) => {
        socket.once('error', reject);
        connectUdp(socket, peer.port || ROUTE_PORT, peer.host, (error) => {
          if (error) reject(error);
          else resolve();
        });
      });
      return socket.address().address;
    } finally {
      socket.close();
    }
  }

  resolve(host: string, port: number | undefined): Promise<SipPeer> {
    return locateServer(this.protocol, isIPv6(this.address.host) ? 6 : 4, host, port);
  }

  /**
   * Only a connected socket receives ICMP port unreachable, and the agent's own isn't connected. So a second one sends
   * a keepalive (RFC 5626 section 4.4.1), which a SIP server ignores.
   */
  refuses(peer: SipPeer): Promise<boolean> {
    return new Promise((resolve) => {
      const socket = createUdp(this.address.host);
      let done = false;
      const finish = (refused: boolean): void => {
        if (done) return;
        done = true;
        clearTimeout(timer);
        socket.close();
        resolve(refused);
      };
      const timer = setTimeout(() => finish(false), PROBE_WAIT_MS);
      const judge = (error: NodeJS.ErrnoException | null): void => {
        if (error) finish(error.code === 'ECONNREFUSED');
      };
      socket.on('error', judge);
      const probe = (failed: Error | undefined): void => {
        if (failed) {
          finish(false);
          return;
        }
        // The second send reports what the first one caused.
        socket.send('\r\n\r\n', (error) => {
          judge(error);
          if (!done) socket.send('\r\n\r\n', judge);
        });
      };
      try {
        connectUdp(socket, peer.port, peer.host, probe);
      } catch {
        finish(false);
      }
    });
  }

  close(): Promise<void> {
    if (!this.#open) return Promise.resolve();
    this.#open = false;
    return new Promise((resolve) => {
      this.#socket.close(() => resolve());
    });
  }
}
